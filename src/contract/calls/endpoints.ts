import { z } from 'zod';
import { id } from '../../../engine/document/fields.ts';
import { call } from '../call.ts';
import {
  endpointInput,
  endpointSchema,
  publicEndpointRowSchema,
  publicEndpointSchema,
  settingsSchema,
} from '../entities.ts';
import { idParams } from '../inputs.ts';

/** Structures of the back-office and the public addresses they make. */
export const endpoints = {
  list: call({
    method: 'GET',
    path: '/backend/endpoints',
    summary: 'The tree of structures; with a search, the branches that match.',
    access: 'endpoints.view_any',
    query: z.strictObject({ search: z.string().trim().max(200).optional() }),
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
    body: endpointInput.partial().required({ name: true, room_id: true }),
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
    body: endpointInput.partial(),
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
    access: 'endpoints.update',
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

const slug = z.string().max(120);

/** What visitors ask for. */
export const visit = {
  settings: call({
    method: 'GET',
    path: '/settings',
    summary: 'What anybody may know about the organization.',
    access: 'public',
    output: settingsSchema,
  }),
  list: call({
    method: 'GET',
    path: '/endpoints',
    summary: 'The visible structures; the first is the home page.',
    access: 'public',
    output: z.array(publicEndpointRowSchema),
  }),
  one: call({
    method: 'GET',
    path: '/endpoints/:slugOne',
    summary: 'The structure at this address with its room.',
    access: 'public',
    params: z.object({ slugOne: slug }),
    output: publicEndpointSchema,
  }),
  two: call({
    method: 'GET',
    path: '/endpoints/:slugOne/:slugTwo',
    summary: 'The structure at this address with its room.',
    access: 'public',
    params: z.object({ slugOne: slug, slugTwo: slug }),
    output: publicEndpointSchema,
  }),
};
