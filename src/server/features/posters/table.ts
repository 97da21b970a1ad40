import type { Generated } from 'kysely';
import type { Owned, Stamp } from '../../core/db/column-types.ts';

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

/** Images of posters in the storage of files, small and large together, by their content. */
export interface PosterFileTable extends Owned {
  /** SHA-256 of both, hexadecimal. */
  hash: string;
  bytes: number;
  /** Until when they stay even if no poster uses them. */
  needed_until: Stamp;
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

declare module '../../core/db/tables.ts' {
  interface Tables {
    posters: PosterTable;
    poster_files: PosterFileTable;
    poster_drawings: PosterDrawingTable;
  }
}
