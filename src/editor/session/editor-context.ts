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

/** A new element at its position. */
export interface Placed {
  element: Element;
  /** Places it on the surface below once it is loaded, as part of the step that added it. */
  rest(step: { label: string; merge: string }): void;
}

/** Services shared by all parts of the editor. */
export interface Editor {
  document: DocumentStore;
  /** Ids for new elements. */
  ids: IdPool;
  selection: SelectionStore;
  saving: SavingStore;
  /** Input of the edit window. */
  drafts: DraftsStore;
  /** Connection to the other editors of the space. */
  line: EditorsLine;
  /** The user being followed. */
  follow: FollowStore;
  client: Client;
  roomId: number;
  /** Whether the room is the content of a proposal, which no structure shows. */
  isProposal: boolean;
  /** URL of the organization's font for 3D texts; empty for the built-in one. */
  font: string;
  /** Positions a new element at a spot, or in front of the camera. Set by the canvas; a no-op without it. */
  place: (element: Element, spot?: Spot) => Placed;
  /** Stops all work; unsaved edits stay stored. */
  end(): void;
}

export const EditorContext = createContext<Editor | null>(null);

/** The editor that a part belongs to. */
export function useEditor(): Editor {
  const editor = useContext(EditorContext);
  if (!editor) throw new Error('There is no editor above this part.');
  return editor;
}
