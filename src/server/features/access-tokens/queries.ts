import { type Insertable, type RawBuilder, type Selectable, sql, type Updateable } from 'kysely';
import { normalToken } from '../../../contract/token-text.ts';
import { type NewRecord, removedRows } from '../../core/changes/records.ts';
import { type Database, isPostgres } from '../../core/db/database.ts';
import { forUpdate } from '../../core/db/for-update.ts';
import type { AccessTokenTable } from './table.ts';

/** A stored access token. */
export type StoredToken = Selectable<AccessTokenTable>;

/** The code of a token as its index has it, through which it is found. */
export const codeColumn = (db: Database): RawBuilder<string> =>
  isPostgres(db) ? sql<string>`access_tokens.token collate "C"` : sql<string>`access_tokens.token`;

/**
 * The token of one structure that somebody entered: as it is stored, or by its normal form. Tokens that were stored before
 * there was one have theirs in a column of its own.
 */
export async function findCode(db: Database, endpointId: number, code: string): Promise<StoredToken | undefined> {
  const tokens = db.selectFrom('access_tokens').selectAll().where('endpoint_id', '=', endpointId);
  const normal = normalToken(code);
  for (const text of new Set([code, normal])) {
    const found = await tokens.where(codeColumn(db), '=', text).executeTakeFirst();
    if (found) return found;
  }
  return tokens.where('normal', '=', normal).orderBy('id').executeTakeFirst();
}

/** Tokens of a structure that are not stored in their normal form, by it. */
export async function findByNormal(
  db: Database,
  endpointId: number,
  normals: readonly string[],
): Promise<Map<string, string>> {
  const rows = await db
    .selectFrom('access_tokens')
    .select(['token', 'normal'])
    .where('endpoint_id', '=', endpointId)
    .where('normal', 'in', sql<string>`(select value from ${listOf(db, normals)})`)
    .orderBy('id', 'desc')
    .execute();
  return new Map(rows.map(({ token, normal }) => [normal!, token]));
}

/** Whether a structure has tokens that are not stored in their normal form. */
export async function hasOldForms(db: Database, endpointId: number): Promise<boolean> {
  const query = db.selectFrom('access_tokens').select('id').where('endpoint_id', '=', endpointId);
  return (await query.where('normal', 'is not', null).limit(1).executeTakeFirst()) !== undefined;
}

/** Codes of a structure as they were added, the first ones. */
export async function firstCodes(db: Database, endpointId: number, limit: number): Promise<string[]> {
  const query = db.selectFrom('access_tokens').select('token').where('endpoint_id', '=', endpointId);
  return (await query.orderBy('id').limit(limit).execute()).map(({ token }) => token);
}

/** The row of a token, locked until the transaction ends. */
export async function lockToken(db: Database, id: number): Promise<StoredToken | undefined> {
  return forUpdate(db, db.selectFrom('access_tokens').selectAll().where('id', '=', id)).executeTakeFirst();
}

/**
 * Adds a token.
 * @returns its id; undefined when the structure has this token already
 */
export async function insertToken(db: Database, values: Insertable<AccessTokenTable>): Promise<number | undefined> {
  const row = await db
    .insertInto('access_tokens')
    .values(values)
    .onConflict((conflict) => conflict.columns(['endpoint_id', 'token']).doNothing())
    .returning('id')
    .executeTakeFirst();
  return row?.id;
}

/** Whose codes are added, how long they are good, and the stamp that they get. */
export interface NewCodes {
  organizationId: number;
  endpointId: number;
  /** Minutes from the first use. */
  duration: number | null;
  validFrom?: string | null;
  validTill?: string | null;
  at: string;
}

/** Codes as a table of one column, `value`. */
export const listOf = (db: Database, codes: readonly string[]) =>
  isPostgres(db)
    ? sql`json_array_elements_text(cast(${JSON.stringify(codes)} as json)) as codes(value)`
    : sql`json_each(${JSON.stringify(codes)})`;

/** What stands beside a new code in its row. */
export const tokenColumnsOf = ({
  organizationId,
  endpointId,
  duration,
  validFrom = null,
  validTill = null,
  at,
}: NewCodes) => ({
  names: sql`organization_id, endpoint_id, valid_duration, valid_from, valid_till, created_at, updated_at, token`,
  values: sql`cast(${organizationId} as bigint), cast(${endpointId} as bigint), cast(${duration} as integer),
      cast(${validFrom} as text), cast(${validTill} as text), cast(${at} as text), cast(${at} as text)`,
});

