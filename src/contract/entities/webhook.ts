import { z } from 'zod';
import { id, line } from '../../../engine/document/fields.ts';
import { stamp } from './stamp.ts';

/** Webhook events, with their labels. */
export const WEBHOOK_EVENTS = {
  'space.published': 'A space was published',
  'structure.opened': 'A visitor came to a structure where nobody was for half an hour',
  'access_token.used': 'An access token opened a structure',
  'share.received': 'A visitor shared a message',
  'stream.started': 'A live stream was started',
} as const;
export type WebhookEvent = keyof typeof WEBHOOK_EVENTS;
export const WEBHOOK_EVENT_NAMES = Object.keys(WEBHOOK_EVENTS) as [WebhookEvent, ...WebhookEvent[]];

/** Maximum webhooks per organization. */
export const MAX_WEBHOOKS = 20;

/** A webhook subscription. */
export const webhookSchema = z.object({
  id: id.describe('Id of the webhook.'),
  name: line(120).min(1, 'Give it a name.').describe('What it is for.'),
  url: z
    .url({ protocol: /^https?$/, error: 'Use an address such as https://example.com/hook.' })
    .max(2000)
    .describe('Address that is told; only the public internet is reached.'),
  events: z.array(z.enum(WEBHOOK_EVENT_NAMES)).min(1, 'Choose at least one event.').describe('What it is told of.'),
  is_paused: z.boolean().describe('Whether it is told nothing for now.'),
  failing_since: z.string().nullable().describe('Since when it has not taken anything, UTC; null while it does.'),
  disabled_at: z
    .string()
    .nullable()
    .describe('When the server stopped telling it, because it took nothing for a day; null while it is told.'),
  updated_at: stamp,
});
export type Webhook = z.output<typeof webhookSchema>;

export const DELIVERY_STATES = ['waiting', 'delivered', 'failed'] as const;
export type DeliveryState = (typeof DELIVERY_STATES)[number];

/** A delivery of an event to a webhook. */
export const webhookDeliverySchema = z.object({
  id: id.describe('Id of the delivery.'),
  message_id: z.string().describe('Id of the message, as the header `webhook-id` has it; the same for each try.'),
  event: z.string().describe('What it is about; `test` for a message that was asked for.'),
  created_at: z.string().describe('When it happened, UTC.'),
  state: z.enum(DELIVERY_STATES).describe('Whether it has been taken, is tried again, or was given up.'),
  attempts: z.int().describe('How often it was tried.'),
  next_at: z.string().nullable().describe('When it is tried next, UTC; null where it is not.'),
  status: z.int().nullable().describe('Status of the last answer; null where there was none.'),
  answer: z.string().describe('Beginning of the last answer, or why there was none.'),
  payload: z.string().describe('The body that is sent.'),
});
export type WebhookDelivery = z.output<typeof webhookDeliverySchema>;
