import type { Generated } from 'kysely';
import type { Owned, Stamp } from '../../core/db/column-types.ts';
import type { Queued } from '../../core/jobs/queue.ts';

/** The drawn or chosen poster of a space, a template, a structure or a model; exactly one of the four ids is set. */
export interface PosterTable extends Owned {
  room_id: number | null;
  template_id: number | null;
  endpoint_id: number | null;
  /** A model of the media library; its small image is a turntable sheet. */
  media_id: number | null;
  /** `drawn` or `chosen`. */
  kind: string;
  /** Secret part of its URLs. */
  token: string;
  /** Its stored images; null if they are still in this row. */
  file_id: number | null;
  /** Images as base64, from versions before 0.13.0; empty for images in file storage. */
  small: string;
  large: string;
  /** Version of the space or template at the time of drawing; null if unknown. */
  version: string | null;
}

/** Poster images in file storage, small and large together, by content. */
export interface PosterFileTable extends Owned {
  /** SHA-256 of both, hexadecimal. */
  hash: string;
  bytes: number;
  /** Time until which unused images are kept. */
  needed_until: Stamp;
}

/** A planned, running or failed drawing. Exactly one of the two ids is set. */
export interface PosterDrawingTable extends Owned, Pick<Queued, 'next_at'> {
  room_id: number | null;
  template_id: number | null;
  /** Version to draw. */
  version: string;
  /** Number of failed attempts to draw it. */
  attempts: Generated<number>;
}

declare module '../../core/db/tables.ts' {
  interface Tables {
    posters: PosterTable;
    poster_files: PosterFileTable;
    poster_drawings: PosterDrawingTable;
  }
}
