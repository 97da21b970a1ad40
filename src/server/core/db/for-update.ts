import type { SelectQueryBuilder } from 'kysely';
import { type Database, isPostgres } from './database.ts';
import type { Tables } from './tables.ts';

/**
 * Locks a query's rows for this transaction, so that dependent changes are serialized. Rows that only refer to them can
 * still be inserted: blocking those could deadlock. SQLite needs no lock: one transaction runs at a time.
 */
export const forUpdate = <T extends keyof Tables, O>(
  db: Database,
  query: SelectQueryBuilder<Tables, T, O>,
): SelectQueryBuilder<Tables, T, O> => (isPostgres(db) ? query.forNoKeyUpdate() : query);

/** Serializes changes of an organization's tree, templates and so on. */
export async function lockOrganization(db: Database, organizationId: number): Promise<void> {
  await forUpdate(db, db.selectFrom('organizations').select('id').where('id', '=', organizationId)).execute();
}
