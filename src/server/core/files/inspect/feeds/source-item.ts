import type { Insertable } from 'kysely';
import type { FeedItemTable } from '../../../db/tables.ts';

/** Items that visitors get, and that are kept of a source elsewhere. */
export const MOST_ITEMS = 100;

/** An item as its source gives it. */
export type SourceItem = Omit<Insertable<FeedItemTable>, 'id' | 'feed_id' | 'media_id'>;

/** Field that the address of a feed comes in, and that is named when something is wrong with the feed. */
export const FEED_FIELD = 'config.feed_url';
