import type { ColumnType, Generated } from 'kysely';
import type { Id, Json, Owned, Stamp } from '../../core/db/column-types.ts';

export interface FeedTable extends Owned {
  name: string;
  type: string;
  config: Json;
  /** Platform token, sealed with the server's key; null if there is none. */
  secret: string | null;
  /** Stamp at which `secret` expires. */
  secret_expires_at: Stamp | null;
  /** SHA-256 of the state in the current OAuth redirect; null if there is none. */
  connect_hash: string | null;
  connect_expires_at: Stamp | null;
  fetched_at: Stamp | null;
  problem: string;
  /** Which visitor messages need approval, and the notified addresses. */
  moderation: ColumnType<Json, Json | undefined, Json>;
  /** Last notification about waiting items. */
  notified_at: ColumnType<Stamp | null, Stamp | null | undefined, Stamp | null>;
}

export interface FeedItemTable {
  id: Id;
  feed_id: number;
  /** Id of the item at its source. */
  external_id: string;
  name: string;
  message: string;
  /** Id of its image in the media library. */
  media_id: number | null;
  /** URL of its image at the source. */
  file_url: string;
  width: number | null;
  height: number | null;
  link: string;
  created_at: Stamp;
  /** `shown`, `hidden`, or `waiting` for approval. */
  state: Generated<string>;
  /** Why it needed approval: `approval`, `word` or `proof`; null if it didn't. */
  held_because: ColumnType<string | null, string | null | undefined, string | null>;
  /** The blocked word that it contains. */
  held_word: ColumnType<string | null, string | null | undefined, string | null>;
  /** Time of removal; null if it wasn't removed. */
  removed_at: ColumnType<Stamp | null, Stamp | null | undefined, Stamp | null>;
}

declare module '../../core/db/tables.ts' {
  interface Tables {
    feeds: FeedTable;
    feed_items: FeedItemTable;
  }
}
