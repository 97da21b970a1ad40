import { z } from 'zod';
import { coordinate, id, line, optional, radians } from '../../../engine/document/fields.ts';
import { roomFieldsSchema } from '../../../engine/document/room.ts';
import { templateSchema } from '../../../engine/document/template.ts';
import { languageTag } from '../../../engine/document/translation-fields.ts';
import { call } from '../call.ts';
import { editShape } from '../edit.ts';
import {
  endpointInput,
  endpointListRowSchema,
  endpointSchema,
  importReportSchema,
  posterSchema,
  stamp,
  translationPlanSchema,
} from '../entities.ts';
import { idParams, idText, listQuery, search } from '../inputs.ts';
import { accessTokens, tableOptions } from './access-tokens.ts';
import { buildSite } from './build-site.ts';
import { scormPackage } from './scorm-package.ts';
import { translationExport, translationImport } from './translations.ts';

const edit = editShape(endpointInput.shape);

/** Maximum images of a new space. */
const MAX_NEW_IMAGES = 100;

const vector = z.strictObject({ x: coordinate, y: coordinate, z: coordinate });

const newImage = z.strictObject({
  file_id: id.describe('Image file.'),
  name: line().optional().describe('Image name.'),
  width: z.number().positive().max(100_000).describe('Width in units.'),
  height: z.number().positive().max(100_000).describe('Height in units.'),
  position_x: coordinate,
  position_y: coordinate,
  position_z: coordinate,
  rotation_y: radians,
});

/** Removes a field from a shape. */
function omit<S extends object, N extends keyof S>(shape: S, name: N): Omit<S, N> {
  const { [name]: _, ...others } = shape;
  return others;
}

/** File field of the access token CSV. */
const files = ['access_tokens_file'] as const;
/** Options for parsing that CSV. */
const choice = {
  access_tokens_column: tableOptions.column,
  access_tokens_heading: tableOptions.heading,
};

/** Maximum page size of the list of structures. */
export const MAX_ENDPOINT_ROWS = 250;

/** Sort orders of the list of structures. `tree`: each parent, followed by its children. */
export const ENDPOINT_ORDERS = [
  'tree',
  'name',
  '-name',
  'path',
  '-path',
  'schedule',
  '-schedule',
  'updated',
  '-updated',
] as const;

/** States by which structures can be filtered. */
export const ENDPOINT_STATES = ['visible', 'hidden', 'protected', 'closed', 'empty'] as const;

