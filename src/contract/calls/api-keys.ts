import { z } from 'zod';
import { call } from '../call.ts';
import { apiKeySchema, policiesSchema } from '../entities.ts';
import { idParams, listQuery, moment } from '../inputs.ts';

/** Sort orders of API keys. Keys without an end are last by `expires`; unused keys are first by `used`. */
export const API_KEY_ORDERS = ['created', '-created', 'name', '-name', 'used', '-used', 'expires', '-expires'] as const;

/** API keys of users. */
export const apiKeys = {
  list: call({
    method: 'GET',
    path: '/backend/api-keys',
    summary: 'API keys of the organization, newest first unless another order is asked for.',
    access: 'settings.view_any',
    query: listQuery.extend({ sort: z.enum(API_KEY_ORDERS).default('-created').describe('Order.') }),
    output: z.array(apiKeySchema),
    paged: true,
  }),
  create: call({
    method: 'POST',
    path: '/backend/api-keys',
    summary: 'Makes an API key in the own name; the key itself is in `key` and is never shown again.',
    access: 'settings.create',
    body: z.strictObject({
      name: apiKeySchema.shape.name,
      policies: policiesSchema.describe('Rights that it has; none that its maker lacks.'),
      expires_at: moment
        .nullable()
        .optional()
        .describe('From when on it no longer works: a year from now when left out, null for never.'),
    }),
    output: apiKeySchema.extend({ key: z.string().describe('The key.') }),
    status: 201,
    done: 'The key has been made.',
  }),
  remove: call({
    method: 'DELETE',
    path: '/backend/api-keys/:id',
    summary: 'Removes an API key; it works no longer.',
    access: 'settings.delete',
    params: idParams,
    output: z.null(),
    done: 'The key has been removed.',
  }),
};
