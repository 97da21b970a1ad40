import { setImmediate as nextTurn } from 'node:timers/promises';
import { sql } from 'kysely';
import type { TOKEN_ORDERS } from '../../../contract/calls/access-tokens.ts';
import type { TOKEN_STATES } from '../../../contract/entities.ts';
import { chunksOf } from '../../core/db/chunks-of.ts';
import { type Database, isPostgres } from '../../core/db/database.ts';
import { orderOf } from '../../core/db/order-of.ts';
import { offsetOf, type Paging } from '../../core/db/paging.ts';
import { findEndpoint } from '../endpoints/queries.ts';
import { codeColumn, findLastTokenId, listOf, type StoredToken } from './queries.ts';
import { MAX_COUNTED, searchCondition, searchTokens } from './search-tokens.ts';

/** A token with the listed fields of its structure. */
export type ListedToken = StoredToken & {
  endpoint_name: string;
  endpoint_slug: string;
  parent_slug: string | null;
};

const withEndpoint = (db: Database, organizationId: number) =>
  db
    .selectFrom('access_tokens')
    .innerJoin('endpoints', 'endpoints.id', 'access_tokens.endpoint_id')
    .leftJoin('endpoints as parents', 'parents.id', 'endpoints.parent_endpoint_id')
    .selectAll('access_tokens')
    .select(['endpoints.name as endpoint_name', 'endpoints.slug as endpoint_slug', 'parents.slug as parent_slug'])
    .where('access_tokens.organization_id', '=', organizationId);

/** Id range scanned per statement on SQLite, where scanning a million rows blocks the server. */
const IDS_PER_SCAN = 20_000;

/** Rows per query of an export. */
const EXPORT_BATCH = 2000;

/** All tokens of an organization or a structure that match a search, newest first, in batches. */
export async function* tokensFor(
  db: Database,
  organizationId: number,
  { endpoint_id, search, group }: Pick<TokenFilter, 'endpoint_id' | 'search' | 'group'>,
): AsyncGenerator<ListedToken[]> {
  let all = withEndpoint(db, organizationId);
  if (endpoint_id !== undefined) all = all.where('access_tokens.endpoint_id', '=', endpoint_id);
  if (group !== undefined) all = all.where('access_tokens.group_name', '=', group);
  if (search) all = all.where(await searchCondition(db, search));
  for (let before = (await findLastTokenId(db)) + 1; before > 1; ) {
    // A search may match few of many tokens.
    const from = isPostgres(db) ? 0 : before - IDS_PER_SCAN;
    const some = all.where('access_tokens.id', '<', before).where('access_tokens.id', '>=', from);
    const rows = await some.orderBy('access_tokens.id', 'desc').limit(EXPORT_BATCH).execute();
    if (rows.length > 0) yield rows;
    before = rows.length < EXPORT_BATCH ? from : Number(rows.at(-1)!.id);
    // SQLite is synchronous: other requests run in between.
    await nextTurn();
  }
}

/** Filters of a token list. */
export interface TokenFilter {
  search?: string;
  before_id?: number;
  endpoint_id?: number;
  state?: (typeof TOKEN_STATES)[number];
  group?: string;
  /** 1 for used tokens only, 0 for unused ones only. */
  used?: '0' | '1';
  sort?: (typeof TOKEN_ORDERS)[number];
}

/** The condition for a token's state, use and group. */
function conditionOf({ state, used, group }: TokenFilter, now: string) {
  const parts = [sql<boolean>`1 = 1`];
  if (group !== undefined) parts.push(sql`group_name = ${group}`);
  if (used !== undefined) parts.push(used === '1' ? sql`first_used_at is not null` : sql`first_used_at is null`);
  // `coalesce` keeps the query on the index that provides the order.
  if (state === 'expired') parts.push(sql`coalesce(valid_till, '9999') <= ${now}`);
  else if (state) {
    parts.push(state === 'unused' ? sql`first_used_at is null` : sql`first_used_at is not null`);
    parts.push(sql`(valid_till is null or valid_till > ${now})`);
  }
  return sql<boolean>`(${sql.join(parts, sql` and `)})`;
}

/** The tokens in scope of a list; the filtered structure must belong to the organization. */
function tokensOf(db: Database, organizationId: number, { before_id, endpoint_id }: TokenFilter) {
  // The structure's own index provides the order; the organization's index would need a scan.
  let found =
    endpoint_id === undefined
      ? db.selectFrom('access_tokens').where('organization_id', '=', organizationId)
      : db.selectFrom('access_tokens').where('endpoint_id', '=', endpoint_id);
  if (before_id !== undefined) found = found.where('access_tokens.id', '<', before_id);
  return found;
}

type Found = ReturnType<typeof tokensOf>;

