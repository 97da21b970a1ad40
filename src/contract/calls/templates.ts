import { z } from 'zod';
import { id } from '../../../engine/document/fields.ts';
import { templateSchema } from '../../../engine/document/template.ts';
import { call } from '../call.ts';
import { editShape } from '../edit.ts';
import { adminTemplateSchema, posterSchema, stamp } from '../entities.ts';
import { idParams, listQuery } from '../inputs.ts';

const input = templateSchema.omit({
  id: true,
  file: true,
  video_file: true,
  background_file: true,
  hdr_file: true,
  font_file: true,
  logo_file: true,
});

/** Settings of a template that change. */
export const templateConfigEdit = z.strictObject(editShape(templateSchema.shape.config.unwrap().shape));

const edit = {
  ...editShape(input.shape),
  config: templateConfigEdit.optional().describe("Default settings of rooms. Omitted settings don't change."),
};

export const TEMPLATE_ORDERS = ['name', '-name', 'edited', '-edited'] as const;

/** Templates: the shells that spaces are created from. */
export const templates = {
  list: call({
    method: 'GET',
    path: '/backend/templates',
    summary: 'Lists templates, by name by default.',
    access: 'templates.view_any',
    query: listQuery.extend({
      sort: z.enum(TEMPLATE_ORDERS).default('name').describe('Sort order: by name or by time of the last change.'),
    }),
    output: z.array(adminTemplateSchema),
    paged: true,
  }),
  read: call({
    method: 'GET',
    path: '/backend/templates/:id',
    summary: 'Returns a template.',
    access: 'templates.view_any',
    params: idParams,
    output: adminTemplateSchema,
  }),
  create: call({
    method: 'POST',
    path: '/backend/templates',
    summary: 'Creates a template.',
    access: 'templates.create',
    body: z.strictObject({ ...edit, name: input.shape.name }),
    output: adminTemplateSchema,
    status: 201,
    done: 'The template has been added.',
  }),
  copy: call({
    method: 'POST',
    path: '/backend/templates/:id/copy',
    summary: 'Copies a template. The copy uses the same files.',
    access: 'templates.create',
    params: idParams,
    body: z.strictObject({ name: input.shape.name.optional() }),
    output: adminTemplateSchema,
    status: 201,
    done: 'The template has been copied.',
  }),
  update: call({
    method: 'PUT',
    edits: { read: 'templates.read', moving: ['used_in', 'poster_url', 'edited_by'] },
    path: '/backend/templates/:id',
    summary: 'Updates the given fields. `config` is merged one level deep.',
    access: 'templates.update',
    params: idParams,
    body: z.strictObject({ ...edit, updated_at: stamp.optional() }),
    output: adminTemplateSchema,
    done: 'The template has been saved.',
  }),
  readPoster: call({
    method: 'GET',
    path: '/backend/templates/:id/poster',
    summary: 'Returns the poster of a template; null for none.',
    access: 'templates.view_any',
    params: idParams,
    output: posterSchema.nullable(),
  }),
  choosePoster: call({
    method: 'POST',
    path: '/backend/templates/:id/poster/choose',
    summary: 'Sets the poster of a template to a copy of an image in the media library.',
    access: 'templates.update',
    params: idParams,
    body: z.strictObject({ file_id: id.describe('Image file.') }),
    output: posterSchema,
    errors: ['bad_file'],
    done: 'The poster has been set.',
  }),
  removePoster: call({
    method: 'DELETE',
    path: '/backend/templates/:id/poster',
    summary: 'Removes the poster of a template. It is rendered again.',
    access: 'templates.update',
    params: idParams,
    output: z.null(),
    done: 'The poster has been removed.',
  }),
  remove: call({
    method: 'DELETE',
    path: '/backend/templates/:id',
    summary: 'Deletes an unused template.',
    access: 'templates.delete',
    params: idParams,
    output: z.null(),
    errors: ['in_use'],
    done: 'The template has been removed.',
  }),
};
