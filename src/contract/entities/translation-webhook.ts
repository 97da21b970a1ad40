import { z } from 'zod';
import { id } from '../../../engine/document/fields.ts';
import { stamp } from './stamp.ts';
import { refusedTranslationSchema } from './translation-plan.ts';

/** The organization's machine translation: a webhook that receives texts and returns them translated. */
export const translationWebhookSchema = z.object({
  id: id.describe('Organization ID.'),
  url: z
    .url({ protocol: /^https?$/, error: 'Use a URL such as https://example.com/translate.' })
    .max(2000)
    .nullable()
    .describe('URL that receives the texts; null for none. It must be on the public internet.'),
  updated_at: stamp,
});
export type TranslationWebhook = z.output<typeof translationWebhookSchema>;

/** Result of a test of the translation webhook. */
export const translationTestSchema = z.object({
  works: z.boolean().describe('Whether the webhook returned a translation.'),
  text: z.string().describe('Result of the test.'),
});

/** Result of drafting by machine translation. */
export const translationDraftsSchema = z.object({
  refused: z.array(refusedTranslationSchema).describe("Returned texts that don't fit their fields."),
  counts: z.object({
    drafted: z.int().describe('Number of new drafts.'),
    refused: z.int().describe("Number of returned texts that don't fit their fields."),
    left: z
      .int()
      .describe(
        'Number of texts still without a translation: one call drafts a limited number, and skips texts that change in the meantime.',
      ),
  }),
  seq: z.int().nullable().describe("Sequence number of the change in the space's log; null if nothing was set."),
});
export type TranslationDrafts = z.output<typeof translationDraftsSchema>;
