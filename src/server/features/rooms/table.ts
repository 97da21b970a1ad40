import type { ColumnType, Generated } from 'kysely';
import type { AuthorName, Flag, Id, Json, Owned, Stamp } from '../../core/db/column-types.ts';

export interface RoomTable extends Owned {
  version: number;
  name: string;
  title: string;
  description: string;
  template_id: number | null;
  /** Null for a space in no folder. */
  folder_id: Generated<number | null>;
  width: number;
  height: number;
  depth: number;
  config: Json;
  angle: Json | null;
  /** Content version of the room and its elements: equal versions have equal content. */
  revision: Generated<number>;
  /** Version of data that appears in all of the organization's spaces: files and live streams. */
  touches: Generated<number>;
  /** Sequence number of the last log entry; 0 if there is none. */
  seq: Generated<number>;
  /** Space that a proposal changes, whose content this one is; null for spaces of their own. */
  branch_of: Generated<number | null>;
}

/** A room's document before the first retained entry of its log, from which later versions can be reconstructed. */
export interface RoomBaseTable {
  id: Id;
  room_id: number;
  organization_id: number;
  /** Sequence number of the log entry it includes. */
  seq: number;
  /** The document as JSON; compressed if it is large. */
  content: string;
}

/** A room's log of changes, in order; each entry is atomic. */
export interface RoomCommandTable {
  id: Id;
  room_id: number;
  organization_id: number;
  /** Sequence number in the room's log, from 1. */
  seq: number;
  /** Client that sent it, such as an open editor; null if unknown. */
  client: string | null;
  /** The client's own number of the change, which makes retries idempotent. */
  mutation: number | null;
  origin: string;
  user_id: number | null;
  author_name: AuthorName;
  at: Stamp;
  commands: Json;
  /** Inverse commands, in the order of the commands. */
  inverses: Json;
  /** Ids assigned to new elements, by their temporary ids. */
  ids: Json;
}

/** Element ids reserved for an open editor. */
export interface ElementLeaseTable {
  id: Id;
  room_id: number;
  organization_id: number;
  client: string;
  first: number;
  last: number;
  at: Stamp;
}

/** The user who owns a client number in a room. */
export interface EditorClientTable {
  id: Id;
  room_id: number;
  organization_id: number;
  client: string;
  /** Null once the user is deleted: the number then belongs to no one. */
  user_id: number | null;
  /** Date of last use. */
  at: Stamp;
}

export interface ElementTable extends Owned {
  room_id: number;
  parent_element_id: number | null;
  /** Sort key among siblings, compared bytewise. */
  index: string;
  element: string;
  name: string;
  hidden: Flag;
  file_id: number | null;
  /** Block that a group is a place of, and the version that it contains. */
  block_id: ColumnType<number | null, number | null | undefined>;
  block_version: ColumnType<number | null, number | null | undefined>;
  /** The remaining fields of the element, config included. */
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
