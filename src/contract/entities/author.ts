import { z } from 'zod';
import { id } from '../../../engine/document/fields.ts';

/** The author of a change, in lists. */
export const authorSchema = z.object({
  id: id.nullable().describe('User ID; null if the user was removed.'),
  name: z.string().describe('User name.'),
});
export type Author = z.output<typeof authorSchema>;

/** Name of the last editor, in lists. */
export const editorName = z
  .string()
  .nullable()
  .describe('Name of the last editor; null for the server, or if unknown.');
