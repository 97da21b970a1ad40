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
  background_file: true,
  hdr_file: true,
  font_file: true,
  logo_file: true,
});

const edit = {
  ...editShape(input.shape),
  config: z
    .strictObject(editShape(templateSchema.shape.config.unwrap().shape))
    .optional()
    .describe('Settings that rooms take over; those that are left out stay as they are.'),
};

export const TEMPLATE_ORDERS = ['name', '-name', 'edited', '-edited'] as const;

/** Templates: the shells that spaces are created from. */
export const templates = {
  list: call({
    method: 'GET',
    path: '/backend/templates',
    summary: 'Templates of the organization, by name unless another order is asked for.',
    access: 'templates.view_any',
    query: listQuery.extend({
      sort: z.enum(TEMPLATE_ORDERS).default('name').describe('Order: by name, or by when they were last changed.'),
    }),
    output: z.array(adminTemplateSchema),
    paged: true,
  }),
  read: call({
    method: 'GET',
    path: '/backend/templates/:id',
    summary: 'One template.',
    access: 'templates.view_any',
    params: idParams,
    output: adminTemplateSchema,
  }),
  create: call({
    method: 'POST',
    path: '/backend/templates',
    summary: 'Adds a template.',
    access: 'templates.create',
    body: z.strictObject({ ...edit, name: input.shape.name }),
    output: adminTemplateSchema,
    status: 201,
    done: 'The template has been added.',
  }),
  copy: call({
    method: 'POST',
    path: '/backend/templates/:id/copy',
    summary: 'Copies a template; its files are the same ones.',
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
    summary: 'Changes the fields that are given; `config` is merged one level deep.',
    access: 'templates.update',
    params: idParams,
    body: z.strictObject({ ...edit, updated_at: stamp.optional() }),
    output: adminTemplateSchema,
    done: 'The template has been saved.',
  }),
  readPoster: call({
    method: 'GET',
    path: '/backend/templates/:id/poster',
    summary: 'The image that stands for a template in lists; null for none.',
    access: 'templates.view_any',
    params: idParams,
    output: posterSchema.nullable(),
  }),
  choosePoster: call({
    method: 'POST',
    path: '/backend/templates/:id/poster/choose',
    summary: 'Lets an image of the media library stand for a template; a copy of it is kept.',
    access: 'templates.update',
    params: idParams,
    body: z.strictObject({ file_id: id.describe('The image.') }),
    output: posterSchema,
    errors: ['bad_file'],
    done: 'The image stands for the template now.',
  }),
  removePoster: call({
    method: 'DELETE',
    path: '/backend/templates/:id/poster',
    summary: 'Removes the image that stands for a template; it is drawn again.',
    access: 'templates.update',
    params: idParams,
    output: z.null(),
    done: 'The image has been removed.',
  }),
  remove: call({
    method: 'DELETE',
    path: '/backend/templates/:id',
    summary: 'Removes a template that no space uses.',
    access: 'templates.delete',
    params: idParams,
    output: z.null(),
    errors: ['in_use'],
    done: 'The template has been removed.',
  }),
};
