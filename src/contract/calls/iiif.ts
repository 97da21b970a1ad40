import { z } from 'zod';
import { id, line } from '../../../engine/document/fields.ts';
import { MAX_LANGUAGES } from '../../../engine/document/languages.ts';
import { languageTag } from '../../../engine/document/translation-fields.ts';
import { call } from '../call.ts';
import {
  iiifFileSchema,
  iiifImportSchema,
  iiifSourceSchema,
  iiifWorkSchema,
  importSwitches,
  MAX_CANVASES,
  MAX_MANIFEST,
  MAX_STORED_WORKS,
} from '../entities.ts';
import { tours } from './tours.ts';

/** Works of IIIF manifests and collections (Presentation API 2 and 3), hung in a new space. */
export const iiif = {
  read: call({
    method: 'POST',
    path: '/backend/iiif/read',
    summary:
      'Reads a IIIF manifest or collection (Presentation API 2 or 3) and the manifests that it names; nothing is stored. Store the files of its works, then hang them.',
    access: 'rooms.create',
    body: z.strictObject({
      url: z.string().trim().max(2048).optional().describe('URL of the manifest. Omit it to send the manifest.'),
      manifest: z.string().max(MAX_MANIFEST, 'The manifest is longer than 5 MB.').optional().describe('JSON.'),
      limit: z.int().min(1).max(MAX_CANVASES).default(MAX_CANVASES).describe('Maximum number of canvases.'),
    }),
    output: iiifSourceSchema,
    errors: ['bad_file', 'wrong_type'],
    timeout: 150_000,
  }),

  store: call({
    method: 'POST',
    path: '/backend/iiif/files',
    summary:
      'Downloads the files of works into the media library, with their texts. Of an image service, an image of at most 2,048 pixels is requested. A file that fails has no ID, and a remark.',
    access: 'media.create',
    body: z.strictObject({
      works: z.array(iiifWorkSchema).min(1).max(MAX_STORED_WORKS).describe('Works as read.'),
    }),
    output: z.array(iiifFileSchema),
    errors: ['quota'],
    timeout: 150_000,
  }),

  hang: call({
    method: 'POST',
    path: '/backend/iiif/import',
    summary:
      'Creates a gallery with works from the media library, in one transaction: images and videos on walls, audio at the start. Captions come from the texts of the files. Undo it as an import, by its job.',
    access: 'rooms.create',
    body: z.strictObject({
      name: line()
        .min(1, 'Give the space a title.')
        .describe('Name and title of the space. No other space may have it.'),
      template_id: id
        .optional()
        .describe(
          'Template of the space; a new one with a building if omitted, which requires the rights to create templates and media.',
        ),
      files: z.array(id).max(MAX_CANVASES).describe('Media IDs in order. A dry run needs none.'),
      language: languageTag.nullable().default(null).describe('Language of the texts; null if unknown.'),
      languages: z.array(languageTag).max(MAX_LANGUAGES).default([]).describe('Languages of their translations.'),
      endpoint: tours.create.body.shape.endpoint,
      dry_run: importSwitches.dry_run,
    }),
    output: iiifImportSchema,
    idempotent: true,
    errors: ['key_reused', 'forbidden', 'quota'],
    timeout: 60_000,
  }),
};
