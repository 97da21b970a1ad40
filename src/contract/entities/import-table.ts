import { z } from 'zod';

/** Column types of an access token table. */
export const COLUMN_ROLES = ['token', 'name', 'first_name', 'last_name', 'email', 'group', 'note'] as const;

/** The first rows of an access token table, and how it is parsed. */
export const importTableSchema = z.object({
  columns: z
    .array(
      z.object({
        number: z.int().describe('Column number, starting at 1.'),
        name: z.string().nullable().describe('Column heading from the first line; null if empty.'),
        role: z.enum(COLUMN_ROLES).nullable().describe('Content type detected from the heading; null if unknown.'),
      }),
    )
    .describe('Columns, at most 50.'),
  rows: z
    .array(
      z.object({
        line: z.int().describe('Line number in the file.'),
        cells: z.array(z.string()).describe('Cell values.'),
      }),
    )
    .describe('First rows of the file.'),
  column: z.int().nullable().describe('Number of the token column; null if ambiguous.'),
  heading: z.boolean().nullable().describe('Whether the first row is a heading; null if ambiguous.'),
});
export type ImportTable = z.output<typeof importTableSchema>;
