import type { Flag, Id, Json, Owned, Stamp } from '../../core/db/column-types.ts';

/** Addresses that are told what happens. */
export interface WebhookTable extends Owned {
  name: string;
  url: string;
  /** Names of the events that it is told of. */
  events: Json;
  /** Key of its signatures, sealed with the server's own key. */
  sealed: string;
  is_paused: Flag;
  failing_since: Stamp | null;
  disabled_at: Stamp | null;
}

/** What webhooks are told: it is written in the transaction of what happened, and sent from here. */
export interface WebhookDeliveryTable {
  id: Id;
  organization_id: number;
  webhook_id: number;
  message_id: string;
  event: string;
  payload: Json;
  created_at: Stamp;
  state: string;
  attempts: number;
  /** When it is tried next; null where it is not. */
  next_at: Stamp | null;
  status: number | null;
  /** Beginning of the last answer, or why there was none. */
  answer: string;
}

declare module '../../core/db/tables.ts' {
  interface Tables {
    webhooks: WebhookTable;
    webhook_deliveries: WebhookDeliveryTable;
  }
}
