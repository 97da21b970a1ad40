import { z } from 'zod';
import { id, line } from '../../../engine/document/fields.ts';
import { stamp } from './stamp.ts';

/** Events that a webhook can subscribe to, with their labels. */
export const WEBHOOK_EVENTS = {
  'space.published': 'A space was published',
  'structure.opened': 'A visitor entered a structure for the first time in half an hour',
  'access_token.used': 'An access token opened a structure',
  'share.received': 'A visitor shared a message',
  'stream.started': 'A live stream was started',
} as const;
export type WebhookEvent = keyof typeof WEBHOOK_EVENTS;
export const WEBHOOK_EVENT_NAMES = Object.keys(WEBHOOK_EVENTS) as [WebhookEvent, ...WebhookEvent[]];

/** Webhooks of an organization. */
export const MAX_WEBHOOKS = 20;

/** A webhook subscription. */
export const webhookSchema = z.object({
  id: id.describe('Webhook ID.'),
  name: line(120).min(1, 'Give the webhook a name.').describe('Webhook name.'),
  url: z
    .url({ protocol: /^https?$/, error: 'Use a URL such as https://example.com/hook.' })
    .max(2000)
    .describe('URL that receives the events. It must be on the public internet.'),
  events: z.array(z.enum(WEBHOOK_EVENT_NAMES)).min(1, 'Choose at least one event.').describe('Subscribed events.'),
  is_paused: z.boolean().describe('Whether deliveries are paused.'),
  failing_since: z
    .string()
    .nullable()
    .describe('Time of the first failed delivery since the last successful one, in UTC; null if none failed.'),
  disabled_at: z
    .string()
    .nullable()
    .describe(
      'Time in UTC when the server disabled the webhook, after 24 hours of failed deliveries; null if enabled.',
    ),
  updated_at: stamp,
});
export type Webhook = z.output<typeof webhookSchema>;

export const DELIVERY_STATES = ['waiting', 'delivered', 'failed'] as const;
export type DeliveryState = (typeof DELIVERY_STATES)[number];

/** A message to a webhook. */
export const webhookDeliverySchema = z.object({
  id: id.describe('Delivery ID.'),
  message_id: z.string().describe('Message ID, as in the `webhook-id` header; the same for each attempt.'),
  event: z.string().describe('Event name; `test` for a test event.'),
  created_at: z.string().describe('Time of the event in UTC.'),
  state: z
    .enum(DELIVERY_STATES)
    .describe('Delivery state: waiting for the next attempt, delivered, or failed after the last attempt.'),
  attempts: z.int().describe('Number of attempts so far.'),
  next_at: z.string().nullable().describe('Time of the next attempt in UTC; null if there is none.'),
  status: z.int().nullable().describe('HTTP status of the last response; null if there was none.'),
  answer: z.string().describe('Beginning of the last response, or the connection error.'),
  payload: z.string().describe('Request body.'),
});
export type WebhookDelivery = z.output<typeof webhookDeliverySchema>;
