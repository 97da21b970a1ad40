import { z } from 'zod';
import { call } from '../call.ts';
import { editShape } from '../edit.ts';
import { DELIVERY_STATES, stamp, webhookDeliverySchema, webhookSchema } from '../entities.ts';
import { idParams, listQuery } from '../inputs.ts';

const { name, url, events, is_paused } = webhookSchema.shape;
const { page, per_page } = listQuery.shape;

const withSecret = webhookSchema.extend({
  secret: z.string().describe('Key of its signatures (Standard Webhooks); it is never shown again.'),
});

/** Webhook subscriptions, signed according to Standard Webhooks. */
export const webhooks = {
  list: call({
    method: 'GET',
    path: '/backend/webhooks',
    summary: 'The webhooks of the organization, in the order in which they were added.',
    access: 'settings.view_any',
    output: z.array(webhookSchema),
  }),
  create: call({
    method: 'POST',
    path: '/backend/webhooks',
    summary: 'Adds a webhook; the key of its signatures is in `secret` and is never shown again. 20 at most.',
    access: 'settings.create',
    body: z.strictObject({ name, url, events }),
    output: withSecret,
    errors: ['quota'],
    status: 201,
    done: 'The webhook has been added.',
  }),
  update: call({
    method: 'PUT',
    edits: { read: 'webhooks.list', moving: ['failing_since', 'disabled_at'] },
    path: '/backend/webhooks/:id',
    summary: 'Changes the fields that are given. One that the server stopped telling is told again.',
    access: 'settings.update',
    params: idParams,
    body: z.strictObject({ ...editShape({ name, url, events, is_paused }), updated_at: stamp.optional() }),
    output: webhookSchema,
    done: 'The webhook has been saved.',
  }),
  remove: call({
    method: 'DELETE',
    path: '/backend/webhooks/:id',
    summary: 'Removes a webhook with what it was told.',
    access: 'settings.delete',
    params: idParams,
    output: z.null(),
    done: 'The webhook has been removed.',
  }),
  rotate: call({
    method: 'POST',
    path: '/backend/webhooks/:id/secret',
    summary: 'Gives a webhook a new key for its signatures; the old one counts no longer.',
    access: 'settings.update',
    params: idParams,
    output: withSecret,
    done: 'The webhook has a new secret.',
  }),
  test: call({
    method: 'POST',
    path: '/backend/webhooks/:id/test',
    summary: 'Sends a webhook a message of the type `test`, also while it is paused.',
    access: 'settings.update',
    params: idParams,
    output: webhookDeliverySchema,
    errors: ['too_many'],
    status: 201,
    done: 'The test is on its way.',
  }),
  deliveries: call({
    method: 'GET',
    path: '/backend/webhooks/:id/deliveries',
    summary: 'What a webhook was told in the last 30 days, newest first.',
    access: 'settings.view_any',
    params: idParams,
    query: z.strictObject({
      page,
      per_page,
      state: z.enum(DELIVERY_STATES).optional().describe('Only those in this state.'),
    }),
    output: z.array(webhookDeliverySchema),
    paged: true,
  }),
  redeliver: call({
    method: 'POST',
    path: '/backend/webhook-deliveries/:id/redeliver',
    summary: 'Sends a message once more, under the same id.',
    access: 'settings.update',
    params: idParams,
    output: webhookDeliverySchema,
    errors: ['too_many'],
    done: 'The message is sent once more.',
  }),
};
