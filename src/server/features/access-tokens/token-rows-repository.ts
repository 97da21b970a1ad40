import type { Updateable } from 'kysely';
import { type NewRecord, removedRows } from '../../core/changes/records.ts';
import type { Database } from '../../core/db/database.ts';
import type { StoredToken } from './access-tokens-repository.ts';
import type { AccessTokenTable } from './table.ts';

/** Rows that one reading takes. */
const CHUNK = 500;

/** Tokens that were added at once: all between two ids with one stamp. */
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

/** Every token of a structure as it is stored, some at a time. */
export async function* tokenRowsOf(db: Database, endpointId: number): AsyncGenerator<StoredToken[]> {
  for (let after = 0; ; ) {
    const query = db.selectFrom('access_tokens').selectAll().where('endpoint_id', '=', endpointId);
    const rows = await query.where('id', '>', after).orderBy('id').limit(CHUNK).execute();
    if (rows.length > 0) yield rows;
    if (rows.length < CHUNK) return;
    after = rows.at(-1)!.id;
  }
}

/** The tokens with these ids that there are. */
export async function findTokenRows(db: Database, ids: readonly number[]): Promise<StoredToken[]> {
  return db.selectFrom('access_tokens').selectAll().where('id', 'in', ids).orderBy('id').execute();
}

/** Whether a structure has any token. */
export async function hasTokens(db: Database, endpointId: number): Promise<boolean> {
  const query = db.selectFrom('access_tokens').select('id').where('endpoint_id', '=', endpointId).limit(1);
  return (await query.executeTakeFirst()) !== undefined;
}

/** Highest id of a token; 0 where there is none. */
export async function findLastTokenId(db: Database): Promise<number> {
  const { id } = await db
    .selectFrom('access_tokens')
    .select(({ fn }) => fn.max('id').as('id'))
    .executeTakeFirstOrThrow();
  return Number(id ?? 0);
}

/** What was added to a structure with a stamp after an id; null for nothing. */
export async function findAddedTokens(
  db: Database,
  endpointId: number,
  { lastId, at }: { lastId: number; at: string },
): Promise<AddedTokens | null> {
  const { first, last, count } = await db
    .selectFrom('access_tokens')
    .select(({ fn }) => [fn.min('id').as('first'), fn.max('id').as('last'), fn.countAll().as('count')])
    .where('endpoint_id', '=', endpointId)
    .where('id', '>', lastId)
    .where('created_at', '=', at)
    .executeTakeFirstOrThrow();
  return Number(count) === 0 ? null : { first: Number(first), last: Number(last), count: Number(count), at };
}

/** How many of the tokens that were added at once are as they were. */
export async function countUntouched(db: Database, endpointId: number, added: AddedTokens): Promise<number> {
  const { count } = await addedRows(db, endpointId, added)
    .select(({ fn }) => fn.countAll().as('count'))
    .where('updated_at', '=', added.at)
    .where((where) => where.or([where('first_used_at', 'is', null), where('first_used_at', '<=', added.at)]))
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** Adds tokens with their ids, but for those whose id or code is there. @returns how many */
export async function insertTokenRows(db: Database, rows: readonly StoredToken[]): Promise<number> {
  const query = db
    .insertInto('access_tokens')
    .values([...rows])
    .onConflict((conflict) => conflict.doNothing());
  return Number((await query.executeTakeFirstOrThrow()).numInsertedOrUpdatedRows ?? 0);
}

/** Changes a token of a structure. @returns whether it is there */
export async function updateTokenOf(
  db: Database,
  endpointId: number,
  id: number,
  values: Updateable<AccessTokenTable>,
): Promise<boolean> {
  const query = db.updateTable('access_tokens').set(values).where('id', '=', id).where('endpoint_id', '=', endpointId);
  return (await query.executeTakeFirstOrThrow()).numUpdatedRows > 0n;
}

/** Deletes the tokens that were added at once. @returns how many there were */
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

/** Access tokens that one record has. */
const TOKENS_PER_RECORD = 500;

/**
 * Records of access tokens that are removed.
 * @param kind `access_tokens` for those that are restored by themselves, `endpoint_tokens` for a job's of one structure
 */
export function* removedTokens(
  kind: 'access_tokens' | 'endpoint_tokens',
  about: { id: number; name?: string },
  tokens: readonly StoredToken[],
): Generator<NewRecord> {
  for (let start = 0; start < tokens.length; start += TOKENS_PER_RECORD)
    yield removedRows(kind, about, tokens.slice(start, start + TOKENS_PER_RECORD));
}
