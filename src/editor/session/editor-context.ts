import { createContext, useContext } from 'react';
import type { Vector } from '../../../engine/document/fields.ts';
import type { Client } from '../../contract/client.ts';
import type { DraftsStore } from '../edit-window/drafts-store.ts';
import type { SavingStore } from '../saving/saving-store.ts';
import type { EditorsLine } from '../together/editors-line.ts';
import type { FollowStore } from '../together/follow-store.ts';
import type { DocumentStore } from './document-store.ts';
import type { IdPool } from './id-pool.ts';
import type { SelectionStore } from './selection-store.ts';

/** What every part of the editor works with. */
export interface Editor {
  document: DocumentStore;
  /** Ids for new elements. */
  ids: IdPool;
  selection: SelectionStore;
  saving: SavingStore;
  /** What is typed into the edit window. */
  drafts: DraftsStore;
  /** Connection to those who edit the same space. */
  line: EditorsLine;
  /** Through whose eyes one looks. */
  follow: FollowStore;
  client: Client;
  roomId: number;
  /** Address of the organization's font for 3D texts; empty for the built-in one. */
  font: string;
  /** Where a new element goes; the canvas sets it to a place in front of the camera. */
  place: () => Vector;
  /** Ends all work; what waits is kept. */
  end(): void;
}

export const EditorContext = createContext<Editor | null>(null);

/** The editor that a part belongs to. */
export function useEditor(): Editor {
  const editor = useContext(EditorContext);
  if (!editor) throw new Error('There is no editor above this part.');
  return editor;
}
