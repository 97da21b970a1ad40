import type { DeliveryState, Webhook, WebhookDelivery, WebhookEvent } from '../../../contract/entities.ts';
import type { DeliveryRow, WebhookRow } from '../../store/webhooks/webhooks-repository.ts';

/** A webhook as the API gives it: without its secret. */
export const readWebhook = ({
  id,
  name,
  url,
  events,
  is_paused,
  failing_since,
  disabled_at,
  updated_at,
}: WebhookRow): Webhook => ({
  id,
  name,
  url,
  events: JSON.parse(events) as WebhookEvent[],
  is_paused: is_paused === 1,
  failing_since,
  disabled_at,
  updated_at,
});

/** A webhook as the change log has it. */
export const loggedWebhook = ({
  name,
  url,
  events,
  is_paused,
}: Pick<WebhookRow, 'name' | 'url' | 'events' | 'is_paused'>) => ({
  name,
  url,
  events: JSON.parse(events) as WebhookEvent[],
  is_paused: is_paused === 1,
});

/** A delivery as the API gives it. */
export const readDelivery = ({
  id,
  message_id,
  event,
  created_at,
  state,
  attempts,
  next_at,
  status,
  answer,
  payload,
}: DeliveryRow): WebhookDelivery => ({
  id,
  message_id,
  event,
  created_at,
  state: state as DeliveryState,
  attempts,
  next_at,
  status,
  answer,
  payload,
});
