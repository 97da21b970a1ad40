import type { Generated } from 'kysely';
import type { AuthorName, Flag, Json, Owned, Stamp } from '../../core/db/column-types.ts';

/**
 * Publications of spaces, oldest first: the last one applies, unless a scheduled one is due. A scheduled publication
 * gets a new id once it is recorded, so that ids reflect the order in which publications took effect.
 */
export interface PublicationTable extends Owned {
  room_id: number;
  /** The published revision; null if the space was unpublished. */
  revision_id: number | null;
  user_id: number | null;
  author_name: AuthorName;
  /** Time at which it takes effect. */
  at: Stamp;
  /** IANA time zone of its schedule; null if it was published immediately. */
  zone: string | null;
  /** Whether it is scheduled and not recorded yet. A space has at most one of these. */
  is_scheduled: Generated<Flag>;
  /** References of the revision, which therefore count as in use. */
  template_id: number | null;
  file_ids: Json;
}

declare module '../../core/db/tables.ts' {
  interface Tables {
    publications: PublicationTable;
  }
}
