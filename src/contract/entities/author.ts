import { z } from 'zod';
import { id } from '../../../engine/document/fields.ts';

/** The author of a change, in lists. */
export const authorSchema = z.object({
  id: id.nullable().describe('Id of the user; null once they have been removed.'),
  name: z.string().describe('Name of the user.'),
});
export type Author = z.output<typeof authorSchema>;

/** Name of the last editor, in lists. */
export const editorName = z
  .string()
  .nullable()
  .describe('Who changed it last; null for the server, and where it is no longer known.');
