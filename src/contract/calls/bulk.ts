import { z } from 'zod';
import { id } from '../../../engine/document/fields.ts';
import { call } from '../call.ts';
import { BULK_ACTIONS, BULK_FIELDS, bulkEffectsSchema, bulkJobSchema } from '../entities.ts';
import { idParams } from '../inputs.ts';
import { accessTokens } from './access-tokens.ts';
import { blocks } from './blocks.ts';
import { endpoints } from './endpoints.ts';
import { rooms } from './rooms.ts';

/** Maximum resources per bulk action. */
export const MAX_BULK_ITEMS = 10_000;

const { valid_from, valid_till, valid_duration, group, note } = accessTokens.update.body.shape;
const { template_id } = rooms.update.body.shape;
const folder_id = rooms.move.body.shape.folder_id.optional();
const { parent_endpoint_id } = endpoints.update.body.shape;
const block_id = blocks.updateIn.body.shape.block_id.optional();
const overwrite = blocks.updateIn.body.shape.overwrite.unwrap().optional();

const body = z.strictObject({
  action: z.enum(BULK_ACTIONS).describe('Action to perform.'),
  fields: z
    .strictObject({
      valid_from,
      valid_till,
      valid_duration,
      group,
      note,
      template_id,
      folder_id,
      parent_endpoint_id,
      block_id,
      overwrite,
    })
    .optional()
    .describe(
      'Fields to set: validity, group and note for `accessTokens.update`, `template_id` for `rooms.template`, `folder_id` for `rooms.folder`, `block_id` and `overwrite` for `rooms.update_block`, and `parent_endpoint_id` for `endpoints.move`. Omitted fields don’t change.',
    ),
  ids: z.array(id).min(1).max(MAX_BULK_ITEMS, `Choose at most ${MAX_BULK_ITEMS} at once.`).describe('Item IDs.'),
});

/** Actions on many resources at once. */
export const bulk = {
  start: call({
    method: 'POST',
    path: '/backend/bulk',
    summary:
      'Starts a job that applies an action to many items in order. Requires the right for the same action on one item. Items that fail are skipped and reported. `bin.restore` takes entries of the bin, or `restorable` entries of a job, and restores the latest first, as others may depend on them.',
    access: 'session',
    body: body
      .refine(({ action, fields = {} }) => !BULK_FIELDS[action] || Object.keys(fields).length > 0, {
        path: ['fields'],
        error: 'Choose at least one field to change.',
      })
      .refine(
        ({ action, fields = {} }) => Object.keys(fields).every((name) => BULK_FIELDS[action]?.includes(name) ?? false),
        { path: ['fields'], error: 'This action does not take these fields.' },
      ),
    output: bulkJobSchema,
    status: 202,
    errors: ['forbidden'],
  }),
  effects: call({
    method: 'POST',
    path: '/backend/bulk/effects',
    summary: 'Previews the side effects of a bulk action. Changes nothing.',
    access: 'session',
    body,
    output: bulkEffectsSchema,
    errors: ['forbidden'],
  }),
  read: call({
    method: 'GET',
    path: '/backend/bulk/:id',
    summary: 'Returns a job that the caller started in the last seven days, with its progress.',
    access: 'session',
    params: idParams,
    output: bulkJobSchema,
  }),
};
