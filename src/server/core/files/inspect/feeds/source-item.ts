/** Maximum number of stored items per external feed. */
export const MAX_ITEMS = 100;

/** An item from its source. */
export interface SourceItem {
  /** Id of the item at its source. */
  external_id: string;
  name: string;
  message: string;
  /** URL of the image at its source. */
  file_url: string;
  width: number | null;
  height: number | null;
  link: string;
  /** Timestamp. */
  created_at: string;
}

/** Form field of a feed's URL; errors about the feed name it. */
export const FEED_FIELD = 'config.feed_url';
