import { z } from 'zod';
import { id } from '../../../engine/document/fields.ts';

/** What a visitor shared, as those who may remove it see it. */
export const shareSchema = z.object({
  id: id.describe('Id of the message.'),
  feed: z
    .object({ id: id.describe('Id of the feed.'), name: z.string().describe('Its name.') })
    .describe('Feed that it stands in.'),
  name: z.string().describe('Name that the visitor gave.'),
  message: z.string().describe('What they wrote; plain text.'),
  file_url: z.string().describe('Their image; empty where there is none.'),
  created_at: z.string().describe('When they shared it, UTC.'),
});
export type Share = z.output<typeof shareSchema>;
