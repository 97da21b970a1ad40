import { createContext, useContext } from 'react';
import type { Element } from '../../../engine/document/element.ts';
import type { Spot } from '../../../engine/tools/camera/picker.ts';
import type { Client } from '../../contract/client.ts';
import type { DraftsStore } from '../edit-window/drafts-store.ts';
import type { SavingStore } from '../saving/saving-store.ts';
import type { EditorsLine, FollowStore } from '../together/editors-line.ts';
import type { DocumentStore } from './document-store.ts';
import type { IdPool } from './id-pool.ts';
import type { SelectionStore } from './selection-store.ts';

/** A new element in its place. */
export interface Placed {
  element: Element;
  /** Has it rest on what it was put on once it is drawn, as part of the step that added it. */
  rest(step: { label: string; merge: string }): void;
}

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
  /** Places a new element at a spot, or ahead of the camera; set by the canvas, without which elements stay where they are. */
  place: (element: Element, spot?: Spot) => Placed;
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