/** The requested page and its direction. */
interface Part {
  limit: number;
  offset: number;
  direction: 'asc' | 'desc';
}

/** Token ids ordered by a nullable moment. @param without whether tokens without the moment come first or last */
async function idsByMoment(
  found: Found,
  moment: 'first_used_at' | 'valid_till',
  without: 'first' | 'last',
  { limit, offset, direction }: Part,
): Promise<number[]> {
  // Two index scans: tokens without the moment are not in the index of the moments.
  const having = found.where(moment, 'is not', null);
  const lacking = found.where(moment, 'is', null);
  const byMoment = having.select('id').orderBy(moment, direction).orderBy('id', direction);
  const byId = lacking.select('id').orderBy('id', direction);
  const beginsLacking = (without === 'first') === (direction === 'asc');
  const [query, next] = beginsLacking ? [byId, byMoment] : [byMoment, byId];
  const rows = await query.limit(limit).offset(offset).execute();
  if (rows.length < limit) {
    const before = rows.length > 0 || offset === 0 ? offset : await countOf(beginsLacking ? lacking : having);
    rows.push(
      ...(await next
        .limit(limit - rows.length)
        .offset(Math.max(0, offset - before))
        .execute()),
    );
  }
  return rows.map(({ id }) => id);
}

/** Tokens that one statement scans on SQLite, since very few of them may match. */
const ROWS_PER_SLICE = 5000;

/** An order in which tokens are scanned along an index. */
interface Reading {
  found: Found;
  column: 'id' | 'token' | 'first_used_at' | 'valid_till';
  condition: ReturnType<typeof conditionOf>;
}

/**
 * Ids of a page of the tokens that meet a condition, on SQLite: tokens are scanned in slices, so that other requests
 * can run in between.
 * @param readings scans in sequence
 */
async function idsInSlices(readings: readonly Reading[], { limit, offset, direction }: Part): Promise<number[]> {
  const ids: number[] = [];
  let skipped = 0;
  for (const { found, column, condition } of readings) {
    let slice = found
      .select(['id', `${column} as value`])
      .select(condition.as('matches'))
      .orderBy(column, direction)
      .limit(ROWS_PER_SLICE);
    if (column !== 'id') slice = slice.orderBy('id', direction);
    let rows = await slice.execute();
    while (rows.length > 0) {
      for (const { id, matches } of rows) {
        if (!matches) continue;
        if (skipped < offset) skipped++;
        else ids.push(id);
        if (ids.length === limit) return ids;
      }
      if (rows.length < ROWS_PER_SLICE) break;
      await nextTurn();
      const { id, value } = rows.at(-1)!;
      const sign = sql.raw(direction === 'asc' ? '>' : '<');
      const isBehind =
        column === 'id'
          ? sql<boolean>`id ${sign} ${id}`
          : sql<boolean>`(${sql.ref(column)}, id) ${sign} (${value}, ${id})`;
      rows = await slice.where(isBehind).execute();
    }
  }
  return ids;
}

async function countOf(found: Found): Promise<number> {
  const { count } = await found.select(({ fn }) => fn.countAll<number>().as('count')).executeTakeFirstOrThrow();
  return Number(count);
}

/** The total number of tokens. */
async function countAll(db: Database, found: Found): Promise<number> {
  if (isPostgres(db)) return countOf(found);
  const last = await findLastTokenId(db);
  let count = 0;
  for (let from = 0; from < last; from += IDS_PER_SCAN) {
    count += await countOf(
      found.where('access_tokens.id', '>', from).where('access_tokens.id', '<=', from + IDS_PER_SCAN),
    );
    await nextTurn();
  }
  return count;
}

const COMPARED = { created: 'id', token: 'token', used: 'first_used_at', valid_till: 'valid_till' } as const;

/** Sort comparison for search matches: tokens without an end come last, unused ones first. */
function comparison(sort: TokenFilter['sort'] = '-created') {
  const { by, direction } = orderOf(sort);
  const key = COMPARED[by as keyof typeof COMPARED];
  const without = by === 'used' ? '' : '\uffff';
  const keyOf = (row: ListedToken) => (key === 'id' ? Number(row.id) : (row[key] ?? without));
  return (a: ListedToken, b: ListedToken) => {
    const [first, second] = direction === 'asc' ? [a, b] : [b, a];
    const [one, other] = [keyOf(first), keyOf(second)];
    return one < other ? -1 : one > other ? 1 : Number(first.id) - Number(second.id);
  };
}

/** A page of tokens; `isMore` if the total exceeds the counted number. */
export interface TokenList {
  rows: ListedToken[];
  total: number;
  isMore: boolean;
  isPrefixOnly: boolean;
}

