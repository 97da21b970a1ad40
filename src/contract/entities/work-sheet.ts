import { z } from 'zod';
import { fileReference } from '../../../engine/document/fields.ts';

const centimeters = (what: string) => z.number().nullable().describe(`${what} in centimeters; null if unknown.`);

/** A work of a spreadsheet. */
export const sheetWorkSchema = z.object({
  row: z.int().describe('Row of the sheet.'),
  image: z.string().describe('Image as named in the sheet.'),
  file: fileReference.nullable().describe('Image in the media library; null if it is missing.'),
  title: z.string().describe('Title.'),
  author: z.string().describe('Artist.'),
  date: z.string().describe('Date.'),
  text: z.string().describe('Text.'),
  width: centimeters('Width'),
  height: centimeters('Height'),
});
export type SheetWork = z.output<typeof sheetWorkSchema>;

/** Works read from a spreadsheet, and problems with its rows. */
export const workSheetSchema = z.object({
  works: z.array(sheetWorkSchema).describe('Works in order, without refused rows.'),
  notes: z
    .array(
      z.object({
        row: z.int().describe('Row of the sheet.'),
        kind: z.enum(['refused', 'missing', 'note']).describe('Whether the row is refused, or its image is missing.'),
        text: z.string().describe('The problem.'),
      }),
    )
    .describe('Problems in the order of the rows.'),
});
export type WorkSheet = z.output<typeof workSheetSchema>;
