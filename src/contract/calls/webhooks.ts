import { z } from 'zod';
import { call } from '../call.ts';
import { editShape } from '../edit.ts';
import { DELIVERY_STATES, stamp, webhookDeliverySchema, webhookSchema } from '../entities.ts';
import { idParams, listQuery } from '../inputs.ts';

const { name, url, events, is_paused } = webhookSchema.shape;
const { page, per_page } = listQuery.shape;

const withSecret = webhookSchema.extend({
  secret: z.string().describe("Signing secret (Standard Webhooks). It can't be retrieved later."),
});

/** Webhook subscriptions, signed according to Standard Webhooks. */
export const webhooks = {
  list: call({
    method: 'GET',
    path: '/backend/webhooks',
    summary: 'Lists webhooks, oldest first.',
    access: 'settings.view_any',
    output: z.array(webhookSchema),
  }),
  create: call({
    method: 'POST',
    path: '/backend/webhooks',
    summary:
      "Creates a webhook, at most 20 per organization. `secret` is its signing secret and can't be retrieved later.",
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
    summary: 'Updates the given fields and re-enables a disabled webhook.',
    access: 'settings.update',
    params: idParams,
    body: z.strictObject({ ...editShape({ name, url, events, is_paused }), updated_at: stamp.optional() }),
    output: webhookSchema,
    done: 'The webhook has been saved.',
  }),
  remove: call({
    method: 'DELETE',
    path: '/backend/webhooks/:id',
    summary: 'Deletes a webhook and its deliveries.',
    access: 'settings.delete',
    params: idParams,
    output: z.null(),
    done: 'The webhook has been removed.',
  }),
  rotate: call({
    method: 'POST',
    path: '/backend/webhooks/:id/secret',
    summary: 'Replaces the signing secret. The old one stops working immediately.',
    access: 'settings.update',
    params: idParams,
    output: withSecret,
    done: 'The signing secret has been replaced.',
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
    done: 'The test event has been queued.',
  }),
  deliveries: call({
    method: 'GET',
    path: '/backend/webhooks/:id/deliveries',
    summary: 'Lists deliveries of the last 30 days, newest first.',
    access: 'settings.view_any',
    params: idParams,
    query: z.strictObject({
      page,
      per_page,
      state: z.enum(DELIVERY_STATES).optional().describe('Filter by state.'),
    }),
    output: z.array(webhookDeliverySchema),
    paged: true,
  }),
  redeliver: call({
    method: 'POST',
    path: '/backend/webhook-deliveries/:id/redeliver',
    summary: 'Redelivers a message with the same ID.',
    access: 'settings.update',
    params: idParams,
    output: webhookDeliverySchema,
    errors: ['too_many'],
    done: 'The message has been queued for redelivery.',
  }),
};
