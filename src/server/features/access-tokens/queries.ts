import { setImmediate as nextTurn } from 'node:timers/promises';
import { type Insertable, type RawBuilder, type Selectable, sql, type Updateable } from 'kysely';
import { normalToken } from '../../../contract/token-text.ts';
import { type NewRecord, removedRows } from '../../core/changes/records.ts';
import { type Database, isPostgres } from '../../core/db/database.ts';
import { forUpdate } from '../../core/db/for-update.ts';
import { plainCondition } from '../users/limits.ts';
import type { AccessTokenTable } from './table.ts';

/** A stored access token. */
export type StoredToken = Selectable<AccessTokenTable>;

/** The indexed form of a token's code, by which lookups find it. */
export const codeColumn = (db: Database): RawBuilder<string> =>
  isPostgres(db) ? sql<string>`access_tokens.token collate "C"` : sql<string>`access_tokens.token`;

/**
 * Finds an entered token of one structure: as stored, or by its normal form. Tokens stored before normalization have
 * their normal form in a separate column.
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

/** Tokens of a structure that are not stored in their normal form, by normal form. */
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

/** The first codes of a structure in insertion order. */
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
 * @returns its id; undefined if the structure already has this token
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

/** The structure, validity and creation stamp of added codes. */
export interface NewCodes {
  organizationId: number;
  endpointId: number;
  /** Minutes from the first use. */
  duration: number | null;
  validFrom?: string | null;
  validTill?: string | null;
  group?: string | null;
  note?: string | null;
  at: string;
}

/** Codes as a table expression with one column, `value`. */
export const listOf = (db: Database, codes: readonly string[]) =>
  isPostgres(db)
    ? sql`json_array_elements_text(cast(${JSON.stringify(codes)} as json)) as codes(value)`
    : sql`json_each(${JSON.stringify(codes)})`;

/** The other columns of a new code. */
export const tokenColumnsOf = ({
  organizationId,
  endpointId,
  duration,
  validFrom = null,
  validTill = null,
  group = null,
  note = null,
  at,
}: NewCodes) => ({
  names: sql`organization_id, endpoint_id, valid_duration, valid_from, valid_till, group_name, note, created_at, updated_at, token`,
  values: sql`cast(${organizationId} as bigint), cast(${endpointId} as bigint), cast(${duration} as integer),
      cast(${validFrom} as text), cast(${validTill} as text), cast(${group} as text), cast(${note} as text),
      cast(${at} as text), cast(${at} as text)`,
});

/**
 * Adds any number of different codes to a structure in one statement. `returning` would take a third of the time, so the
 * new codes are only read if some were there already.
 * @returns the new ones
 */
export async function insertCodes(
  db: Database,
  target: NewCodes,
  codes: readonly string[],
): Promise<readonly string[]> {
  const { names, values } = tokenColumnsOf(target);
  const last = await findLastTokenId(db);
  const { numAffectedRows } = await sql`
    insert into access_tokens (${names}) select ${values}, value from ${listOf(db, codes)} where true
    on conflict (endpoint_id, token) do nothing
  `.execute(db);
  if (Number(numAffectedRows) === codes.length) return codes;
  const rows = await db
    .selectFrom('access_tokens')
    .select('token')
    .where('endpoint_id', '=', target.endpointId)
    .where('id', '>', last)
    .where('created_at', '=', target.at)
    .execute();
  return rows.map(({ token }) => token);
}

/**
 * Refreshes PostgreSQL's planner statistics after a bulk insert. Until autovacuum does so, the planner assumes a small
 * table and sorts it for every page of a list or export.
 */
export async function notifyPlanner(db: Database): Promise<void> {
  if (isPostgres(db)) await sql`analyze access_tokens`.execute(db);
}

/**
 * The update that renews codes of a structure: unused, without holder, group and note, and with the duration of new codes.
 * @param codes a query that selects them
 */
export const renewal = (
  db: Database,
  { endpointId, duration, validFrom = null, validTill = null, at }: NewCodes,
  codes: RawBuilder<unknown>,
) =>
  db
    .updateTable('access_tokens')
    .set({
      first_used_at: null,
      last_used_at: null,
      checked_in_at: null,
      valid_from: validFrom,
      valid_till: validTill,
      valid_duration: duration,
    })
    .set({ holder_name: null, holder_email: null, group_name: null, note: null, updated_at: at })
    .where('endpoint_id', '=', endpointId)
    .where(codeColumn(db), 'in', sql<string>`(${codes})`);

export async function updateToken(db: Database, id: number, values: Updateable<AccessTokenTable>): Promise<void> {
  await db.updateTable('access_tokens').set(values).where('id', '=', id).execute();
}

/** Ids per statement. */
const NAMED_AT_ONCE = 500;

/**
 * Removes tokens.
 * @returns the removed rows
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

/** Ids that SQLite reads at once. */
const IDS_AT_ONCE = 20_000;

/** Ranges of the ids after one: on SQLite, small ones between which other requests run. */
export async function* idRanges(db: Database, after: number): AsyncGenerator<[from: number, to: number]> {
  const first = await db
    .selectFrom('access_tokens')
    .select('id')
    .where('id', '>', after)
    .orderBy('id')
    .limit(1)
    .execute();
  const last = await findLastTokenId(db);
  const step = isPostgres(db) ? last : IDS_AT_ONCE;
  for (let from = Number(first[0]?.id ?? last + 1); from <= last; from += step) {
    yield [from, from + step - 1];
    await nextTurn();
  }
}