/** Search matches on one page: exact matches first, then the others in the requested order. */
async function searchList(
  db: Database,
  organizationId: number,
  query: Paging & TokenFilter & { search: string },
  { now, isGone }: Asking,
): Promise<TokenList> {
  const narrowed = {
    organizationId,
    endpointId: query.endpoint_id,
    beforeId: query.before_id,
    condition: conditionOf(query, now),
  };
  const { ids, exact, isPrefixOnly } = await searchTokens(db, query.search, narrowed, isGone);
  const isMore = ids.length > MAX_COUNTED;
  const list = sql<number>`(select cast(value as ${sql.raw(isPostgres(db) ? 'bigint' : 'integer')}) from ${listOf(db, ids.map(String))})`;
  const rows =
    query.page > 1 ? [] : await withEndpoint(db, organizationId).where('access_tokens.id', 'in', list).execute();
  const order = comparison(query.sort);
  const isExact = ({ id }: ListedToken) => Number(exact.has(Number(id)));
  const sorted = rows.toSorted((a, b) => isExact(b) - isExact(a) || order(a, b));
  return {
    rows: sorted.slice(0, Math.min(query.per_page, MAX_COUNTED)),
    total: isMore ? MAX_COUNTED : ids.length,
    isMore,
    isPrefixOnly,
  };
}

/** The time of the request, and whether its client has disconnected. */
interface Asking {
  /** Stamp that determines the state of tokens. */
  now: string;
  isGone: () => boolean;
}

/** Ids of a page of tokens in order. @param all tokens without the condition */
async function idsInOrder(
  db: Database,
  all: Found,
  condition: ReturnType<typeof conditionOf>,
  query: Paging & TokenFilter,
): Promise<number[]> {
  const { by, direction } = orderOf(query.sort ?? '-created');
  const part: Part = { limit: query.per_page, offset: offsetOf(query), direction };
  if (!isPostgres(db) && (query.state ?? query.used ?? query.group) !== undefined) {
    const column = COMPARED[by as keyof typeof COMPARED];
    if (column === 'id' || column === 'token') return idsInSlices([{ found: all, column, condition }], part);
    const having: Reading = { found: all.where(column, 'is not', null), column, condition };
    // Tokens without the moment are not indexed, so this is a full scan.
    const isLacking = sql<boolean>`(${condition} and ${sql.ref(column)} is null)`;
    const lacking: Reading = { found: all, column: 'id', condition: isLacking };
    const beginsLacking = (column === 'first_used_at') === (direction === 'asc');
    return idsInSlices(beginsLacking ? [lacking, having] : [having, lacking], part);
  }
  const found = all.where(condition);
  if (by === 'used') return idsByMoment(found, 'first_used_at', 'first', part);
  if (by === 'valid_till') return idsByMoment(found, 'valid_till', 'last', part);
  // Within one structure tokens are unique, so its index alone provides the order.
  const ordered = found.select('id').orderBy(by === 'token' ? codeColumn(db) : 'id', direction);
  return (await ordered.limit(part.limit).offset(part.offset).execute()).map(({ id }) => id);
}

/**
 * Access tokens of an organization, newest first by default, and the total over all pages.
 */
export async function listTokens(
  db: Database,
  organizationId: number,
  query: Paging & TokenFilter,
  { now, isGone }: Asking,
): Promise<TokenList> {
  const none = { rows: [], total: 0, isMore: false, isPrefixOnly: false };
  if (query.endpoint_id !== undefined && !(await findEndpoint(db, organizationId, query.endpoint_id))) return none;
  const { search } = query;
  if (search) return searchList(db, organizationId, { ...query, search }, { now, isGone });
  const all = tokensOf(db, organizationId, query);
  const condition = conditionOf(query, now);
  const total = await countAll(db, all.where(condition));
  const ids = await idsInOrder(db, all, condition, query);
  if (ids.length === 0) return { ...none, total };
  const rows = await withEndpoint(db, organizationId).where('access_tokens.id', 'in', ids).execute();
  const places = new Map(ids.map((id, place) => [Number(id), place]));
  const sorted = rows.toSorted((a, b) => places.get(Number(a.id))! - places.get(Number(b.id))!);
  return { ...none, rows: sorted, total };
}

export async function findToken(db: Database, organizationId: number, id: number): Promise<ListedToken | undefined> {
  return withEndpoint(db, organizationId).where('access_tokens.id', '=', id).executeTakeFirst();
}

/** The tokens of an organization among these ids, oldest first. */
export async function findTokens(db: Database, organizationId: number, ids: readonly number[]): Promise<ListedToken[]> {
  const rows: ListedToken[] = [];
  for (const some of chunksOf(ids))
    rows.push(...(await withEndpoint(db, organizationId).where('access_tokens.id', 'in', some).execute()));
  return rows.toSorted((one, other) => Number(one.id) - Number(other.id));
}
