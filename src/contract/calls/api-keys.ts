import { z } from 'zod';
import { call } from '../call.ts';
import { apiKeySchema, policiesSchema, SCOPES, scopesSchema } from '../entities.ts';
import { idParams, listQuery, moment } from '../inputs.ts';

/** Sort orders of API keys. Keys without an end are last by `expires`; unused keys are first by `used`. */
export const API_KEY_ORDERS = ['created', '-created', 'name', '-name', 'used', '-used', 'expires', '-expires'] as const;

/** API keys of users. */
export const apiKeys = {
  list: call({
    method: 'GET',
    path: '/backend/api-keys',
    summary: 'Lists API keys, newest first by default.',
    access: 'settings.view_any',
    query: listQuery.extend({ sort: z.enum(API_KEY_ORDERS).default('-created').describe('Sort order.') }),
    output: z.array(apiKeySchema),
    paged: true,
  }),
  create: call({
    method: 'POST',
    path: '/backend/api-keys',
    summary: "Creates an API key for the caller. The key is in `key` and can't be retrieved later.",
    access: 'settings.create',
    body: z.strictObject({
      name: apiKeySchema.shape.name,
      policies: policiesSchema.describe('Rights of the key, limited to those of the caller.'),
      scopes: scopesSchema
        .default([...SCOPES])
        .describe('What the key may do besides reading; everything if omitted, only reading if empty.'),
      expires_at: moment
        .nullable()
        .optional()
        .describe('Expiry time; one year from now if omitted, null for no expiry.'),
    }),
    output: apiKeySchema.extend({ key: z.string().describe('API key.') }),
    status: 201,
    done: 'The key has been created.',
  }),
  remove: call({
    method: 'DELETE',
    path: '/backend/api-keys/:id',
    summary: 'Revokes an API key.',
    access: 'settings.delete',
    params: idParams,
    output: z.null(),
    done: 'The key has been revoked.',
  }),
};