/** Number of unexpired codes of a structure. */
export async function countLive(db: Database, endpointId: number, now: string): Promise<number> {
  const codes = db
    .selectFrom('access_tokens')
    .where('endpoint_id', '=', endpointId)
    .where((where) => where.or([where('valid_till', 'is', null), where('valid_till', '>', now)]));
  const some = await codes.select('id').limit(IDS_AT_ONCE).execute();
  // Usually a structure has fewer, whatever others have.
  if (some.length < IDS_AT_ONCE) return some.length;
  let live = 0;
  for await (const [from, to] of idRanges(db, 0)) {
    const { count } = await codes
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .where((where) => where.between('id', from, to))
      .executeTakeFirstOrThrow();
    live += Number(count);
  }
  return live;
}

/** Columns of a token in exports. */
const EXPORTED = [
  'id',
  'token',
  'valid_from',
  'valid_till',
  'valid_duration',
  'first_used_at',
  'last_used_at',
  'holder_name',
  'holder_email',
  'group_name',
  'note',
] as const;

/** A token in export format. */
export type CodeRow = Pick<StoredToken, (typeof EXPORTED)[number]>;

/** Columns about the holder. */
const HELD = ['holder_name', 'holder_email', 'group_name', 'note'] as const;

/** The columns about holders that any token of a structure uses. */
export async function heldColumns(db: Database, endpointId: number): Promise<(typeof HELD)[number][]> {
  const used: (typeof HELD)[number][] = [];
  for (const column of HELD) {
    const query = db.selectFrom('access_tokens').select('id').where('endpoint_id', '=', endpointId);
    if (await query.where(column, 'is not', null).limit(1).executeTakeFirst()) used.push(column);
  }
  return used;
}

/** Groups listed at once. */
const MAX_GROUPS = 200;

/** The groups of an organization's tokens in order. Each step finds the next group in the index, however many tokens it has. */
export async function listGroups(db: Database, organizationId: number): Promise<string[]> {
  const next = (after: RawBuilder<unknown>) => sql`
    select min(group_name) from access_tokens
    where organization_id = ${organizationId} and group_name is not null and ${after}
      and ${plainCondition(db, 'access_tokens')}`;
  const { rows } = await sql<{ name: string }>`
    with recursive found(name) as (
      ${next(sql`1 = 1`)} union all select (${next(sql`group_name > found.name`)}) from found where found.name is not null
    ) select name from found where name is not null limit ${sql.lit(MAX_GROUPS)}
  `.execute(db);
  return rows.map(({ name }) => name);
}

/** Rows per export query. */
const IDS_PER_STATEMENT = 5000;

/** Every code of a structure, oldest first, in batches: codes are never all in memory. */
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

/** Rows per query. */
const CHUNK = 500;

/** Every token row of a structure, in batches. */
export async function* tokenRowsOf(db: Database, endpointId: number): AsyncGenerator<StoredToken[]> {
  for (let after = 0; ; ) {
    const query = db.selectFrom('access_tokens').selectAll().where('endpoint_id', '=', endpointId);
    const rows = await query.where('id', '>', after).orderBy('id').limit(CHUNK).execute();
    if (rows.length > 0) yield rows;
    if (rows.length < CHUNK) return;
    after = rows.at(-1)!.id;
  }
}

/** The existing tokens with these ids. */
export async function findTokenRows(db: Database, ids: readonly number[]): Promise<StoredToken[]> {
  return db.selectFrom('access_tokens').selectAll().where('id', 'in', ids).orderBy('id').execute();
}
export async function hasTokens(db: Database, endpointId: number): Promise<boolean> {
  const query = db.selectFrom('access_tokens').select('id').where('endpoint_id', '=', endpointId).limit(1);
  return (await query.executeTakeFirst()) !== undefined;
}

/** Highest token id; 0 if there is none. */
export async function findLastTokenId(db: Database): Promise<number> {
  const { id } = await db
    .selectFrom('access_tokens')
    .select(({ fn }) => fn.max('id').as('id'))
    .executeTakeFirstOrThrow();
  return Number(id ?? 0);
}

/** Inserts token rows with their ids, skipping those whose id or code already exists. @returns the number of inserted rows */
export async function insertTokenRows(db: Database, rows: readonly StoredToken[]): Promise<number> {
  const query = db
    .insertInto('access_tokens')
    .values([...rows])
    .onConflict((conflict) => conflict.doNothing());
  return Number((await query.executeTakeFirstOrThrow()).numInsertedOrUpdatedRows ?? 0);
}

/** Updates a token of a structure. @returns whether it exists */
export async function updateTokenOf(
  db: Database,
  endpointId: number,
  id: number,
  values: Updateable<AccessTokenTable>,
): Promise<boolean> {
  const query = db.updateTable('access_tokens').set(values).where('id', '=', id).where('endpoint_id', '=', endpointId);
  return (await query.executeTakeFirstOrThrow()).numUpdatedRows > 0n;
}

/** Access tokens per record. */
const TOKENS_PER_RECORD = 500;

/**
 * Records of removed access tokens.
 * @param kind `access_tokens` for tokens restored on their own, `endpoint_tokens` for a job on one structure
 */
export function* removedTokens(
  kind: 'access_tokens' | 'endpoint_tokens',
  about: { id: number; name?: string },
  tokens: readonly StoredToken[],
): Generator<NewRecord> {
  for (let start = 0; start < tokens.length; start += TOKENS_PER_RECORD)
    yield removedRows(kind, about, tokens.slice(start, start + TOKENS_PER_RECORD));
}