/**
 * Adds codes to a structure in one statement, whatever their number.
 * @returns those that it did not have before
 */
export async function insertCodes(db: Database, target: NewCodes, codes: readonly string[]): Promise<string[]> {
  const { names, values } = tokenColumnsOf(target);
  const { rows } = await sql<{ token: string }>`
    insert into access_tokens (${names}) select ${values}, value from ${listOf(db, codes)} where true
    on conflict (endpoint_id, token) do nothing
    returning token
  `.execute(db);
  return rows.map(({ token }) => token);
}

/**
 * Lets PostgreSQL count again after many codes were added: taken for a small table, it would be sorted anew for every page of
 * a list or export, until the database's own round comes by.
 */
export async function notifyPlanner(db: Database): Promise<void> {
  if (isPostgres(db)) await sql`analyze access_tokens`.execute(db);
}

/**
 * The change that lets codes of a structure begin anew: unused, given to nobody, and as long as new ones.
 * @param codes a query that gives them
 */
export const renewal = (
  db: Database,
  { endpointId, duration, validFrom = null, validTill = null, at }: NewCodes,
  codes: RawBuilder<unknown>,
) =>
  db
    .updateTable('access_tokens')
    .set({ first_used_at: null, valid_from: validFrom, valid_till: validTill, valid_duration: duration })
    .set({ holder_name: null, holder_email: null, updated_at: at })
    .where('endpoint_id', '=', endpointId)
    .where(codeColumn(db), 'in', sql<string>`(${codes})`);

export async function updateToken(db: Database, id: number, values: Updateable<AccessTokenTable>): Promise<void> {
  await db.updateTable('access_tokens').set(values).where('id', '=', id).execute();
}

/** Rows that one statement names by their ids. */
const NAMED_AT_ONCE = 500;

/**
 * Removes tokens.
 * @returns the rows that there were
 */
export async function deleteTokens(
  db: Database,
  organizationId: number,
  ids: readonly number[],
): Promise<StoredToken[]> {
  const removed: StoredToken[] = [];
  for (let start = 0; start < ids.length; start += NAMED_AT_ONCE)
    removed.push(
      ...(await db
        .deleteFrom('access_tokens')
        .where('organization_id', '=', organizationId)
        .where('id', 'in', ids.slice(start, start + NAMED_AT_ONCE))
        .returningAll()
        .execute()),
    );
  return removed;
}

/** Number of codes of a structure that have not ended. */
export async function countLive(db: Database, endpointId: number, now: string): Promise<number> {
  const { count } = await db
    .selectFrom('access_tokens')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('endpoint_id', '=', endpointId)
    .where((where) => where.or([where('valid_till', 'is', null), where('valid_till', '>', now)]))
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** Columns of a token that exports have. */
const EXPORTED = [
  'id',
  'token',
  'valid_from',
  'valid_till',
  'valid_duration',
  'first_used_at',
  'holder_name',
  'holder_email',
] as const;

/** A token as exports have it. */
export type CodeRow = Pick<StoredToken, (typeof EXPORTED)[number]>;

/** Whether it is known of any token of a structure to whom it was given. */
export async function hasHolders(db: Database, endpointId: number): Promise<boolean> {
  for (const column of ['holder_name', 'holder_email'] as const) {
    const query = db.selectFrom('access_tokens').select('id').where('endpoint_id', '=', endpointId);
    if (await query.where(column, 'is not', null).limit(1).executeTakeFirst()) return true;
  }
  return false;
}

/** Rows that one reading of an export takes. */
const IDS_PER_STATEMENT = 5000;

/** Every code of a structure, oldest first, a part at a time: no list of them is ever held as a whole. */
export async function* codesOf(db: Database, endpointId: number): AsyncGenerator<CodeRow[]> {
  for (let last = 0; ; ) {
    const rows = await db
      .selectFrom('access_tokens')
      .select(EXPORTED)
      .where('endpoint_id', '=', endpointId)
      .where('id', '>', last)
      .orderBy('id')
      .limit(IDS_PER_STATEMENT)
      .execute();
    if (rows.length > 0) yield rows;
    if (rows.length < IDS_PER_STATEMENT) return;
    last = rows.at(-1)!.id;
  }
}

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
