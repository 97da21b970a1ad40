import type { Flag, Id, Json, Owned, Stamp } from '../../core/db/column-types.ts';
import type { Queued } from '../../core/jobs/queue.ts';

export interface WebhookTable extends Owned {
  name: string;
  url: string;
  /** Names of the subscribed events. */
  events: Json;
  /** Signing secret, sealed with the server's key. */
  sealed: string;
  is_paused: Flag;
  failing_since: Stamp | null;
  disabled_at: Stamp | null;
}

/** Messages to webhooks, written in the transaction that caused the event and sent from this table. */
export interface WebhookDeliveryTable extends Queued {
  id: Id;
  organization_id: number;
  webhook_id: number;
  message_id: string;
  event: string;
  payload: Json;
  created_at: Stamp;
  state: string;
  attempts: number;
  status: number | null;
  /** Beginning of the last response, or why there was none. */
  answer: string;
}

declare module '../../core/db/tables.ts' {
  interface Tables {
    webhooks: WebhookTable;
    webhook_deliveries: WebhookDeliveryTable;
  }
}
