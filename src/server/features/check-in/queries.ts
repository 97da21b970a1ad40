import type { Insertable, Selectable } from 'kysely';
import { normalToken } from '../../../contract/token-text.ts';
import type { Database } from '../../core/db/database.ts';
import { codeColumn, type StoredToken } from '../access-tokens/queries.ts';
import type { CheckInLinkTable } from './table.ts';

type StoredLink = Selectable<CheckInLinkTable>;

/** Links of a structure, newest first. */
export async function listLinks(db: Database, endpointId: number): Promise<StoredLink[]> {
  const query = db.selectFrom('check_in_links').selectAll().where('endpoint_id', '=', endpointId);
  return query.orderBy('id', 'desc').execute();
}

export async function insertLink(db: Database, values: Insertable<CheckInLinkTable>): Promise<StoredLink> {
  return db.insertInto('check_in_links').values(values).returningAll().executeTakeFirstOrThrow();
}

/** Deletes a link. @returns the deleted row */
export async function deleteLink(db: Database, organizationId: number, id: number): Promise<StoredLink | undefined> {
  const query = db.deleteFrom('check_in_links').where('organization_id', '=', organizationId).where('id', '=', id);
  return query.returningAll().executeTakeFirst();
}

/** A link with the name of its structure. */
export type OpenLink = StoredLink & { structure: string };

/** The unexpired link of a token in an organization. */
export async function findLink(
  db: Database,
  organizationId: number,
  hash: string,
  now: string,
): Promise<OpenLink | undefined> {
  return db
    .selectFrom('check_in_links')
    .innerJoin('endpoints', 'endpoints.id', 'check_in_links.endpoint_id')
    .selectAll('check_in_links')
    .select('endpoints.name as structure')
    .where('check_in_links.organization_id', '=', organizationId)
    .where('token_hash', '=', hash)
    .where((where) => where.or([where('expires_at', 'is', null), where('expires_at', '>', now)]))
    .executeTakeFirst();
}

/** The number of a structure's tokens, and of those that are checked in. */
export async function countGuests(db: Database, endpointId: number): Promise<{ checked_in: number; total: number }> {
  const all = db
    .selectFrom('access_tokens')
    .select(({ fn }) => fn.countAll().as('count'))
    .where('endpoint_id', '=', endpointId);
  const total = await all.executeTakeFirstOrThrow();
  // Each count reads an index only.
  const checkedIn = await all.where('checked_in_at', 'is not', null).executeTakeFirstOrThrow();
  return { checked_in: Number(checkedIn.count), total: Number(total.count) };
}

/** The latest tokens of a structure. */
export async function listGuests(db: Database, endpointId: number, limit: number): Promise<StoredToken[]> {
  const query = db.selectFrom('access_tokens').selectAll().where('endpoint_id', '=', endpointId);
  return query.orderBy('id', 'desc').limit(limit).execute();
}

/** Whether a token opens another structure of an organization. */
export async function opensAnother(db: Database, organizationId: number, code: string): Promise<boolean> {
  const normal = normalToken(code);
  const tokens = db
    .selectFrom('access_tokens')
    .select('id')
    .where('endpoint_id', 'in', (query) =>
      query.selectFrom('endpoints').select('endpoints.id').where('endpoints.organization_id', '=', organizationId),
    )
    .limit(1);
  const found =
    (await tokens.where(codeColumn(db), 'in', [code, normal]).executeTakeFirst()) ??
    (await tokens.where('normal', '=', normal).executeTakeFirst());
  return found !== undefined;
}

export async function findGuest(db: Database, endpointId: number, id: number): Promise<StoredToken | undefined> {
  const query = db.selectFrom('access_tokens').selectAll().where('id', '=', id);
  return query.where('endpoint_id', '=', endpointId).executeTakeFirst();
}

/**
 * Sets the check-in time of a token if it is the expected one, so that only one of several concurrent requests succeeds.
 * @returns whether it was set
 */
export async function setCheckIn(
  db: Database,
  id: number,
  expected: string | null,
  at: string | null,
): Promise<boolean> {
  const query = db.updateTable('access_tokens').set({ checked_in_at: at }).where('id', '=', id);
  const { numUpdatedRows } = await (expected === null
    ? query.where('checked_in_at', 'is', null)
    : query.where('checked_in_at', '=', expected)
  ).executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}
