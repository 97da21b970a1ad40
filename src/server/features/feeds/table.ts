import type { ColumnType, Generated } from 'kysely';
import type { Id, Json, Owned, Stamp } from '../../core/db/column-types.ts';

export interface FeedTable extends Owned {
  name: string;
  type: string;
  config: Json;
  /** Token of the platform, sealed with the server's own key; null where there is none. */
  secret: string | null;
  /** Stamp until which `secret` works. */
  secret_expires_at: Stamp | null;
  /** SHA-256 of the state that a redirect of the platform must bring back; null when none is under way. */
  connect_hash: string | null;
  connect_expires_at: Stamp | null;
  fetched_at: Stamp | null;
  problem: string;
  /** Which of what visitors share waits, and who is told of it. */
  moderation: ColumnType<Json, Json | undefined, Json>;
  /** When somebody was last told that something waits. */
  notified_at: ColumnType<Stamp | null, Stamp | null | undefined, Stamp | null>;
}

export interface FeedItemTable {
  id: Id;
  feed_id: number;
  /** Id of the item at its source. */
  external_id: string;
  name: string;
  message: string;
  /** Its picture where it is one of our own. */
  media_id: number | null;
  /** Its picture where it is at its source. */
  file_url: string;
  width: number | null;
  height: number | null;
  link: string;
  created_at: Stamp;
  /** `shown`, `hidden`, or `waiting` for somebody's approval. */
  state: Generated<string>;
  /** Why it waits or waited: `approval`, `word` or `proof`; null where it never did. */
  held_because: ColumnType<string | null, string | null | undefined, string | null>;
  /** Blocked word that it has. */
  held_word: ColumnType<string | null, string | null | undefined, string | null>;
  /** When it was removed; null while it is there. */
  removed_at: ColumnType<Stamp | null, Stamp | null | undefined, Stamp | null>;
}

declare module '../../core/db/tables.ts' {
  interface Tables {
    feeds: FeedTable;
    feed_items: FeedItemTable;
  }
}
