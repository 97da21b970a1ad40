import { z } from 'zod';
import { line } from '../../../engine/document/fields.ts';
import { en, type TextKey } from '../viewer-texts/en.ts';
import { MAX_TEXT_LENGTH } from '../viewer-texts/limits.ts';
import { type TextPageKey, textPageEn } from '../viewer-texts/text-page.ts';

/** Most characters of all texts of an organization: every page that shows a room carries them. */
const MAX_CHARACTERS = 20_000;

type OwnTextKey = TextKey | TextPageKey;
const OWN_TEXT_KEYS = Object.keys({ ...en, ...textPageEn }) as [OwnTextKey, ...OwnTextKey[]];
const texts = () => z.partialRecord(z.enum(OWN_TEXT_KEYS), line(MAX_TEXT_LENGTH));

/** An organization's own words in place of the viewer's and of text pages', by language and key; plain text, `{name}` is filled in. */
export const ownTextsSchema = z
  .strictObject({
    en: texts().default({}).describe('In English.'),
    nl: texts().default({}).describe('In Dutch.'),
  })
  .refine(
    (all) =>
      Object.values(all)
        .flatMap((each) => Object.values(each))
        .join('').length <= MAX_CHARACTERS,
    {
      error: `Use at most ${MAX_CHARACTERS} characters in all texts together.`,
    },
  );
export type OwnTexts = z.output<typeof ownTextsSchema>;
