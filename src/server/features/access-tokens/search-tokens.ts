import { setImmediate as nextTurn } from 'node:timers/promises';
import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { normalToken } from '../../../contract/token-text.ts';
import { type Database, isPostgres, tokenIndexOf } from '../../core/db/database.ts';
import { INDEX_WINDOW } from '../../core/db/database-files.ts';
import { containsWords } from '../../core/db/search.ts';
import { gramsOf } from '../../core/db/token-index.ts';
import { hasTokenSearch } from '../../core/db/token-search/token-search.ts';
import { codeColumn, findLastTokenId, idRanges } from './queries.ts';

/** Matches that are counted exactly. */
export const MAX_COUNTED = 1000;
/** Tokens scanned per statement; few enough for other requests to run in between. */
const SLICE = 1000;
/** Minimum length of a substring search. */
const FROM_CHARACTERS = 3;
/** New tokens that may be missing from the SQLite index; searches scan them. */
export const MAX_UNINDEXED = 2000;
/** Sorts after every text with the same prefix. */
const END = '\u{10ffff}';

/** Conditions on token rows for what a search finds. */
interface Matches {
  /** The token equals the text. */
  exact: RawBuilder<SqlBool>[];
  /** The token, holder, e-mail address or group begins with it. */
  prefix: RawBuilder<SqlBool>[];
  /** The note contains its words. */
  note: RawBuilder<SqlBool>;
  /** The structure's name contains its words. */
  structure: RawBuilder<SqlBool>;
  /** The token contains its words; undefined for texts that are too short. */
  part?: RawBuilder<SqlBool>;
}

/** What a search text matches. @param search as entered */
function matchesOf(db: Database, search: string): Matches {
  const text = normalToken(search);
  const lower = text.toLowerCase();
  const capitalized = lower.replace(/(^|[\s-])\p{L}/gu, (letter) => letter.toUpperCase());
  const spellings = [...new Set([search.trim(), text, text.toUpperCase(), lower])].filter(Boolean);
  const normal = sql<string>`access_tokens.normal`;
  const equals = (column: RawBuilder<string>, value: string) => sql<SqlBool>`${column} = ${value}`;
  const begins = (column: RawBuilder<string>, value: string) =>
    sql<SqlBool>`(${column} >= ${value} and ${column} < ${value + END})`;
  return {
    exact: [...spellings.map((spelling) => equals(codeColumn(db), spelling)), equals(normal, text)],
    prefix: [
      ...spellings.map((spelling) => begins(codeColumn(db), spelling)),
      begins(normal, text),
      ...[...new Set([text, capitalized])].map((name) => begins(sql`access_tokens.holder_name`, name)),
      begins(sql`access_tokens.holder_email`, lower),
      ...[...new Set([text, capitalized])].map((name) => begins(sql`access_tokens.group_name`, name)),
    ],
    note: sql`(access_tokens.note is not null and ${containsWords('access_tokens.note', text)})`,
    structure: containsWords('endpoints.name', search),
    ...(wordsOf(text).some((word) => [...word].length >= FROM_CHARACTERS) && {
      part: containsWords('access_tokens.token', text),
    }),
  };
}

const wordsOf = (text: string): string[] => text.toLowerCase().split(/\s+/).filter(Boolean);

/** The condition that a token, joined with its structure, is among all matches of a search, however many. */
export async function searchCondition(db: Database, search: string): Promise<RawBuilder<SqlBool>> {
  const { exact, prefix, note, structure, part } = matchesOf(db, search);
  const parts = [...exact, ...prefix, note, structure];
  if (part && (!isPostgres(db) || (await hasTokenSearch(db)))) parts.push(part);
  return sql<SqlBool>`(${sql.join(parts, sql` or `)})`;
}

/** Search matches: ids without an order. */
export interface TokensFound {
  ids: number[];
  /** Matches that equal the search text. */
  exact: Set<number>;
  /** Whether only prefixes of tokens were searched. */
  isPrefixOnly: boolean;
}

/** Filters of a search besides its text. */
export interface Narrowed {
  organizationId: number;
  endpointId?: number | undefined;
  beforeId?: number | undefined;
  /** A condition on token rows. */
  condition: ReturnType<typeof sql<boolean>>;
}

const ids = (rows: readonly { id: number }[]) => rows.map(({ id }) => Number(id));

/**
 * Searches tokens: by exact text and prefix in indexes, by prefix of the holder's e-mail address, name or group, in notes,
 * and by substring from three characters. It never blocks the server longer than one slice takes.
 * @param isGone whether the client has disconnected
 */
