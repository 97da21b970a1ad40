import { z } from 'zod';
import { line } from '../../../engine/document/fields.ts';
import { en, type TextKey } from '../viewer-texts/en.ts';
import { MAX_TEXT_LENGTH } from '../viewer-texts/limits.ts';
import { type TextPageKey, textPageEn } from '../viewer-texts/text-page.ts';

/** Maximum total length of an organization's texts, in characters: every room page contains them. */
const MAX_CHARACTERS = 20_000;

type OwnTextKey = TextKey | TextPageKey;
const OWN_TEXT_KEYS = Object.keys({ ...en, ...textPageEn }) as [OwnTextKey, ...OwnTextKey[]];
/** Texts that replace the product's, by key. */
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
