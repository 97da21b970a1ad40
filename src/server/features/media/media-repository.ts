import type { Updateable } from 'kysely';
import type { MediaType } from '../../../contract/entities.ts';
import type { Database } from '../../core/db/database.ts';
import { containsWords } from '../../core/db/search.ts';
import type { MediaRow } from './media-row.ts';
import type { MediaTable } from './table.ts';

/** Values that one question to the database names. */
const CHUNK = 500;

const rowsIn = (db: Database, organizationId: number) =>
  db.selectFrom('media').where('organization_id', '=', organizationId);

/** Which files a list is asked for. */
export interface MediaFilter {
  /** Kinds; all where none are named. */
  types: readonly MediaType[];
  userId?: number;
  ids?: readonly number[];
  search?: string;
}

/** Files of an organization's library, newest first, and how many there are on all pages. */
export async function listMedia(
  db: Database,
  organizationId: number,
  { types, userId, ids, search }: MediaFilter,
  { limit, offset }: { limit: number; offset: number },
): Promise<{ rows: MediaRow[]; total: number }> {
  let found = rowsIn(db, organizationId);
  if (types.length > 0) found = found.where('type', 'in', types);
  if (userId !== undefined) found = found.where('user_id', '=', userId);
  if (ids) found = found.where('id', 'in', ids);
  if (search) found = found.where(containsWords('name', search));
  const { total } = await found.select(({ fn }) => fn.countAll<number>().as('total')).executeTakeFirstOrThrow();
  const rows = await found.selectAll().orderBy('id', 'desc').limit(limit).offset(offset).execute();
  return { rows, total: Number(total) };
}

export async function findMedia(db: Database, organizationId: number, id: number): Promise<MediaRow | undefined> {
  return rowsIn(db, organizationId).selectAll().where('id', '=', id).executeTakeFirst();
}

/** The files of an organization's library with a content, oldest first. */
export async function findMediaByHash(db: Database, organizationId: number, hash: string): Promise<MediaRow[]> {
  return rowsIn(db, organizationId).selectAll().where('hash', '=', hash).orderBy('id').execute();
}

export async function updateMedia(db: Database, id: number, values: Updateable<MediaTable>): Promise<void> {
  await db.updateTable('media').set(values).where('id', '=', id).execute();
}

export async function deleteMedia(db: Database, id: number): Promise<void> {
  await db.deleteFrom('media').where('id', '=', id).execute();
}

/** The organizations that have each of these contents in their library. */
export async function findHolders(
  db: Database,
  hashes: readonly string[],
): Promise<ReadonlyMap<string, ReadonlySet<number>>> {
  const holders = new Map<string, Set<number>>();
  for (let start = 0; start < hashes.length; start += CHUNK) {
    const some = hashes.slice(start, start + CHUNK);
    const query = db.selectFrom('media').select(['hash', 'organization_id']).distinct().where('hash', 'in', some);
    for (const { hash, organization_id } of await query.execute())
      holders.set(hash, (holders.get(hash) ?? new Set()).add(organization_id));
  }
  return holders;
}
