import type { Insertable, Selectable, Updateable } from 'kysely';
import type { Database } from '../../core/db/database.ts';
import type { BulkJobTable } from './table.ts';

export type StoredBulkJob = Selectable<BulkJobTable>;

/** Adds a job. @returns its id */
export async function insertBulkJob(db: Database, values: Insertable<BulkJobTable>): Promise<number> {
  const { id } = await db.insertInto('bulk_jobs').values(values).returning('id').executeTakeFirstOrThrow();
  return id;
}

/** A job that a user has started. */
export async function findBulkJob(db: Database, userId: number, id: number): Promise<StoredBulkJob | undefined> {
  return db.selectFrom('bulk_jobs').selectAll().where('id', '=', id).where('user_id', '=', userId).executeTakeFirst();
}

export async function updateBulkJob(db: Database, id: number, values: Updateable<BulkJobTable>): Promise<void> {
  await db.updateTable('bulk_jobs').set(values).where('id', '=', id).execute();
}

/** Removes jobs that have not come on since a moment. */
export async function deleteBulkJobsBefore(db: Database, before: string): Promise<void> {
  await db.deleteFrom('bulk_jobs').where('touched_at', '<', before).execute();
}
