import { z } from 'zod';
import { id, line } from '../../../engine/document/fields.ts';
import { call } from '../call.ts';
import { editShape } from '../edit.ts';
import {
  endpointInput,
  endpointSchema,
  publicEndpointRowSchema,
  publicEndpointSchema,
  settingsSchema,
  stamp,
} from '../entities.ts';
import { idParams, search } from '../inputs.ts';

const edit = editShape(endpointInput.shape);

/** Structures of the back-office and the public addresses they make. */
export const endpoints = {
  list: call({
    method: 'GET',
    path: '/backend/endpoints',
    summary: 'The tree of structures; with a search, the branches that match.',
    access: 'endpoints.view_any',
    query: z.strictObject({ search }),
    output: z.array(endpointSchema),
  }),
  read: call({
    method: 'GET',
    path: '/backend/endpoints/:id',
    summary: 'One structure with those below it.',
    access: 'endpoints.view_any',
    params: idParams,
    output: endpointSchema,
  }),
  create: call({
    method: 'POST',
    path: '/backend/endpoints',
    summary: 'Adds a structure. Form data; booleans as 0 or 1. The slug follows the name when it is empty.',
    access: 'endpoints.create',
    body: z.object({
      ...edit,
      name: endpointInput.shape.name,
      room_id: id.describe('Space that it shows.'),
    }),
    files: [],
    output: endpointSchema,
    status: 201,
  }),
  update: call({
    method: 'POST',
    path: '/backend/endpoints/:id',
    summary: 'Changes the fields that are given. Form data; booleans as 0 or 1.',
    access: 'endpoints.update',
    params: idParams,
    body: z.object({ ...edit, updated_at: stamp.optional() }),
    files: [],
    output: endpointSchema,
  }),
  remove: call({
    method: 'DELETE',
    path: '/backend/endpoints/:id',
    summary: 'Removes a structure with those below it.',
    access: 'endpoints.delete',
    params: idParams,
    output: z.null(),
  }),
  reorder: call({
    method: 'POST',
    path: '/backend/endpoints/reorder',
    summary: 'Puts the whole tree into a new order.',
    access: 'endpoints.create',
    body: z.strictObject({
      sort: z
        .array(z.strictObject({ id, children: z.array(z.strictObject({ id })).max(10_000).default([]) }))
        .min(1)
        .max(10_000)
        .describe('The top level in its new order, each with those below it.'),
    }),
    output: z.null(),
  }),
};

const slug = line(120).min(1);

/** What visitors ask for. */
export const visit = {
  settings: call({
    method: 'GET',
    path: '/settings',
    summary: 'What anybody may know about the organization.',
    access: 'public',
    output: settingsSchema,
    errors: ['not_found'],
  }),
  list: call({
    method: 'GET',
    path: '/endpoints',
    summary: 'The visible structures; the first is the home page.',
    access: 'public',
    output: z.array(publicEndpointRowSchema),
    errors: ['not_found'],
  }),
  one: call({
    method: 'GET',
    path: '/endpoints/:slugOne',
    summary: 'The structure at this address with its room.',
    access: 'public',
    params: z.object({ slugOne: slug }),
    output: publicEndpointSchema,
    errors: ['code_required'],
  }),
  two: call({
    method: 'GET',
    path: '/endpoints/:slugOne/:slugTwo',
    summary: 'The structure at this address with its room.',
    access: 'public',
    params: z.object({ slugOne: slug, slugTwo: slug }),
    output: publicEndpointSchema,
    errors: ['code_required'],
  }),
};
