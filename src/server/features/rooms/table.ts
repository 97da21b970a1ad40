import type { Generated } from 'kysely';
import type { AuthorName, Flag, Id, Json, Owned, Stamp } from '../../core/db/column-types.ts';

export interface RoomTable extends Owned {
  version: number;
  name: string;
  title: string;
  description: string;
  template_id: number | null;
  width: number;
  height: number;
  depth: number;
  config: Json;
  angle: Json | null;
  /** Counts the changes of the room and its elements: two readings with the same number have the same content. */
  revision: Generated<number>;
  /** Counts the changes of what all spaces of the organization are filled with: files and live streams. */
  touches: Generated<number>;
  /** Number of the last entry of its log of commands; 0 where there is none yet. */
  seq: Generated<number>;
}

/** What a room was before the first entry of its log that is kept: from here on the log tells how it became what it is. */
export interface RoomBaseTable {
  id: Id;
  room_id: number;
  organization_id: number;
  /** Number of the entry after which the room was so. */
  seq: number;
  /** The document as JSON; packed where it is large. */
  content: string;
}

/** The log of a room: what was changed, in order, each entry as a whole or not at all. */
export interface RoomCommandTable {
  id: Id;
  room_id: number;
  organization_id: number;
  /** Its place in the log of the room, from 1. */
  seq: number;
  /** Program that sent it, such as an open editor; null where none said so. */
  client: string | null;
  /** That program's own number of it: what is sent again under the same one is not done again. */
  mutation: number | null;
  origin: string;
  user_id: number | null;
  author_name: AuthorName;
  at: Stamp;
  commands: Json;
  /** What takes each of the commands back, in the order of the commands. */
  inverses: Json;
  /** Ids that elements got, by those that stood for them. */
  ids: Json;
}

/** Ids of elements that were given to an open editor before it needs them. */
export interface ElementLeaseTable {
  id: Id;
  room_id: number;
  organization_id: number;
  client: string;
  first: number;
  last: number;
  at: Stamp;
}

/** The user to whom a client number of a room belongs. */
export interface EditorClientTable {
  id: Id;
  room_id: number;
  organization_id: number;
  client: string;
  /** Null once the user is deleted: the number then belongs to nobody. */
  user_id: number | null;
  /** When it was last used, to the day. */
  at: Stamp;
}

export interface ElementTable extends Owned {
  room_id: number;
  parent_element_id: number | null;
  /** Key that orders it among its siblings, bytewise. */
  index: string;
  element: string;
  name: string;
  hidden: Flag;
  file_id: number | null;
  /** The remaining fields of the document's element, config included. */
  body: Json;
}

declare module '../../core/db/tables.ts' {
  interface Tables {
    rooms: RoomTable;
    room_bases: RoomBaseTable;
    room_commands: RoomCommandTable;
    element_leases: ElementLeaseTable;
    editor_clients: EditorClientTable;
    elements: ElementTable;
  }
}
