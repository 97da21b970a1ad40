/** Field that the address of a feed comes in, and that is named when something is wrong with the feed. */
export const FEED_FIELD = 'config.feed_url';
