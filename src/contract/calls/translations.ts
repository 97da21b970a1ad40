import { z } from 'zod';
import { languageTag } from '../../../engine/document/translation-fields.ts';
import { call } from '../call.ts';
import { translationPlanSchema } from '../entities.ts';
import { idParams } from '../inputs.ts';

const language = languageTag.describe('Language of the translations, as BCP 47 tag.');

/** Translations of the texts of spaces, in files for translators. */
export const translations = {
  export: call({
    method: 'GET',
    path: '/backend/rooms/:id/translations',
    summary: 'Exports the texts of a space with their translations, as XLIFF 2.1 or CSV.',
    access: 'rooms.view_any',
    params: idParams,
    query: z.strictObject({
      language,
      format: z.enum(['xliff', 'csv']).default('xliff').describe('Format of the file.'),
    }),
    output: z.string(),
    download: 'application/xliff+xml; charset=utf-8',
  }),
  import: call({
    method: 'POST',
    path: '/backend/rooms/:id/translations',
    summary:
      'Compares a file of translations (XLIFF 2, CSV or XLSX) with a space, and sets those that differ. Texts that have changed since the export are refused; texts without a translation stay as they are.',
    access: 'rooms.update',
    params: idParams,
    body: z.object({
      language,
      apply: z.enum(['0', '1']).default('0').describe('Set to 1 to set them; 0 only returns the plan.'),
    }),
    files: ['file'],
    output: translationPlanSchema,
    errors: ['bad_file', 'timeout', 'stale'],
  }),
};
