import { z } from 'zod';

/** Column types of an access token table. */
export const COLUMN_ROLES = ['token', 'name', 'first_name', 'last_name', 'email'] as const;

/** The first rows of an access token table, and how it is parsed. */
export const importTableSchema = z.object({
  columns: z
    .array(
      z.object({
        number: z.int().describe('Its number, from 1.'),
        name: z.string().nullable().describe('Its name in the first line; null where that is empty.'),
        role: z.enum(COLUMN_ROLES).nullable().describe('What it holds by its name; null where that is not known.'),
      }),
    )
    .describe('Its columns, at most 50.'),
  rows: z
    .array(z.object({ line: z.int().describe('Line of the file.'), cells: z.array(z.string()).describe('Its cells.') }))
    .describe('Its first rows.'),
  column: z.int().nullable().describe('Number of the column that holds the tokens; null where that is not certain.'),
  heading: z.boolean().nullable().describe('Whether the first row is a heading; null where that is not certain.'),
});
export type ImportTable = z.output<typeof importTableSchema>;
