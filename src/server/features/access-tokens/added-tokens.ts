import type { Database } from '../../core/db/database.ts';
import { idRanges } from './queries.ts';

/** Tokens of one bulk insert: all in an id range with the same stamp. */
export interface AddedTokens {
  first: number;
  last: number;
  count: number;
  at: string;
}

const addedRows = (db: Database, endpointId: number, { first, last, at }: AddedTokens) =>
  db
    .selectFrom('access_tokens')
    .where('endpoint_id', '=', endpointId)
    .where('id', '>=', first)
    .where('id', '<=', last)
    .where('created_at', '=', at);

/** The tokens added to a structure after an id with a given stamp; null if there are none. */
export async function findAddedTokens(
  db: Database,
  endpointId: number,
  { lastId, at }: { lastId: number; at: string },
): Promise<AddedTokens | null> {
  const added = { first: Number.POSITIVE_INFINITY, last: 0, count: 0, at };
  for await (const [from, to] of idRanges(db, lastId)) {
    const { first, last, count } = await db
      .selectFrom('access_tokens')
      .select(({ fn }) => [fn.min('id').as('first'), fn.max('id').as('last'), fn.countAll().as('count')])
      .where((where) => where.between('id', from, to))
      .where('endpoint_id', '=', endpointId)
      .where('created_at', '=', at)
      .executeTakeFirstOrThrow();
    added.first = Math.min(added.first, Number(first ?? added.first));
    added.last = Math.max(added.last, Number(last ?? 0));
    added.count += Number(count);
  }
  return added.count === 0 ? null : added;
}

/** The number of unchanged tokens of a bulk insert. */
export async function countUntouched(db: Database, endpointId: number, added: AddedTokens): Promise<number> {
  const { count } = await addedRows(db, endpointId, added)
    .select(({ fn }) => fn.countAll().as('count'))
    .where('updated_at', '=', added.at)
    .where((where) => where.or([where('first_used_at', 'is', null), where('first_used_at', '<=', added.at)]))
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** Deletes the tokens of a bulk insert. @returns the number of deleted tokens */
export async function deleteAddedTokens(
  db: Database,
  endpointId: number,
  { first, last, at }: AddedTokens,
): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('access_tokens')
    .where('endpoint_id', '=', endpointId)
    .where('created_at', '=', at)
    .where('id', '>=', first)
    .where('id', '<=', last)
    .executeTakeFirstOrThrow();
  return Number(numDeletedRows);
}
