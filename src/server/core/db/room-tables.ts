import type { Generated } from 'kysely';
import type { AuthorName, Flag, Id, Json, Owned, Stamp } from './column-types.ts';

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

/** Revisions of spaces. */
export interface RevisionTable extends Owned {
  room_id: number;
  user_id: number | null;
  author_name: AuthorName;
  kind: string;
  name: string;
  /** SHA-256 of the document, hexadecimal: the same content is not kept twice in a row. */
  hash: string;
  /** Number of elements. */
  elements: number;
  /** The document as JSON; packed where it is large. */
  content: string;
}

/**
 * Publications of spaces, oldest first: the last one counts, but for one that is scheduled and whose time has come. What
 * is scheduled gets a new id once it has been done, so that ids tell in which order publications took effect.
 */
export interface PublicationTable extends Owned {
  room_id: number;
  /** The revision that visitors see since; null where the publication was taken back. */
  revision_id: number | null;
  user_id: number | null;
  author_name: AuthorName;
  /** From when it counts. */
  at: Stamp;
  /** IANA time zone that it was scheduled in; null where it was done at once. */
  zone: string | null;
  /** Whether it was scheduled and has not been done yet. A space has one of these at most. */
  is_scheduled: Generated<Flag>;
  /** What the revision refers to, which therefore is in use. */
  template_id: number | null;
  file_ids: Json;
}

/** What stands for a space, a template, a structure or a model: drawn, or chosen. One of the four is named. */
export interface PosterTable extends Owned {
  room_id: number | null;
  template_id: number | null;
  endpoint_id: number | null;
  /** A model of the media library, whose small image is a sheet of views. */
  media_id: number | null;
  /** `drawn` or `chosen`. */
  kind: string;
  /** What its addresses are made of: nobody can guess it. */
  token: string;
  /** Where its images stand in the storage of files; null where they are still in this row. */
  file_id: number | null;
  /** Images as base64, as versions before 0.13.0 kept them; empty for those in the storage of files. */
  small: string;
  large: string;
  /** Version of the space or template that it was drawn of; null where that is not known. */
  version: string | null;
}

/** What is being drawn, or could not be. One of the two is named. */
export interface PosterDrawingTable extends Owned {
  room_id: number | null;
  template_id: number | null;
  /** Version that the attempts are of. */
  version: string;
  /** How often it could not be drawn. */
  attempts: Generated<number>;
  /** Until when a server has it for itself; null where none draws it. */
  taken_till: Stamp | null;
  /** When it is tried again; null for never, until there is another version. */
  next_at: Stamp | null;
}

/** Images of posters in the storage of files, small and large together, by their content. */
export interface PosterFileTable extends Owned {
  /** SHA-256 of both, hexadecimal. */
  hash: string;
  bytes: number;
  /** Until when they stay even if no poster uses them. */
  needed_until: Stamp;
}
