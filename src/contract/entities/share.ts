import { z } from 'zod';
import { id } from '../../../engine/document/fields.ts';

/** States of a visitor's submission. */
export const SHARE_STATES = ['waiting', 'shown', 'hidden', 'removed'] as const;
export type ShareState = (typeof SHARE_STATES)[number];

/** A visitor's submission, for moderators. */
export const shareSchema = z.object({
  id: id.describe('Id of the message.'),
  feed: z
    .object({ id: id.describe('Id of the feed.'), name: z.string().describe('Its name.') })
    .describe('Feed that it stands in.'),
  name: z.string().describe('Name that the visitor gave.'),
  message: z.string().describe('What they wrote; plain text.'),
  file_url: z.string().describe('Their image; empty where there is none.'),
  created_at: z.string().describe('When they shared it, UTC.'),
  state: z
    .enum(SHARE_STATES)
    .describe(
      'Whether visitors see it: it waits for approval, is shown, hidden, or removed and restorable for 30 days.',
    ),
  held_because: z
    .enum(['approval', 'word', 'proof'])
    .nullable()
    .describe('Why it had to wait: for approval of all, a blocked word, or no proof of work; null where it did not.'),
  held_word: z.string().nullable().describe('The blocked word; null for none.'),
});
export type Share = z.output<typeof shareSchema>;
