import { z } from 'zod';
import { call } from '../call.ts';
import { editShape } from '../edit.ts';
import { DELIVERY_STATES, stamp, webhookDeliverySchema, webhookSchema } from '../entities.ts';
import { idParams, listQuery } from '../inputs.ts';

const { name, url, events, is_paused } = webhookSchema.shape;
const { page, per_page } = listQuery.shape;

const withSecret = webhookSchema.extend({
  secret: z.string().describe('Signing secret (Standard Webhooks). It is not shown again.'),
});

/** Webhook subscriptions, signed according to Standard Webhooks. */
export const webhooks = {
  list: call({
    method: 'GET',
    path: '/backend/webhooks',
    summary: 'Webhooks of the organization, oldest first.',
    access: 'settings.view_any',
    output: z.array(webhookSchema),
  }),
  create: call({
    method: 'POST',
    path: '/backend/webhooks',
    summary: 'Adds a webhook. `secret` is its signing secret, which is not shown again. At most 20.',
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
    summary: 'Changes the given fields. A disabled webhook is enabled again.',
    access: 'settings.update',
    params: idParams,
    body: z.strictObject({ ...editShape({ name, url, events, is_paused }), updated_at: stamp.optional() }),
    output: webhookSchema,
    done: 'The webhook has been saved.',
  }),
  remove: call({
    method: 'DELETE',
    path: '/backend/webhooks/:id',
    summary: 'Removes a webhook and its deliveries.',
    access: 'settings.delete',
    params: idParams,
    output: z.null(),
    done: 'The webhook has been removed.',
  }),
  rotate: call({
    method: 'POST',
    path: '/backend/webhooks/:id/secret',
    summary: 'Replaces the signing secret. The old one stops working.',
    access: 'settings.update',
    params: idParams,
    output: withSecret,
    done: 'The webhook has a new secret.',
  }),
  test: call({
    method: 'POST',
    path: '/backend/webhooks/:id/test',
    summary: 'Sends a test event, even if the webhook is paused.',
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
    summary: 'Deliveries of the last 30 days, newest first.',
    access: 'settings.view_any',
    params: idParams,
    query: z.strictObject({
      page,
      per_page,
      state: z.enum(DELIVERY_STATES).optional().describe('Only deliveries in this state.'),
    }),
    output: z.array(webhookDeliverySchema),
    paged: true,
  }),
  redeliver: call({
    method: 'POST',
    path: '/backend/webhook-deliveries/:id/redeliver',
    summary: 'Redelivers a message under the same id.',
    access: 'settings.update',
    params: idParams,
    output: webhookDeliverySchema,
    errors: ['too_many'],
    done: 'The message is sent once more.',
  }),
};
