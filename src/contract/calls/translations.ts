import { z } from 'zod';
import { languageTag } from '../../../engine/document/translation-fields.ts';
import { call } from '../call.ts';
import {
  stamp,
  TRANSLATION_PARTS,
  translationDraftsSchema,
  translationPlanSchema,
  translationTestSchema,
  translationWebhookSchema,
} from '../entities.ts';
import { idParams } from '../inputs.ts';

const language = languageTag.describe('Language of the translations, as BCP 47 tag.');

/** Options of an export of translations. */
export const translationExport = z.strictObject({
  language,
  format: z.enum(['xliff', 'csv']).default('xliff').describe('Format of the file.'),
});

/** Options of an import of translations. */
export const translationImport = z.object({
  language,
  apply: z.enum(['0', '1']).default('0').describe('Set to 1 to set them; 0 only returns the plan.'),
});

const PART = TRANSLATION_PARTS.join('|');

/** Options of an export of the texts of a space. */
const spaceExport = translationExport.extend({
  with: z
    .string()
    .regex(new RegExp(`^(?:(?:${PART})(?:,(?:${PART}))*)?$`), `Use some of ${TRANSLATION_PARTS.join(', ')}.`)
    .default('structures,template')
    .describe(
      'Texts besides those of the space, comma-separated: `structures` that show it, its `template`, and the `files` that it uses. Those that the caller may not see are left out.',
    ),
});

/** Translations of the texts of spaces, in files for translators. */
export const translations = {
  export: call({
    method: 'GET',
    path: '/backend/rooms/:id/translations',
    summary: 'Exports the texts of a space with their translations, as XLIFF 2.1 or CSV.',
    access: 'rooms.view_any',
    params: idParams,
    query: spaceExport,
    output: z.string(),
    download: 'application/xliff+xml; charset=utf-8',
  }),
  import: call({
    method: 'POST',
    path: '/backend/rooms/:id/translations',
    summary:
      'Compares a file of translations (XLIFF 2, CSV or XLSX) with a space, and sets those that differ, all or none. Texts that have changed since the export are refused, like those of structures, templates and files that the caller may not change; texts without a translation stay as they are.',
    access: 'rooms.update',
    params: idParams,
    body: translationImport,
    files: ['file'],
    output: translationPlanSchema,
    errors: ['bad_file', 'timeout', 'stale'],
  }),
  draft: call({
    method: 'POST',
    path: '/backend/rooms/:id/translations/draft',
    summary:
      "Translates texts with the organization's translation webhook, and stores them as drafts. Visitors don't see drafts until someone confirms them. If the webhook fails, nothing changes.",
    access: 'rooms.update',
    params: idParams,
    body: z.strictObject({
      language,
      outdated: z.boolean().default(false).describe('Whether to replace outdated translations, too.'),
      apply: z.boolean().default(true).describe('Set to false to only count the texts.'),
    }),
    output: translationDraftsSchema,
    errors: ['invalid', 'not_set_up', 'provider_failed', 'stale', 'too_many'],
    timeout: 120_000,
  }),
};

/** The organization's machine translation. */
export const translationWebhook = {
  read: call({
    method: 'GET',
    path: '/backend/translation-webhook',
    summary: "Returns the organization's translation webhook, without its secret.",
    access: 'settings.view_any',
    output: translationWebhookSchema,
  }),
  update: call({
    method: 'PUT',
    edits: { read: 'translationWebhook.read' },
    path: '/backend/translation-webhook',
    summary: 'Sets or removes the URL of the translation webhook. A new webhook gets a signing secret.',
    access: 'settings.update',
    body: z.strictObject({ url: translationWebhookSchema.shape.url.optional(), updated_at: stamp.optional() }),
    output: translationWebhookSchema.extend({
      secret: z.string().nullable().describe('Signing secret of a new webhook, returned once; otherwise null.'),
    }),
    done: 'The settings have been saved.',
  }),
  rotate: call({
    method: 'POST',
    path: '/backend/translation-webhook/secret',
    summary: 'Replaces the signing secret of the translation webhook and returns it once.',
    access: 'settings.update',
    output: z.object({ secret: z.string().describe('The new signing secret.') }),
    errors: ['not_set_up'],
  }),
  test: call({
    method: 'POST',
    path: '/backend/translation-webhook/test',
    summary: 'Sends a text to the translation webhook and checks its response.',
    access: 'settings.update',
    output: translationTestSchema,
    errors: ['not_set_up'],
    timeout: 30_000,
  }),
};
