import { z } from 'zod';
import { id } from '../../../engine/document/fields.ts';
import { call } from '../call.ts';
import { BULK_ACTIONS, bulkEffectsSchema, bulkJobSchema } from '../entities.ts';
import { idParams } from '../inputs.ts';

/** Maximum resources per bulk action. */
export const MAX_BULK_ITEMS = 10_000;

const body = z.strictObject({
  action: z.enum(BULK_ACTIONS).describe('What is done with each of them.'),
  ids: z.array(id).min(1).max(MAX_BULK_ITEMS, `Choose at most ${MAX_BULK_ITEMS} at once.`).describe('Their ids.'),
});

/** Actions on many resources at once. */
export const bulk = {
  start: call({
    method: 'POST',
    path: '/backend/bulk',
    summary:
      'Starts a job that does the same with many things, one after another. Needs the right that doing it with one of them needs. What cannot be done is left out and reported. What `bin.restore` names are entries of the bin; the last removed comes first, as others may have belonged to it.',
    access: 'session',
    body,
    output: bulkJobSchema,
    status: 202,
    errors: ['forbidden'],
  }),
  effects: call({
    method: 'POST',
    path: '/backend/bulk/effects',
    summary: 'What else an action on many things would change. Changes nothing.',
    access: 'session',
    body,
    output: bulkEffectsSchema,
    errors: ['forbidden'],
  }),
  read: call({
    method: 'GET',
    path: '/backend/bulk/:id',
    summary: 'A job that the caller has started in the last seven days, and how far it has come.',
    access: 'session',
    params: idParams,
    output: bulkJobSchema,
  }),
};
