import { z } from 'zod';
import { line, text } from '../../../engine/document/fields.ts';
import {
  keyOf,
  type TextTranslations,
  type Translation,
  type Translations,
} from '../../../engine/document/translation-fields.ts';

/** Maximum keywords of a file. */
export const MAX_KEYWORDS = 100;

/** Descriptive texts of a file, editable; for images, read from their metadata on upload. */
export const mediaTextsSchema = z.strictObject({
  title: line().describe('Title of the depicted or recorded work.'),
  description: text(10_000).describe('Description, proposed as the text beside the image.'),
  creator: line().describe('Creators, separated by commas.'),
  credit: line().describe('Credit line.'),
  rights: text(2000).describe('Copyright.'),
  date: line(60).describe('Creation date, such as 1912 or 1912-05-01.'),
  alt: line(1000).describe('Alternative text for screen readers.'),
  long_description: text(10_000).describe("Detailed description for people who can't see it."),
  transcript: text(50_000).describe('Transcript of speech and other audio.'),
  keywords: z
    .array(line(100).min(1, 'Enter a keyword.'))
    .max(MAX_KEYWORDS, `Use at most ${MAX_KEYWORDS} keywords.`)
    .describe('Keywords.'),
});
export type MediaTexts = z.output<typeof mediaTextsSchema>;

/** Texts of a file that can be translated. */
export const translatedMediaTexts = mediaTextsSchema
  .pick({ title: true, description: true, alt: true, long_description: true, transcript: true })
  .partial();

/** Settings of an element that come from translated texts of its file. */
const SETTINGS = {
  title: 'title',
  description: 'text',
  alt: 'alt',
  long_description: 'long_description',
  transcript: 'transcript',
} as const satisfies Record<keyof z.output<typeof translatedMediaTexts>, string>;

/**
 * Translations of the settings that come from the texts of a file, by language and path as in elements.
 * @param has whether the element takes the text at this path from the file
 */
export const captionTranslations = (translations: TextTranslations, has: (path: string) => boolean): Translations =>
  Object.fromEntries(
    Object.entries(translations).flatMap(([language, own]) =>
      Object.entries(SETTINGS).flatMap(([field, name]): [string, Translation][] => {
        const [translation, path] = [own[field], `config.${name}`];
        return translation && has(path) ? [[keyOf(language, path), translation]] : [];
      }),
    ),
  );

/** Settings of an element from the texts of its file, with their translations. @param names settings that it takes */
export function settingsOfFile(
  file: FileTexts & { translations: TextTranslations },
  names: readonly string[],
): Record<string, unknown> {
  const texts = Object.fromEntries(Object.entries(captionOf(file)).filter(([name]) => names.includes(name)));
  const translations = captionTranslations(file.translations, (path) => path.replace('config.', '') in texts);
  return { ...texts, ...(Object.keys(translations).length > 0 && { translations }) };
}

export const NO_TEXTS: MediaTexts = {
  ...{ title: '', description: '', creator: '', credit: '', rights: '', date: '', alt: '' },
  ...{ long_description: '', transcript: '' },
  keywords: [],
};

/** Texts of a file; lists leave the transcript out. */
export type FileTexts = Omit<MediaTexts, 'transcript'> & Partial<Pick<MediaTexts, 'transcript'>>;

/** Settings of an element that come from the texts of its file; empty ones are left out. Types have some of them. */
export function captionOf(texts: FileTexts): Record<string, string> {
  const { title, creator, date, description, alt, long_description, transcript = '' } = texts;
  const settings = {
    ...{ title, author: creator, text: description, alt, long_description, transcript },
    // Cameras write a date into every photo; it belongs to a caption only beside a title or a creator.
    date: title || creator ? date : '',
  };
  return Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== ''));
}
