import { z } from 'zod';
import { id, line } from '../../../engine/document/fields.ts';
import { editorName } from './author.ts';
import { entryPolicies } from './rights.ts';
import { stamp } from './stamp.ts';

/** Sources of a feed's items. */
export const FEED_TYPES = ['instagram', 'picdrop', 'local'] as const;
export type FeedType = (typeof FEED_TYPES)[number];

/** URL of a feed: RSS, Atom or JSON Feed. */
export const feedUrl = z
  .string()
  .trim()
  .max(2000)
  .pipe(z.url({ protocol: /^https?$/, error: 'Enter a URL such as https://www.example.com/feed.xml.' }));

/** Maximum blocked words per feed, and maximum addresses notified of pending items. */
const MAX = { words: 500, addresses: 20 } as const;

/** Moderation of a local feed: which submissions wait for approval, and who is notified. */
export const moderationSchema = z.object({
  hold: z.boolean().describe('Whether all shared messages require approval.'),
  hold_unproven: z
    .boolean()
    .describe(
      'Whether messages without a proof of work require approval, such as those from programs and browsers without JavaScript.',
    ),
  blocked_words: z
    .array(line(80).min(1))
    .max(MAX.words)
    .describe('Blocked words and phrases. Messages containing one require approval. Ignores case and accents.'),
  notify: z
    .array(z.string().trim().toLowerCase().max(254).pipe(z.email('Enter an e-mail address.')))
    .max(MAX.addresses)
    .describe('E-mail addresses notified about messages waiting for approval, at most once every 15 minutes.'),
});
export type Moderation = z.output<typeof moderationSchema>;

/** Default moderation of a feed. */
export const DEFAULT_MODERATION: Moderation = { hold: false, hold_unproven: false, blocked_words: [], notify: [] };

/** A source of images and messages for groups of a space. */
export const feedSchema = z.object({
  id: id.describe('Feed ID.'),
  name: line().min(1, 'Give the feed a name.').describe('Feed name.'),
  type: z.enum(FEED_TYPES).describe("Source of the items. Can't be changed after creation."),
  config: z.object({ feed_url: z.string().describe('URL of the feed (Picdrop); empty for other types.') }),
  is_connected: z.boolean().describe('Whether the feed is connected; false until Instagram grants access.'),
  redirect_url: z
    .string()
    .nullable()
    .describe('URL for granting access, returned once when an unconnected feed is added or saved; null otherwise.'),
  fetched_at: z.string().nullable().describe('Time of the last successful fetch in UTC.'),
  problem: z.string().describe('Reason for failed fetches since then; empty if none failed.'),
  items_count: z.int().describe('Number of items, without removed ones.'),
  waiting_count: z.int().describe('Number of items waiting for approval.'),
  moderation: moderationSchema.describe('Moderation settings of shared messages (Local).'),
  updated_at: stamp,
  edited_by: editorName,
  policies: entryPolicies,
});
export type Feed = z.output<typeof feedSchema>;

/** An image or message in a feed, as sent to visitors. Texts are plain text. */
export const feedItemSchema = z.object({
  id: id.describe('Item ID.'),
  name: z.string().describe('Author or title.'),
  message: z.string().describe('Text.'),
  file_url: z.string().describe('Image URL; empty for none.'),
  width: z.number().nullable().describe('Image width in pixels, if known.'),
  height: z.number().nullable().describe('Image height in pixels, if known.'),
  link: z.string().describe('URL of the linked page; empty for none.'),
  created_at: z.string().describe('Publication time in UTC.'),
});
export type FeedItem = z.output<typeof feedItemSchema>;
