import { z } from 'zod';
import { call } from '../call.ts';
import { mediaSchema, wantedMediaType, workSheetSchema } from '../entities.ts';
import { idParams, search } from '../inputs.ts';

const query = z.strictObject({
  search,
  page: z.coerce.number().int().min(1).max(1_000_000).default(1).describe('Page number, starting at 1.'),
  filters: z
    .string()
    .max(2000)
    .optional()
    .describe('Base64 of a JSON list such as [{"type": "image"}, {"type": "current_user"}].'),
});

const list = <Q extends z.ZodType>(path: string, summary: string, asked: Q) =>
  call({
    method: 'GET',
    path,
    summary: `Lists ${summary}, newest first. \`filters\` is the Base64 of a JSON list of {type} objects.`,
    access: 'media.view_any',
    query: asked,
    output: z.object({ data: z.array(mediaSchema), last_page: z.int() }),
  });

const ids = z
  .string()
  .regex(/^[1-9]\d{0,15}(?:,[1-9]\d{0,15}){0,99}$/, 'Enter at most 100 comma-separated IDs.')
  .optional()
  .describe('Comma-separated file IDs, at most 100; returned as one page.');

export const media = {
  list: list('/backend/media', 'files of all types', query.extend({ ids })),
  images: list('/backend/images', 'images', query),
  files: list('/backend/files', 'files other than images and models', query),
  objects: list('/backend/objects', 'models', query),
  read: call({
    method: 'GET',
    path: '/backend/media/:id',
    summary: 'Returns a file.',
    access: 'media.view_any',
    params: idParams,
    output: mediaSchema,
  }),
  content: call({
    method: 'GET',
    path: '/backend/media/:id/content',
    summary: 'Returns the content of a file. Sites and models with several files are returned as a deterministic ZIP.',
    access: 'media.view_any',
    params: idParams,
    output: z.string(),
    download: 'application/octet-stream',
  }),
  original: call({
    method: 'GET',
    path: '/backend/media/:id/original',
    summary: 'Returns the original upload, byte for byte, with its metadata, format and name.',
    access: 'media.view_any',
    params: idParams,
    output: z.file(),
    download: 'application/octet-stream',
  }),
  upload: call({
    method: 'POST',
    path: '/backend/media',
    summary: 'Uploads a file. Its type is detected from the content.',
    access: 'media.create',
    body: z.object({
      accept: wantedMediaType
        .optional()
        .describe('Required media type. Other files are rejected. `iframe` is an alias of `site`.'),
    }),
    files: ['file'],
    output: mediaSchema,
    errors: ['bad_file', 'timeout', 'quota'],
    status: 201,
  }),
  drawTurntable: call({
    method: 'POST',
    path: '/backend/media/:id/turntable',
    summary:
      "Stores a browser's rendering of a model: 24 views in a grid of six columns. Only the first rendering is stored.",
    access: 'media.create',
    params: idParams,
    body: z.object({}),
    files: ['file'],
    output: mediaSchema,
    errors: ['bad_file'],
  }),
  readWorks: call({
    method: 'POST',
    path: '/backend/media/works',
    summary:
      'Reads works from a spreadsheet (XLSX, CSV or TSV, up to 2,000 rows), and finds their images in the media library by name, ID or URL. Columns: image, title, artist, year, size or width and height, text. Nothing is stored.',
    access: 'media.view_any',
    body: z.object({}),
    files: ['file'],
    output: workSheetSchema,
    errors: ['bad_file', 'timeout'],
  }),
  remove: call({
    method: 'DELETE',
    path: '/backend/media/:id',
    summary:
      'Deletes an unused file. Requires the right to delete media. Users with the right to create media may delete their own uploads, but not with an API key.',
    access: 'session',
    params: idParams,
    query: z.strictObject({ force: z.enum(['0', '1']).default('0') }),
    output: z.null(),
    errors: ['forbidden', 'in_use'],
  }),
};
