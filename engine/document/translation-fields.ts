import { z } from 'zod';
import { html } from './fields.ts';
import { canonicalTag, MAX_LANGUAGES } from './languages.ts';

/** Maximum length of a translation, which is that of the longest text. */
export const MAX_TRANSLATION = 200_000;
/** Maximum number of translations of one element, or of a space itself. */
const MAX_TRANSLATIONS = 1000;

/** A BCP 47 language tag in canonical form. */
export const languageTag = z
  .string()
  .refine((tag) => canonicalTag(tag) !== undefined, 'Use a language tag such as en or pt-BR.')
  .overwrite((tag) => canonicalTag(tag) ?? tag);

export const translationSchema = z.object({
  text: html(MAX_TRANSLATION).describe('Translated text; HTML if the source is.'),
  source: z
    .string()
    .regex(/^[0-9a-f]{16}$/, 'Use the hash of the source text.')
    .describe(
      'Hash of the source text (FNV-1a, 64 bits, of its UTF-16 code units, low byte first, hexadecimal): if it differs, the translation is outdated.',
    ),
  draft: z.literal(true).optional().describe('Whether a machine wrote it and nobody has confirmed it.'),
});
export type Translation = z.output<typeof translationSchema>;

/** Path of a text in an element or a space, such as `config.title`. */
const PATH = /^[a-z0-9_]+(?:\.[a-z0-9_]+){0,6}$/;

/** The language and path of a key, such as `nl:config.title`; null for a malformed one. */
export function partsOfKey(key: string): { language: string; path: string } | null {
  const at = key.indexOf(':');
  const [language, path] = [key.slice(0, at), key.slice(at + 1)];
  return at > 0 && canonicalTag(language) === language && PATH.test(path) && !/(?:^|\.)__proto__(?:$|\.)/.test(path)
    ? { language, path }
    : null;
}

export const keyOf = (language: string, path: string): string => `${language}:${path}`;

/** Translations of an element, or of a space itself, by language and path. */
export const translationsSchema = z
  .record(
    z.string().refine((key) => partsOfKey(key) !== null, 'Use a language and a path, such as nl:config.title.'),
    translationSchema,
  )
  .refine((all) => Object.keys(all).length <= MAX_TRANSLATIONS, `Use at most ${MAX_TRANSLATIONS} translations.`)
  .refine(
    (all) => new Set(Object.keys(all).map((key) => key.split(':')[0])).size <= MAX_LANGUAGES,
    `Use at most ${MAX_LANGUAGES} languages.`,
  );
export type Translations = z.output<typeof translationsSchema>;

/** Fields of the translations of an element. Left out of documents without translations. */
export const translatedFields = {
  translations: translationsSchema
    .optional()
    .describe('Translations of its texts by language and path, such as `nl:config.title`; null removes one.'),
};

/** Language settings of a space. Left out of documents that don't use them. */
export const languageFields = {
  language: languageTag.optional().describe('Main language, in which the texts are written, as BCP 47 tag.'),
  languages: z
    .array(languageTag)
    .max(MAX_LANGUAGES, `Use at most ${MAX_LANGUAGES} languages.`)
    .refine((tags) => new Set(tags).size === tags.length, 'Name each language once.')
    .optional()
    .describe('Further languages offered to visitors, as BCP 47 tags.'),
  ...translatedFields,
};

/** Translations of the texts of something other than a space, by language and field. */
export const textTranslationsSchema = z
  .record(z.string(), z.record(z.string(), translationSchema))
  .describe('Translations of its texts by language and field.');
export type TextTranslations = Record<string, Record<string, Translation>>;

/** Editable translations of some fields. @param fields schema of each text */
export const textTranslationsOf = <F extends string>(fields: Record<F, z.ZodType<string>>) =>
  z
    .record(
      languageTag,
      z.strictObject(
        Object.fromEntries(
          Object.entries<z.ZodType<string>>(fields).map(([name, text]) => [
            name,
            translationSchema.extend({ text }).optional(),
          ]),
        ) as Record<F, z.ZodOptional<typeof translationSchema>>,
      ),
    )
    .refine((all) => Object.keys(all).length <= MAX_LANGUAGES, `Use at most ${MAX_LANGUAGES} languages.`);

/** The translation of a field that visitors see; undefined for none. Outdated ones are shown, drafts are not. */
export function shownTranslation(
  translations: { readonly [language: string]: { readonly [field: string]: Translation | undefined } },
  language: string | undefined,
  field: string,
): string | undefined {
  const own = language === undefined ? undefined : translations[language]?.[field];
  return own && !own.draft ? own.text : undefined;
}
