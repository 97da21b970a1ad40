import { z } from 'zod';
import { fileReference } from '../../../engine/document/fields.ts';
import { type TextTranslations, translationsSchema } from '../../../engine/document/translation-fields.ts';
import { captionOf, captionTranslations, type FileTexts } from './media-texts.ts';

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
  alt: z.string().optional().describe('Alternative text of the image.'),
  long_description: z.string().optional().describe('Detailed description of the image.'),
  translations: translationsSchema.optional(),
  width: centimeters('Width'),
  height: centimeters('Height'),
});
export type SheetWork = z.output<typeof sheetWorkSchema>;

/** A work with the texts of its file where the sheet has none, and with the translations of all texts that are the file's. */
export function withFileTexts(work: SheetWork, file: FileTexts & { translations: TextTranslations }): SheetWork {
  const caption = captionOf(file);
  const [title = '', author = '', date = '', text = ''] = (['title', 'author', 'date', 'text'] as const).map(
    (name) => work[name] || caption[name],
  );
  const { alt, long_description } = caption;
  const texts: Record<string, string | undefined> = { title, text, alt, long_description };
  const translations = captionTranslations(file.translations, (path) => {
    const name = path.replace('config.', '');
    return texts[name] !== undefined && texts[name] === caption[name];
  });
  return {
    ...{ ...work, title, author, date, text },
    ...(alt && { alt }),
    ...(long_description && { long_description }),
    ...(Object.keys(translations).length > 0 && { translations }),
  };
}

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
