import { z } from 'zod';
import { line } from '../../../engine/document/fields.ts';
import { en, type TextKey } from '../viewer-texts/en.ts';
import { MAX_TEXT_LENGTH } from '../viewer-texts/limits.ts';

/** Maximum total length of an organization's texts, in characters: every room page contains them. */
const MAX_CHARACTERS = 20_000;

const OWN_TEXT_KEYS = ['accessEndsInMinute', ...(Object.keys(en) as TextKey[])] as const;
/** Texts that replace the product's, by key; one with plural forms is replaced for all numbers. */
export const textsByKey = z.partialRecord(z.enum(OWN_TEXT_KEYS), line(MAX_TEXT_LENGTH));

/**
 * An organization's overrides of viewer and text page texts, by language and key; plain text with `{name}` placeholders.
 */
export const ownTextsSchema = z
  .strictObject({
    en: textsByKey.default({}).describe('Texts in English.'),
    de: textsByKey.default({}).describe('Texts in German.'),
    fr: textsByKey.default({}).describe('Texts in French.'),
    nl: textsByKey.default({}).describe('Texts in Dutch.'),
    es: textsByKey.default({}).describe('Texts in Spanish.'),
    it: textsByKey.default({}).describe('Texts in Italian.'),
    pt: textsByKey.default({}).describe('Texts in Portuguese.'),
    pl: textsByKey.default({}).describe('Texts in Polish.'),
    ja: textsByKey.default({}).describe('Texts in Japanese.'),
    ar: textsByKey.default({}).describe('Texts in Arabic.'),
  })
  .refine(
    (all) =>
      Object.values(all)
        .flatMap((each) => Object.values(each))
        .join('').length <= MAX_CHARACTERS,
    {
      error: `Use at most ${MAX_CHARACTERS} characters in all texts combined.`,
    },
  );
export type OwnTexts = z.output<typeof ownTextsSchema>;
