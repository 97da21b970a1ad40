import { z } from 'zod';
import { call } from '../call.ts';
import { mediaSchema, wantedMediaType } from '../entities.ts';
import { idParams, search } from '../inputs.ts';

const query = z.strictObject({
  search,
  page: z.coerce.number().int().min(1).max(1_000_000).default(1).describe('Page, from 1.'),
  filters: z.string().max(2000).optional().describe('Base64 of [{"type": "image"}, {"type": "current_user"}].'),
});

const list = <Q extends z.ZodType>(path: string, summary: string, asked: Q) =>
  call({
    method: 'GET',
    path,
    summary: `${summary}, newest first. \`filters\` is base64 of a JSON list of {type}.`,
    access: 'media.view_any',
    query: asked,
    output: z.object({ data: z.array(mediaSchema), last_page: z.int() }),
  });

const ids = z
  .string()
  .regex(/^[1-9]\d{0,15}(?:,[1-9]\d{0,15}){0,99}$/, 'Give at most 100 ids with commas between them.')
  .optional()
  .describe('Only these files: ids with commas between them, at most 100; all on one page.');

export const media = {
  list: list('/backend/media', 'Files of every kind', query.extend({ ids })),
  images: list('/backend/images', 'Images', query),
  files: list('/backend/files', 'Files other than images and models', query),
  objects: list('/backend/objects', 'Models', query),
  read: call({
    method: 'GET',
    path: '/backend/media/:id',
    summary: 'One file.',
    access: 'media.view_any',
    params: idParams,
    output: mediaSchema,
  }),
  content: call({
    method: 'GET',
    path: '/backend/media/:id/content',
    summary: 'What a file holds; a zip of a page or model of several files, the same each time.',
    access: 'media.view_any',
    params: idParams,
    output: z.string(),
    download: 'application/octet-stream',
  }),
  original: call({
    method: 'GET',
    path: '/backend/media/:id/original',
    summary: 'A file as it was uploaded, byte for byte: with its metadata, in its own format, under its own name.',
    access: 'media.view_any',
    params: idParams,
    output: z.file(),
    download: 'application/octet-stream',
  }),
  upload: call({
    method: 'POST',
    path: '/backend/media',
    summary: 'Stores a file; what it is is read from its content.',
    access: 'media.create',
    body: z.object({
      accept: wantedMediaType
        .optional()
        .describe('Kind that is wanted; others are refused. `iframe` is another name of `site`.'),
    }),
    files: ['file'],
    output: mediaSchema,
    errors: ['bad_file', 'timeout', 'quota'],
    status: 201,
  }),
  drawTurntable: call({
    method: 'POST',
    path: '/backend/media/:id/turntable',
    summary: 'Keeps what a browser drew of a model: 24 views from all sides, six in a row. The first drawing counts.',
    access: 'media.create',
    params: idParams,
    body: z.object({}),
    files: ['file'],
    output: mediaSchema,
    errors: ['bad_file'],
  }),
  remove: call({
    method: 'DELETE',
    path: '/backend/media/:id',
    summary:
      'Removes a file that nothing uses. Needs the right to remove media; whoever may add media may also remove what they uploaded themselves, but not with an API key.',
    access: 'session',
    params: idParams,
    query: z.strictObject({ force: z.enum(['0', '1']).default('0') }),
    output: z.null(),
    errors: ['forbidden', 'in_use'],
  }),
};
