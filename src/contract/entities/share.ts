import { z } from 'zod';
import { id } from '../../../engine/document/fields.ts';

/** States of a visitor's submission. */
export const SHARE_STATES = ['waiting', 'shown', 'hidden', 'removed'] as const;
export type ShareState = (typeof SHARE_STATES)[number];

/** A visitor's submission, for moderators. */
export const shareSchema = z.object({
  id: id.describe('Message ID.'),
  feed: z
    .object({ id: id.describe('Feed ID.'), name: z.string().describe('Feed name.') })
    .describe('Feed of the message.'),
  name: z.string().describe('Name entered by the visitor.'),
  message: z.string().describe('Message as plain text.'),
  file_url: z.string().describe('Image URL; empty for none.'),
  created_at: z.string().describe('Time it was shared, in UTC.'),
  state: z
    .enum(SHARE_STATES)
    .describe(
      'State of the message: waiting for approval, shown, hidden, or removed. Removed messages can be restored for 30 days.',
    ),
  held_because: z
    .enum(['approval', 'word', 'proof'])
    .nullable()
    .describe(
      "Why the message needed approval: all messages do, a blocked word, or no proof of work; null if it didn't.",
    ),
  held_word: z.string().nullable().describe('Blocked word; null for none.'),
});
export type Share = z.output<typeof shareSchema>;