export async function searchTokens(
  db: Database,
  search: string,
  { organizationId, endpointId, beforeId, condition }: Narrowed,
  isGone: () => boolean,
): Promise<TokensFound> {
  const text = normalToken(search);
  const matches = matchesOf(db, search);
  const found = new Set<number>();
  const exact = new Set<number>();
  const isEnough = () => found.size > MAX_COUNTED || isGone();
  const structures = db.selectFrom('endpoints').select('endpoints.id').where('organization_id', '=', organizationId);
  // Each structure has its own token index, and structures are few.
  let base = db.selectFrom('access_tokens').select('access_tokens.id').where(condition);
  base =
    endpointId === undefined ? base.where('endpoint_id', 'in', structures) : base.where('endpoint_id', '=', endpointId);
  if (beforeId !== undefined) base = base.where('access_tokens.id', '<', beforeId);
  const take = async (query: typeof base, into = found) => {
    if (isEnough()) return;
    for (const id of ids(await query.limit(MAX_COUNTED + 1 - found.size).execute())) {
      found.add(id);
      into.add(id);
    }
    await nextTurn();
  };
  for (const match of matches.exact) await take(base.where(match), exact);
  for (const match of matches.prefix) await take(base.where(match));
  for await (const [from, to] of idRanges(db, 0)) {
    if (isEnough()) break;
    await take(base.where((where) => where.between('access_tokens.id', from, to)).where(matches.note));
  }
  // One query per structure: combined with the condition on all structures, SQLite would scan all tokens.
  const named = structures.where(matches.structure);
  for (const { id } of await named.limit(MAX_COUNTED).execute()) {
    if (endpointId !== undefined && endpointId !== id) continue;
    let query = db
      .selectFrom('access_tokens')
      .select('access_tokens.id')
      .where('endpoint_id', '=', id)
      .where(condition);
    if (beforeId !== undefined) query = query.where('access_tokens.id', '<', beforeId);
    await take(query.orderBy('access_tokens.id', 'desc'));
    if (isEnough()) break;
  }
  const has = matches.part;
  if (!has) return { ids: [...found], exact, isPrefixOnly: false };

  if (isPostgres(db)) {
    if (!(await hasTokenSearch(db))) return { ids: [...found], exact, isPrefixOnly: true };
    const inIndex = sql<number>`(select token_id from access_token_search where ${containsWords('text', text)})`;
    await take(base.where('access_tokens.id', 'in', inIndex).orderBy('access_tokens.id', 'desc'));
    const isWaiting = sql<boolean>`exists (
      select 1 from access_token_search_queue where last - first <= ${sql.lit(MAX_UNINDEXED)} and access_tokens.id between first and last
    )`;
    const { rows } = await sql<{ first: number | null }>`
      select min(first) as first from access_token_search_queue where last - first <= ${sql.lit(MAX_UNINDEXED)}
    `.execute(db);
    const first = rows[0]!.first;
    if (first !== null) await take(base.where('access_tokens.id', '>=', Number(first)).where(isWaiting).where(has));
    return { ids: [...found], exact, isPrefixOnly: false };
  }

  const index = tokenIndexOf(db)!;
  // Look up by id: the plus keeps SQLite from scanning the structure's index instead.
  const own = sql<number>`+endpoint_id`;
  const among = async (some: readonly number[]) => {
    if (some.length === 0) return;
    let query = db
      .selectFrom('access_tokens')
      .select('access_tokens.id')
      .where('access_tokens.id', 'in', sql<number>`(select value from json_each(${JSON.stringify(some)}))`)
      .where(condition)
      .where(has);
    query = endpointId === undefined ? query.where(own, 'in', structures) : query.where(own, '=', endpointId);
    if (beforeId !== undefined) query = query.where('access_tokens.id', '<', beforeId);
    await take(query.orderBy('access_tokens.id', 'desc'));
  };
  const indexed = index.lastId();
  const last = await findLastTokenId(db);
  // While the index catches up with many new tokens, scan only the newest.
  const tail = Array.from({ length: Math.min(last - indexed, MAX_UNINDEXED) }, (_, place) => last - place);
  if (tail.length > 0) await among(tail);
  const grams = gramsOf(wordsOf(text));
  for (let beside = Math.min(beforeId ?? Infinity, indexed); beside >= 0 && !isEnough(); beside -= INDEX_WINDOW) {
    const part = index.find(grams, beside);
    for (let start = 0; start < part.length && !isEnough(); start += SLICE)
      await among(part.slice(start, start + SLICE));
    await nextTurn();
  }
  return { ids: [...found], exact, isPrefixOnly: false };
}