/** Structures in the back-office and their public addresses. */
export const endpoints = {
  list: call({
    method: 'GET',
    path: '/backend/endpoints',
    summary: 'Returns the tree of structures. With a search, only branches with matches.',
    access: 'endpoints.view_any',
    query: z.strictObject({ search }),
    output: z.array(endpointSchema),
  }),
  rows: call({
    method: 'GET',
    path: '/backend/endpoints/rows',
    summary:
      'Lists structures in pages, in the order of the tree by default. A search in that order also returns the ancestors and descendants of matches. A page that begins between siblings also contains their parent.',
    access: 'endpoints.view_any',
    query: listQuery.extend({
      per_page: z.coerce
        .number()
        .int()
        .min(1)
        .max(MAX_ENDPOINT_ROWS)
        .default(100)
        .describe('Number of entries per page.'),
      sort: z
        .enum(ENDPOINT_ORDERS)
        .default('tree')
        .describe(
          'Sort order: of the tree, or flat by a field. `schedule`: by date, then daily ones by time; unscheduled last.',
        ),
      state: z
        .enum(ENDPOINT_STATES)
        .optional()
        .describe('Filter by state. `closed`: the space is not published; `empty`: shows no space.'),
      parent_id: idText.optional().describe('Returns only the children of this structure.'),
      room_id: idText.optional().describe('Filter by space.'),
      level: z.enum(['top']).optional().describe('Returns only the top level.'),
    }),
    output: z.array(endpointListRowSchema),
    paged: true,
  }),
  read: call({
    method: 'GET',
    path: '/backend/endpoints/:id',
    summary: 'Returns a structure with its descendants.',
    access: 'endpoints.view_any',
    params: idParams,
    output: endpointSchema,
  }),
  create: call({
    method: 'POST',
    path: '/backend/endpoints',
    summary:
      'Creates a structure, optionally with access tokens from a CSV (requires the right to create access tokens). Form data; booleans as 0 or 1. An empty slug is derived from the name.',
    access: 'endpoints.create',
    body: z.object({
      ...edit,
      name: endpointInput.shape.name,
      room_id: optional(id).describe('Space to show. Omit it to create a new one.'),
      new_room_title: roomFieldsSchema.shape.title
        .optional()
        .describe(
          'Title of a new space. Requires the right to create spaces. Set either a space or a title, not both.',
        ),
      new_room_template_id: optional(id)
        .optional()
        .describe("Template of the new space; the organization's default if omitted."),
      ...choice,
    }),
    files,
    output: endpointSchema,
    report: importReportSchema,
    errors: ['bad_file', 'unclear_table', 'timeout', 'quota'],
    status: 201,
    done: 'The structure has been added.',
  }),
  update: call({
    method: 'POST',
    edits: {
      read: 'endpoints.read',
      moving: ['access_tokens_count', 'is_closed', 'path', 'poster_url', 'translations'],
    },
    path: '/backend/endpoints/:id',
    summary:
      'Updates the given fields, optionally with access tokens from a CSV (requires the right to create access tokens). Form data; booleans as 0 or 1.',
    access: 'endpoints.update',
    params: idParams,
    body: z.object({ ...edit, ...choice, updated_at: stamp.optional() }),
    files,
    output: endpointSchema,
    report: importReportSchema,
    errors: ['bad_file', 'unclear_table', 'timeout', 'quota'],
    done: 'The structure has been saved.',
  }),
  translate: call({
    method: 'POST',
    path: '/backend/endpoints/:id/translate',
    summary: 'Sets translations of the texts of a structure in one language. An empty text removes its translation.',
    access: 'endpoints.update',
    params: idParams,
    body: z.strictObject({
      language: languageTag.describe('Language of the translations, as BCP 47 tag.'),
      texts: z.strictObject({ name: line().optional().describe('Translated title.') }).describe('Texts by field.'),
    }),
    output: endpointSchema,
    done: 'The translations have been saved.',
  }),
  exportTranslations: call({
    method: 'GET',
    path: '/backend/endpoints/:id/translations',
    summary: 'Exports the texts of a structure and those below it with their translations, as XLIFF 2.1 or CSV.',
    access: 'endpoints.view_any',
    params: idParams,
    query: translationExport,
    output: z.string(),
    download: 'application/xliff+xml; charset=utf-8',
  }),
  importTranslations: call({
    method: 'POST',
    path: '/backend/endpoints/:id/translations',
    summary:
      'Compares a file of translations (XLIFF 2, CSV or XLSX) with a structure and those below it, and sets those that differ. Texts that have changed since the export are refused; texts without a translation stay as they are.',
    access: 'endpoints.update',
    params: idParams,
    body: translationImport,
    files: ['file'],
    output: translationPlanSchema,
    errors: ['bad_file', 'timeout'],
  }),
  createWithRoom: call({
    method: 'POST',
    path: '/backend/endpoints/with-room',
    summary:
      'Creates a structure with a new space and its template, elements and access tokens, all or none. Requires the right to create each of them.',
    access: 'session',
    body: z.strictObject({
      endpoint: z.strictObject({ ...omit(edit, 'room_id'), name: endpointInput.shape.name }).describe('The structure.'),
      room: z
        .strictObject({
          title: roomFieldsSchema.shape.title,
          template_id: optional(id).optional().describe("Template; the organization's default if omitted."),
          position: vector.optional().describe('Start position of visitors, in units.'),
          angle: vector.optional().describe('Camera target, in units.'),
        })
        .describe('The space.'),
      template: z
        .strictObject({
          model_type: templateSchema.shape.model_type,
          file_id: id.describe('Model or 360° photo.'),
        })
        .optional()
        .describe('New template for the space, with the same title.'),
      images: z.array(newImage).max(MAX_NEW_IMAGES).default([]).describe('Images in the space, in order.'),
      tokens: accessTokens.createMany.body
        .pick({ count: true, prefix: true, length: true })
        .optional()
        .describe('Access tokens to generate.'),
    }),
    output: z.object({
      endpoint: endpointSchema.describe('The structure.'),
      room_id: id.describe('ID of the new space.'),
      tokens: z.array(z.string()).describe('The first 100 access tokens.'),
    }),
    errors: ['quota', 'forbidden'],
    status: 201,
    done: 'The space now has a public URL.',
  }),
  copy: call({
    method: 'POST',
    path: '/backend/endpoints/:id/copy',
    summary: 'Copies a structure without its access tokens. The copy shows the same space.',
    access: 'endpoints.create',
    params: idParams,
    body: z.strictObject({
      name: endpointInput.shape.name.optional(),
      slug: endpointInput.shape.slug.optional(),
      parent_endpoint_id: id
        .nullable()
        .optional()
        .describe("Parent of the copy; null for the top level, the original's parent if omitted."),
      children: z.boolean().default(false).describe('Whether to copy the descendants.'),
    }),
    output: endpointSchema,
    errors: ['quota'],
    status: 201,
    done: 'The structure has been copied.',
  }),
  buildSite,
  scormPackage,
  readPoster: call({
    method: 'GET',
    path: '/backend/endpoints/:id/poster',
    summary: 'Returns the poster chosen for a structure; null if it uses the poster of its space.',
    access: 'endpoints.view_any',
    params: idParams,
    output: posterSchema.nullable(),
  }),
  choosePoster: call({
    method: 'POST',
    path: '/backend/endpoints/:id/poster/choose',
    summary: 'Sets the poster of a structure to a copy of an image in the media library.',
    access: 'endpoints.update',
    params: idParams,
    body: z.strictObject({ file_id: id.describe('Image file.') }),
    output: posterSchema,
    errors: ['bad_file'],
    done: 'The poster has been set.',
  }),
  removePoster: call({
    method: 'DELETE',
    path: '/backend/endpoints/:id/poster',
    summary: 'Removes the chosen poster of a structure, which then uses the poster of its space.',
    access: 'endpoints.update',
    params: idParams,
    output: z.null(),
    done: 'The poster has been removed.',
  }),
  createExportTicket: call({
    method: 'POST',
    path: '/backend/endpoints/:id/export-tickets',
    summary: 'Creates a download token for one export of the access tokens, valid for a minute.',
    access: 'access_tokens.view_any',
    params: idParams,
    output: z.object({ token: z.string().describe('Download token, for the query of the export.') }),
    status: 201,
  }),
  exportTokens: call({
    method: 'GET',
    path: '/backend/endpoints/:id/export-tokens',
    summary:
      'Exports the access tokens of a structure as one-column CSV without a heading, or as JSON with validity times.',
    access: 'access_tokens.view_any',
    ticket: true,
    params: idParams,
    query: z.strictObject({
      token: z.string().max(200).optional().describe('Download token. Without one, the request needs a session.'),
      format: z.enum(['csv', 'json']).default('csv').describe('Format; JSON includes all fields.'),
    }),
    output: z.string(),
    download: 'text/csv; charset=utf-8',
  }),
  remove: call({
    method: 'DELETE',
    path: '/backend/endpoints/:id',
    summary: 'Deletes a structure with its descendants.',
    access: 'endpoints.delete',
    params: idParams,
    output: z.null(),
    done: 'The structure has been removed.',
  }),
  addresses: call({
    method: 'GET',
    path: '/backend/endpoints/:id/addresses',
    summary:
      'Lists previous paths of a structure, newest first. They redirect to the current path unless another structure uses them.',
    access: 'endpoints.view_any',
    params: idParams,
    output: z.array(
      z.object({
        path: z.string().describe('Path, such as /museum/east-wing.'),
        at: z.string().describe('Time the path changed, in UTC.'),
      }),
    ),
  }),
  removeAddress: call({
    method: 'POST',
    path: '/backend/endpoints/:id/addresses/remove',
    summary: 'Removes a previous path of a structure, which stops redirecting.',
    access: 'endpoints.update',
    params: idParams,
    body: z.strictObject({ path: line(300).min(2).describe('Path, as listed.') }),
    output: z.null(),
    done: 'The previous path has been removed.',
  }),
  move: call({
    method: 'POST',
    path: '/backend/endpoints/:id/move',
    summary: 'Moves a structure: before or after a sibling, or as the last child of its parent.',
    access: 'endpoints.create',
    params: idParams,
    body: z.strictObject({
      parent_endpoint_id: id.nullable().describe('New parent; null for the top level.'),
      before_id: id.optional().describe('Sibling that follows.'),
      after_id: id.optional().describe('Sibling that precedes, without `before_id`.'),
    }),
    output: endpointSchema,
  }),
  reorder: call({
    method: 'POST',
    path: '/backend/endpoints/reorder',
    summary: 'Reorders the whole tree.',
    access: 'endpoints.create',
    body: z.strictObject({
      sort: z
        .array(z.strictObject({ id, children: z.array(z.strictObject({ id })).max(10_000).default([]) }))
        .min(1)
        .max(10_000)
        .describe('Top-level structures in the new order, each with its children.'),
    }),
    output: z.null(),
  }),
};
