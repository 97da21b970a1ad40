import type { Insertable } from 'kysely';
import type { FeedItemTable } from '../../../base/db/tables.ts';

/** Items that visitors get, and that are kept of a source elsewhere. */
export const MOST_ITEMS = 100;

/** An item as its source gives it. */
export type SourceItem = Omit<Insertable<FeedItemTable>, 'id' | 'feed_id' | 'media_id'>;
