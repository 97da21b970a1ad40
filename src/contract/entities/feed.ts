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
  .pipe(z.url({ protocol: /^https?$/, error: 'Enter an address such as https://www.example.com/feed.xml.' }));

/** Maximum blocked words per feed, and maximum addresses notified of pending items. */
const MAX = { words: 500, addresses: 20 } as const;

/** Moderation of a local feed: which submissions wait for approval, and who is notified. */
export const moderationSchema = z.object({
  hold: z.boolean().describe('Whether all that visitors share waits unseen until somebody approves it.'),
  hold_unproven: z
    .boolean()
    .describe(
      'Whether what comes without a proof of work waits, such as from programs and from browsers without scripts.',
    ),
  blocked_words: z
    .array(line(80).min(1))
    .max(MAX.words)
    .describe('Words and groups of words: what has one of them waits. Case and accents make no difference.'),
  notify: z
    .array(z.string().trim().toLowerCase().max(254).pipe(z.email('Enter an e-mail address.')))
    .max(MAX.addresses)
    .describe('E-mail addresses that are told when something waits, at most once in 15 minutes.'),
});
export type Moderation = z.output<typeof moderationSchema>;

/** Default moderation of a feed. */
export const DEFAULT_MODERATION: Moderation = { hold: false, hold_unproven: false, blocked_words: [], notify: [] };

/** A source of images and messages for groups of a space. */
export const feedSchema = z.object({
  id: id.describe('Id of the feed.'),
  name: line().min(1, 'Give the feed a name.').describe('Name of the feed.'),
  type: z.enum(FEED_TYPES).describe('Where its items come from; it cannot be changed.'),
  config: z.object({ feed_url: z.string().describe('Address of the feed (Picdrop); empty for the others.') }),
  is_connected: z.boolean().describe('False as long as Instagram is not connected.'),
  redirect_url: z
    .string()
    .nullable()
    .describe(
      'Where the browser goes to allow it: given once, by adding or saving a feed that is not connected; else null.',
    ),
  fetched_at: z.string().nullable().describe('When its items were last read, UTC.'),
  problem: z.string().describe('Why they could not be read since then; empty when all is well.'),
  items_count: z.int().describe('Number of its items, without those that were removed.'),
  waiting_count: z.int().describe('Number of those that wait for approval.'),
  moderation: moderationSchema.describe('Which of what visitors share waits (Local).'),
  updated_at: stamp,
  edited_by: editorName,
  policies: entryPolicies,
});
export type Feed = z.output<typeof feedSchema>;

/** An image or message in a feed, as sent to visitors. Texts are plain text. */
export const feedItemSchema = z.object({
  id: id.describe('Id of the item.'),
  name: z.string().describe('Who it is from, or its title.'),
  message: z.string().describe('Its text.'),
  file_url: z.string().describe('Its image; empty for none.'),
  width: z.number().nullable().describe('Width of the image in pixels, where it is known.'),
  height: z.number().nullable().describe('Height of the image in pixels, where it is known.'),
  link: z.string().describe('Page that it leads to; empty for none.'),
  created_at: z.string().describe('When it was published, UTC.'),
});
export type FeedItem = z.output<typeof feedItemSchema>;
