import type { Insertable, Selectable, Updateable } from 'kysely';
import type { BulkActionName, BulkEffects } from '../../../contract/entities.ts';
import type { Database } from '../../core/db/database.ts';
import type { CallContext } from '../../core/http/call-context.ts';
import type { BulkJobTable } from './table.ts';

type StoredBulkJob = Selectable<BulkJobTable>;

/** Adds a job. @returns its id */
export async function insertBulkJob(db: Database, values: Insertable<BulkJobTable>): Promise<number> {
  const { id } = await db.insertInto('bulk_jobs').values(values).returning('id').executeTakeFirstOrThrow();
  return id;
}

/** A job that a user started. */
export async function findBulkJob(db: Database, userId: number, id: number): Promise<StoredBulkJob | undefined> {
  return db.selectFrom('bulk_jobs').selectAll().where('id', '=', id).where('user_id', '=', userId).executeTakeFirst();
}

export async function updateBulkJob(db: Database, id: number, values: Updateable<BulkJobTable>): Promise<void> {
  await db.updateTable('bulk_jobs').set(values).where('id', '=', id).execute();
}

/** Deletes jobs without progress since a moment. */
export async function deleteBulkJobsBefore(db: Database, before: string): Promise<void> {
  await db.deleteFrom('bulk_jobs').where('touched_at', '<', before).execute();
}

const countOf = async (query: { executeTakeFirstOrThrow(): Promise<{ count: number }> }): Promise<number> =>
  Number((await query.executeTakeFirstOrThrow()).count);

/** Side effects of a bulk action. */
export async function effectsOf(
  { db, organizationId }: Pick<CallContext, 'db' | 'organizationId'>,
  action: BulkActionName,
  ids: readonly number[],
): Promise<BulkEffects> {
  const endpoints = db
    .selectFrom('endpoints')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('organization_id', '=', organizationId);
  if (action === 'rooms.remove')
    return { structures: await countOf(endpoints.where('room_id', 'in', ids)), access_tokens: 0 };
  if (action !== 'endpoints.remove') return { structures: 0, access_tokens: 0 };
  const tokens = db
    .selectFrom('access_tokens')
    .innerJoin('endpoints', 'endpoints.id', 'access_tokens.endpoint_id')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('endpoints.organization_id', '=', organizationId)
    .where((where) => where.or([where('endpoints.id', 'in', ids), where('endpoints.parent_endpoint_id', 'in', ids)]));
  const below = endpoints.where('parent_endpoint_id', 'in', ids).where('id', 'not in', ids);
  return { structures: await countOf(below), access_tokens: await countOf(tokens) };
}
