import type { Insertable, Selectable, Updateable } from 'kysely';
import type { DeliveryState } from '../../../contract/entities.ts';
import { type Database, isPostgres } from '../../core/db/database.ts';
import { forUpdate } from '../../core/db/for-update.ts';
import { offsetOf, type Paging } from '../../core/db/paging.ts';
import type { WebhookDeliveryTable, WebhookTable } from './table.ts';

export type WebhookRow = Selectable<WebhookTable>;
export type DeliveryRow = Selectable<WebhookDeliveryTable>;

const webhooksIn = (db: Database, organizationId: number) =>
  db.selectFrom('webhooks').selectAll().where('organization_id', '=', organizationId);

/** Webhooks of an organization in the order in which they were added. */
export const listWebhooks = (db: Database, organizationId: number): Promise<WebhookRow[]> =>
  webhooksIn(db, organizationId).orderBy('id').execute();

export const findWebhook = (db: Database, organizationId: number, id: number): Promise<WebhookRow | undefined> =>
  webhooksIn(db, organizationId).where('id', '=', id).executeTakeFirst();

/** Like `findWebhook`, and locks the row until the transaction ends. */
export const lockWebhook = (db: Database, organizationId: number, id: number): Promise<WebhookRow | undefined> =>
  forUpdate(db, webhooksIn(db, organizationId).where('id', '=', id)).executeTakeFirst();

export const insertWebhook = (db: Database, values: Insertable<WebhookTable>): Promise<WebhookRow> =>
  db.insertInto('webhooks').values(values).returningAll().executeTakeFirstOrThrow();

export async function updateWebhook(db: Database, id: number, values: Updateable<WebhookTable>): Promise<void> {
  await db.updateTable('webhooks').set(values).where('id', '=', id).execute();
}

export async function deleteWebhook(db: Database, id: number): Promise<void> {
  await db.deleteFrom('webhooks').where('id', '=', id).execute();
}

/** What a webhook was told, newest first, and how much there is on all pages. */
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

export const insertDelivery = (db: Database, values: Insertable<WebhookDeliveryTable>): Promise<DeliveryRow> =>
  db.insertInto('webhook_deliveries').values(values).returningAll().executeTakeFirstOrThrow();

export async function updateDelivery(
  db: Database,
  id: number,
  values: Updateable<WebhookDeliveryTable>,
): Promise<void> {
  await db.updateTable('webhook_deliveries').set(values).where('id', '=', id).execute();
}

/** How much a webhook was asked to be told by hand since a moment. @param since stamp */
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

/** What is due, and whom it is for. */
export type DueDelivery = DeliveryRow & Pick<WebhookRow, 'url' | 'sealed' | 'failing_since'>;

/** Organizations that have something due, the one that has waited longest first. @param now stamp */
export async function dueOrganizations(db: Database, now: string): Promise<number[]> {
  const rows = await db
    .selectFrom('webhook_deliveries')
    .select('organization_id')
    .where('state', '=', 'waiting')
    .where('next_at', '<=', now)
    .groupBy('organization_id')
    .orderBy(({ fn }) => fn.min('next_at'))
    .execute();
  return rows.map(({ organization_id }) => organization_id);
}

/**
 * Takes what is due of an organization, so that nobody else takes it before another moment: whoever dies meanwhile leaves it to the next.
 * @param now stamp, like `till`
 */
export async function takeDue(
  database: Database,
  { organizationId, now, till, most }: { organizationId: number; now: string; till: string; most: number },
): Promise<DueDelivery[]> {
  return database.transaction().execute(async (db) => {
    const due = db
      .selectFrom('webhook_deliveries')
      .select('id')
      .where('organization_id', '=', organizationId)
      .where('state', '=', 'waiting')
      .where('next_at', '<=', now)
      .orderBy('next_at')
      .limit(most);
    const ids = (await (isPostgres(db) ? due.forUpdate().skipLocked() : due).execute()).map(({ id }) => id);
    if (ids.length === 0) return [];
    await db.updateTable('webhook_deliveries').set({ next_at: till }).where('id', 'in', ids).execute();
    return db
      .selectFrom('webhook_deliveries')
      .innerJoin('webhooks', 'webhooks.id', 'webhook_deliveries.webhook_id')
      .selectAll('webhook_deliveries')
      .select(['webhooks.url', 'webhooks.sealed', 'webhooks.failing_since'])
      .where('webhook_deliveries.id', 'in', ids)
      .orderBy('webhook_deliveries.id')
      .execute();
  });
}

/** Forgets what webhooks were told before a moment. @param before stamp */
export async function forgetDeliveries(db: Database, before: string): Promise<void> {
  await db.deleteFrom('webhook_deliveries').where('created_at', '<', before).execute();
}

/**
 * Notes that somebody came to a structure.
 * @param quietSince stamp
 * @returns whether nobody had come since then; of several at the same moment, one is told so
 */
export async function noteStructureVisit(
  db: Database,
  {
    organization_id,
    endpoint_id,
    at,
    quietSince,
  }: { organization_id: number; endpoint_id: number; at: string; quietSince: string },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('structure_visits')
    .set({ at })
    .where('endpoint_id', '=', endpoint_id)
    .where('at', '<', quietSince)
    .executeTakeFirst();
  if (numUpdatedRows > 0n) return true;
  const added = await db
    .insertInto('structure_visits')
    .values({ organization_id, endpoint_id, at })
    .onConflict((conflict) => conflict.column('endpoint_id').doNothing())
    .returning('id')
    .executeTakeFirst();
  if (added) return true;
  await db
    .updateTable('structure_visits')
    .set({ at })
    .where('endpoint_id', '=', endpoint_id)
    .where('at', '<', at)
    .execute();
  return false;
}
