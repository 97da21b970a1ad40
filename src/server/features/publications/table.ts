import type { Generated } from 'kysely';
import type { AuthorName, Flag, Json, Owned, Stamp } from '../../core/db/column-types.ts';

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

declare module '../../core/db/tables.ts' {
  interface Tables {
    publications: PublicationTable;
  }
}
