import { z } from 'zod';
import { id } from '../../../engine/document/fields.ts';

/** Maximum texts listed in a plan. */
export const MAX_PLANNED = 500;

/** Where texts that belong to a space are, besides the space itself. */
export const TRANSLATION_PARTS = ['structures', 'template', 'files'] as const;
export type TranslationPart = (typeof TRANSLATION_PARTS)[number];

const place = {
  id: id
    .nullable()
    .describe('ID of the element, or with `part` of the structure, template or file; null for the space itself.'),
  path: z.string().describe('Path of the text, such as `config.title`.'),
  part: z.enum(TRANSLATION_PARTS).optional().describe('Where the text is; left out for texts of the space.'),
};

/** A translation that can't be set. */
export const refusedTranslationSchema = z.object({
  ...place,
  message: z.string().describe('Why it is refused.'),
});

/** What an import of translations changes. */
export const translationPlanSchema = z.object({
  changes: z
    .array(
      z.object({
        ...place,
        before: z.string().nullable().describe('The present translation; null for none.'),
        after: z.string().describe('The new translation.'),
      }),
    )
    .describe(`Translations that differ, at most ${MAX_PLANNED}.`),
  refused: z.array(refusedTranslationSchema).describe(`Translations that can't be set, at most ${MAX_PLANNED}.`),
  counts: z.object({
    changed: z.int().describe('Number of translations that differ.'),
    unchanged: z.int().describe('Number of texts that stay as they are.'),
    refused: z.int().describe("Number of translations that can't be set."),
  }),
  seq: z.int().nullable().describe("Sequence number of the change in the space's log; null if nothing was set."),
});
export type TranslationPlan = z.output<typeof translationPlanSchema>;
