import type { SelectQueryBuilder } from 'kysely';
import { type Database, isPostgres } from './database.ts';
import type { Tables } from './tables.ts';

/**
 * Keeps the rows of a query for this transaction, so that changes that depend on each other happen one after another.
 * Rows that only refer to them may be added meanwhile: whoever adds one could hold what this transaction asks for next.
 * SQLite needs nothing for it: one transaction runs at a time.
 */
export const forUpdate = <T extends keyof Tables, O>(
  db: Database,
  query: SelectQueryBuilder<Tables, T, O>,
): SelectQueryBuilder<Tables, T, O> => (isPostgres(db) ? query.forNoKeyUpdate() : query);

/** Lets changes of an organization's tree of structures, templates and the like happen one after another. */
export async function lockOrganization(db: Database, organizationId: number): Promise<void> {
  await forUpdate(db, db.selectFrom('organizations').select('id').where('id', '=', organizationId)).execute();
}
