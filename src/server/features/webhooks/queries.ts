import type { Insertable, Selectable, Updateable } from 'kysely';
import type { DeliveryState, WebhookEvent } from '../../../contract/entities.ts';
import { recordedRows } from '../../core/changes/recorded-rows.ts';
import type { Database } from '../../core/db/database.ts';
import { offsetOf, type Paging } from '../../core/db/paging.ts';
import type { WebhookDeliveryTable, WebhookTable } from './table.ts';

export type WebhookRow = Selectable<WebhookTable>;
export type DeliveryRow = Selectable<WebhookDeliveryTable>;

/** Settings of a webhook, as the API and the change log show them. */
export const settingsOf = ({ name, url, events, is_paused }: WebhookRow) => ({
  name,
  url,
  events: JSON.parse(events) as WebhookEvent[],
  is_paused: is_paused === 1,
});

export const webhookRows = recordedRows('webhooks', { entity: 'webhook', logged: settingsOf });

const webhooksIn = (db: Database, organizationId: number) =>
  db.selectFrom('webhooks').selectAll().where('organization_id', '=', organizationId).orderBy('id');

/** Webhooks of an organization, oldest first. */
export const listWebhooks = (db: Database, organizationId: number): Promise<WebhookRow[]> =>
  webhooksIn(db, organizationId).execute();

/** Webhooks that receive events: neither paused nor disabled. */
export const listActiveWebhooks = (db: Database, organizationId: number): Promise<WebhookRow[]> =>
  webhooksIn(db, organizationId).where('is_paused', '=', 0).where('disabled_at', 'is', null).execute();

/** Updates the delivery status of a webhook. It isn't an edit, so it leaves no change record. */
export async function setFailing(
  db: Database,
  id: number,
  values: Pick<Updateable<WebhookTable>, 'failing_since' | 'disabled_at'>,
): Promise<void> {
  await db.updateTable('webhooks').set(values).where('id', '=', id).execute();
}

/** A page of a webhook's deliveries, newest first, and the total number. */
export async function listDeliveries(
  db: Database,
  webhookId: number,
  query: Paging & { state?: DeliveryState },
): Promise<{ rows: DeliveryRow[]; total: number }> {
  let found = db.selectFrom('webhook_deliveries').where('webhook_id', '=', webhookId);
  if (query.state) found = found.where('state', '=', query.state);
  const { total } = await found.select(({ fn }) => fn.countAll<number>().as('total')).executeTakeFirstOrThrow();
  const rows = await found.selectAll().orderBy('id', 'desc').limit(query.per_page).offset(offsetOf(query)).execute();
  return { rows, total: Number(total) };
}

export const findDelivery = (db: Database, organizationId: number, id: number): Promise<DeliveryRow | undefined> =>
  db
    .selectFrom('webhook_deliveries')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .executeTakeFirst();

export const insertDeliveries = (db: Database, values: Insertable<WebhookDeliveryTable>[]): Promise<DeliveryRow[]> =>
  db.insertInto('webhook_deliveries').values(values).returningAll().execute();

export async function updateDelivery(
  db: Database,
  id: number,
  values: Updateable<WebhookDeliveryTable>,
): Promise<void> {
  await db.updateTable('webhook_deliveries').set(values).where('id', '=', id).execute();
}

/** Number of test events of a webhook. @param since stamp of the earliest one that counts */
export async function countTests(db: Database, webhookId: number, since: string): Promise<number> {
  const { count } = await db
    .selectFrom('webhook_deliveries')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('webhook_id', '=', webhookId)
    .where('event', '=', 'test')
    .where('created_at', '>=', since)
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** A due delivery with the columns of its webhook that sending needs. */
export type DueDelivery = DeliveryRow & Pick<WebhookRow, 'url' | 'sealed' | 'failing_since'>;

/** A delivery to send; undefined if its webhook was removed. */
export const findDue = (db: Database, id: number): Promise<DueDelivery | undefined> =>
  db
    .selectFrom('webhook_deliveries')
    .innerJoin('webhooks', 'webhooks.id', 'webhook_deliveries.webhook_id')
    .selectAll('webhook_deliveries')
    .select(['webhooks.url', 'webhooks.sealed', 'webhooks.failing_since'])
    .where('webhook_deliveries.id', '=', id)
    .executeTakeFirst();

/** Undelivered events and broken webhooks of all organizations. */
export interface Backlog {
  waiting: number;
  /** Stamp of the oldest undelivered event; null if there is none. */
  oldest: string | null;
  failing: number;
  disabled: number;
}

export async function countBacklog(db: Database): Promise<Backlog> {
  const { waiting, oldest } = await db
    .selectFrom('webhook_deliveries')
    .select(({ fn }) => [fn.countAll<number>().as('waiting'), fn.min('created_at').as('oldest')])
    .where('next_at', 'is not', null)
    .executeTakeFirstOrThrow();
  const { failing, disabled } = await db
    .selectFrom('webhooks')
    .select(({ fn }) => [
      fn.count<number>('failing_since').as('failing'),
      fn.count<number>('disabled_at').as('disabled'),
    ])
    .executeTakeFirstOrThrow();
  return { waiting: Number(waiting), oldest, failing: Number(failing), disabled: Number(disabled) };
}

/** Deletes old deliveries. @param before stamp */
export async function deleteDeliveries(db: Database, before: string): Promise<void> {
  await db.deleteFrom('webhook_deliveries').where('created_at', '<', before).execute();
}
