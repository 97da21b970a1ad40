import { randomInt } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { sql } from 'kysely';
import type { ChangeAction } from '../../../contract/entities.ts';
import { ApiError, type TokenReason } from '../../../contract/errors.ts';
import { type Author, recordChange } from '../../core/changes/record-change.ts';
import { markOf, type NewRecord, recordedRow } from '../../core/changes/records.ts';
import { earlier, timestampOf } from '../../core/clock.ts';
import { type Database, isPostgres } from '../../core/db/database.ts';
import type { CodeLine, Codes } from '../../core/files/inspect/codes/code-line.ts';
import { TOKEN_ALPHABET } from '../../core/secrets/token.ts';
import { findEndpoint } from '../endpoints/queries.ts';
import { codeColumn, countLive, insertCodes, listOf, type NewCodes, renewal, type StoredToken } from './queries.ts';

/** Options for adding codes. */
interface AddOptions {
  /** Whether to renew existing codes. */
  renew: boolean;
  /** Whether to remove existing codes that are not in the list. */
  prune: boolean;
}

/** The result of adding the codes of a file. */
export interface AddedCodes {
  accepted: number;
  /** Codes that existed already, or are repeated in the file. */
  duplicates: number;
  /** Line numbers of the first duplicates. */
  duplicateLines: number[];
  /** Existing codes with changed times. */
  updated: number;
  removed: number;
}

/** Limit on duplicates reported with their line. */
export const MAX_NAMED_LINES = 100;

/** Adds codes to a structure within the caller's transaction. Codes are never all in memory. */
export type AddCodes = (db: Database, target: NewCodes, codes: Codes, options: AddOptions) => Promise<AddedCodes>;

/** The validity period of a token. */
type Validity = Pick<StoredToken, 'valid_from' | 'valid_till'>;

/**
 * Why a token is refused at a moment; null if it is accepted. `valid_from` is inclusive, `valid_till`
 * exclusive.
 * @param now stamp of the moment: stamps are UTC and sort chronologically
 */
export function refusalOf({ valid_from, valid_till }: Validity, now: string): TokenReason | null {
  if (valid_till !== null && valid_till <= now) return 'expired';
  if (valid_from !== null && valid_from > now) return 'not_yet_valid';
  return null;
}

/** End of a token's validity after its first use: after its duration, but never later than `valid_till`. */
export function endAfterFirstUse(
  { valid_till, valid_duration }: Pick<StoredToken, 'valid_till' | 'valid_duration'>,
  now: number,
): string | null {
  if (valid_duration === null) return valid_till;
  const end = timestampOf(now + valid_duration * 60_000);
  return valid_till === null ? end : earlier(valid_till, end);
}

/** Possible codes per valid code below which codes are guessable, at the rate that the limiter allows. */
const ENOUGH = 1_000_000;
/** Number of codes above which the characters seen at a position are taken as the whole alphabet of that position. */
const FEW_ATTEMPTS = 100;

/** Character classes and their sizes. */
const CHARACTER_SETS: readonly [RegExp, number][] = [
  [/[0-9]/, 10],
  [/[a-z]/, 26],
  [/[A-Z]/, 26],
];

/** Estimates the alphabet size of a position from the characters seen there. */
function choices(signs: ReadonlySet<string>, count: number): number {
  // Characters common to all codes, such as a prefix, add no entropy.
  if (count >= FEW_ATTEMPTS || (signs.size === 1 && count > 1)) return signs.size;
  let known = 0;
  let size = 0;
  for (const [kind, number] of CHARACTER_SETS) {
    const found = [...signs].filter((sign) => kind.test(sign)).length;
    known += found;
    if (found > 0) size += number;
  }
  return size + signs.size - known;
}

/** Sample size per code length; further codes add no information about the characters in use. */
const ENOUGH_OF_A_LENGTH = 20_000;

/** Incremental statistics about the form of codes, so that the codes need not be in memory. */
export class CodeLooks {
  readonly #lengths = new Map<number, { count: number; places: Set<string>[] }>();

  /** Adds a batch of codes. A repeated code counts once per batch. */
  learn(part: readonly { code: string }[]): void {
    const telling = part.filter(({ code }) => (this.#lengths.get(code.length)?.count ?? 0) < ENOUGH_OF_A_LENGTH);
    for (const code of new Set(telling.map(({ code }) => code))) this.#add(code);
  }

  #add(code: string): void {
    let seen = this.#lengths.get(code.length);
    if (!seen) {
      seen = { count: 0, places: Array.from({ length: code.length }, () => new Set<string>()) };
      this.#lengths.set(code.length, seen);
    }
    seen.count++;
    for (let place = 0; place < code.length; place++) seen.places[place]!.add(code[place]!);
  }

  /** Estimated number of possible codes: for each length, the product of the alphabet sizes of all positions. */
  possibilities(): number {
    let sum = 0;
    for (const { count, places } of this.#lengths.values())
      sum += places.reduce((product, signs) => product * choices(signs, count), 1);
    return Math.min(sum, Number.MAX_SAFE_INTEGER);
  }
}

/**
 * A warning about guessable codes, with their odds; null if they are not guessable.
 * @param perCode possible codes per valid code
 */
export function guessableWarning(perCode: number): string | null {
  if (perCode >= ENOUGH) return null;
  const advice = 'Use longer tokens of random letters and digits.';
  const figure = Math.floor(perCode);
  if (figure <= 1) return `These tokens are easy to guess. ${advice}`;
  const shown = new Intl.NumberFormat('en').format(figure);
  return `These tokens are easy to guess: about one in ${shown} similar tokens is valid. ${advice}`;
}

/** Optional fields of a row. */
const FIELDS = [
  ...(['valid_from', 'valid_till', 'valid_duration', 'first_used_at', 'last_used_at'] as const),
  ...(['holder_name', 'holder_email', 'group_name', 'note'] as const),
] as const;
const COLUMNS = sql.join(FIELDS.map((field) => sql.ref(field)));
const GIVEN = sql.join(FIELDS.map((field) => sql.ref(`given.${field}`)));

type Fields = Pick<StoredToken, (typeof FIELDS)[number]>;

/** A row in the form of a new code, and its fields that an existing code takes over. */
interface Row {
  whole: Fields & { token: string };
  taken: Partial<Fields>;
}

function rowOf({ code, fields = {} }: CodeLine, { duration }: NewCodes, renew: boolean): Row {
  const { group: group_name = null, valid_duration = duration, ...others } = fields;
  const none = Object.fromEntries(FIELDS.map((field) => [field, null])) as Fields;
  const all: Fields = { ...none, ...others, valid_duration, group_name };
  const isGiven = { ...fields, group_name: fields.group };
  const given = FIELDS.filter((field) => renew || isGiven[field] !== undefined);
  return { whole: { token: code, ...all }, taken: Object.fromEntries(given.map((field) => [field, all[field]])) };
}

/** Rows as a table expression, `given`. */
function tableOf(db: Database, rows: readonly (Fields & { id?: number; token?: string })[]) {
  const json = JSON.stringify(rows);
  if (isPostgres(db))
    return sql`json_to_recordset(cast(${json} as json)) as given(id bigint, token text, valid_from text, valid_till text,
      valid_duration integer, first_used_at text, last_used_at text, holder_name text, holder_email text,
      group_name text, note text)`;
  const columns = ['id', 'token', ...FIELDS].map((name) => sql`value ->> ${sql.lit(name)} as ${sql.ref(name)}`);
  return sql`(select ${sql.join(columns)} from json_each(${json})) as given`;
}

async function insertNew(db: Database, target: NewCodes, rows: Iterable<Row>): Promise<string[]> {
  const { organizationId, endpointId, at } = target;
  const table = tableOf(
    db,
    Array.from(rows, ({ whole }) => whole),
  );
  const { rows: added } = await sql<{ token: string }>`
    insert into access_tokens (organization_id, endpoint_id, created_at, updated_at, token, ${COLUMNS})
    select cast(${organizationId} as bigint), cast(${endpointId} as bigint), cast(${at} as text), cast(${at} as text),
      given.token, ${GIVEN}
    from ${table} where true
    on conflict (endpoint_id, token) do nothing
    returning token
  `.execute(db);
  return added.map(({ token }) => token);
}

/** Updates existing codes. Returns the number of changed codes. */
async function updateOthers(
  db: Database,
  { endpointId, at }: NewCodes,
  rows: ReadonlyMap<string, Row>,
  renew: boolean,
): Promise<number> {
  const found = await db
    .selectFrom('access_tokens')
    .select(['id', 'token', 'checked_in_at', ...FIELDS])
    .where('endpoint_id', '=', endpointId)
    .where(codeColumn(db), 'in', sql<string>`(select value from ${listOf(db, [...rows.keys()])})`)
    .execute();
  const changed = found.flatMap(({ token, checked_in_at, ...had }) => {
    const now = { ...had, ...rows.get(token)!.taken };
    const isReset = renew && checked_in_at !== null;
    return isReset || FIELDS.some((field) => now[field] !== had[field]) ? [now] : [];
  });
  if (changed.length > 0)
    await sql`
      update access_tokens set updated_at = ${at}, ${renew ? sql`checked_in_at = null,` : sql``}
        ${sql.join(FIELDS.map((field) => sql`${sql.ref(field)} = ${sql.ref(`given.${field}`)}`))}
      from ${tableOf(db, changed)} where access_tokens.id = given.id
    `.execute(db);
  return changed.length;
}

/** Adds codes with times and holders; existing codes take over the given fields. The last row of a repeated code wins. */
export const addWithFields: AddPiece = async (db, target, lines, renew) => {
  const rows = new Map(lines.map((line) => [line.code, rowOf(line, target, renew)]));
  const fresh = await insertNew(db, target, rows.values());
  for (const code of fresh) rows.delete(code);
  return { fresh, updated: rows.size > 0 ? await updateOthers(db, target, rows, renew) : 0 };
};

/** Codes per insert or delete statement. */
const TOKENS_PER_STATEMENT = 10_000;

async function* pieces(codes: Codes): AsyncGenerator<CodeLine[]> {
  for await (const part of codes())
    for (let start = 0; start < part.length; start += TOKENS_PER_STATEMENT)
      yield part.slice(start, start + TOKENS_PER_STATEMENT);
}

/** Removes codes that are missing from the table `kept_codes`, in batches. Returns the number of removed codes. */
async function removeOthers(db: Database, { endpointId }: NewCodes): Promise<number> {
  let removed = 0;
  for (let last = 0; ; ) {
    const { rows } = await sql<{ id: number }>`
      delete from access_tokens where id in (
        select id from access_tokens where endpoint_id = ${endpointId} and id > ${last}
        and not exists (select 1 from kept_codes where code = ${codeColumn(db)}) order by id limit ${sql.lit(TOKENS_PER_STATEMENT)}
      ) returning id
    `.execute(db);
    removed += rows.length;
    if (rows.length < TOKENS_PER_STATEMENT) return removed;
    last = rows.reduce((most, { id }) => Math.max(most, id), last);
    // Let other requests run.
    await nextTurn();
  }
}

/** Adds a batch of codes in one statement. Returns the new ones, and the number of existing ones with changed times. */
type AddPiece = (
  db: Database,
  target: NewCodes,
  lines: readonly CodeLine[],
  renew: boolean,
) => Promise<{ fresh: readonly string[]; updated: number }>;

/** Adds codes without times. */
export const addPlain: AddPiece = async (db, target, lines, renew) => {
  const different = [...new Set(lines.map(({ code }) => code))];
  // Missing codes are inserted below anyway.
  if (renew) await renewal(db, target, sql`select value from ${listOf(db, different)}`).execute();
  return { fresh: await insertCodes(db, target, different), updated: 0 };
};

/** Adds codes in batches. With pruning, the codes to keep are collected in a table on disk. */
export const inPieces =
  (addPiece: AddPiece): AddCodes =>
  async (db, target, codes, { renew, prune }) => {
    const added: AddedCodes = { accepted: 0, duplicates: 0, duplicateLines: [], updated: 0, removed: 0 };
    const column = isPostgres(db)
      ? sql`(code text collate "C" primary key)`
      : sql`(code text primary key) without rowid`;
    if (prune) await sql`create temporary table kept_codes ${column}`.execute(db);
    for await (const lines of pieces(codes)) {
      if (prune) {
        const list = listOf(db, [...new Set(lines.map(({ code }) => code))]);
        await sql`insert into kept_codes select value from ${list} where true on conflict (code) do nothing`.execute(
          db,
        );
      }
      const { fresh, updated } = await addPiece(db, target, lines, renew);
      added.accepted += fresh.length;
      added.updated += updated;
      if (fresh.length === lines.length) continue;
      // Only the first line of a new code counts as new; the next one is a duplicate.
      const isNew = new Set(fresh);
      const repeated = lines.filter(({ code }) => !isNew.delete(code)).map(({ line }) => line);
      added.duplicates += repeated.length;
      added.duplicateLines.push(...repeated.slice(0, MAX_NAMED_LINES - added.duplicateLines.length));
    }
    if (!prune) return added;
    const removed = await removeOthers(db, target);
    await sql`drop table kept_codes`.execute(db);
    return { ...added, removed };
  };

/** Fields about the holder: the change log names them, without their values. */
const PRIVATE = ['holder_name', 'holder_email', 'note'] as const;
const PUBLIC = ['endpoint_id', 'valid_from', 'valid_till', 'valid_duration', 'first_used_at', 'group_name'] as const;

const withoutNote = ({ note: _note, ...row }: StoredToken) => row;

/** Records a change of one token under its structure, because the code is a credential. */
export async function recordToken(
  db: Database,
  author: Author,
  action: ChangeAction,
  { before, after }: { before?: StoredToken; after?: StoredToken },
): Promise<void> {
  const { id, endpoint_id } = (after ?? before)!;
  const endpoint = await findEndpoint(db, author.organizationId, endpoint_id);
  const name = endpoint?.name ?? '';
  const differs = (field: (typeof PRIVATE | typeof PUBLIC)[number]) =>
    before && after && before[field] !== after[field];
  const changed = PRIVATE.filter(differs);
  const isPrivate = changed.length > 0 && !PUBLIC.some(differs);
  const content = { rows: [recordedRow(before ?? {})] };
  const own: NewRecord = { kind: 'access_tokens', action: 'update', entity_id: id, name, content };
  await recordChange(db, author, {
    action,
    entity: 'access_token',
    entity_id: id,
    name,
    before: before && withoutNote(before),
    after: after && withoutNote(after),
    ...(before && { row: before }),
    isRestorable: action === 'delete',
    ...(changed.length > 0 && { facts: { private_fields: changed } }),
    ...(isPrivate && { records: [{ ...own, mark: await markOf(db, 'access_tokens', id) }] }),
  });
}

/** Attempts after which the remaining codes are considered exhausted. */
const MAX_TRIES = 20;

/** The form of generated codes. */
interface CodeForm {
  count: number;
  prefix: string;
  /** Characters after the prefix. */
  length: number;
}

const createCode = (length: number) =>
  Array.from({ length }, () => TOKEN_ALPHABET[randomInt(TOKEN_ALPHABET.length)]).join('');

/**
 * Rejects a length at which codes would be guessable.
 * @throws ApiError invalid, naming `length`
 */
async function refuseGuessable(db: Database, { endpointId, at }: NewCodes, { count, length }: CodeForm): Promise<void> {
  const valid = (await countLive(db, endpointId, at)) + count;
  if (TOKEN_ALPHABET.length ** length / valid >= ENOUGH) return;
  const enough = Math.ceil(Math.log(ENOUGH * valid) / Math.log(TOKEN_ALPHABET.length));
  throw new ApiError('invalid', {
    length: [`This many tokens of this length are easy to guess. Use at least ${enough}.`],
  });
}

/**
 * Adds generated codes to a structure, within the caller's transaction. A code that already exists is generated again.
 * @returns one of the codes
 * @throws ApiError invalid if they would be guessable
 */
export async function createCodes(db: Database, target: NewCodes, form: CodeForm): Promise<string> {
  await refuseGuessable(db, target, form);
  let missing = form.count;
  let one = '';
  for (let tries = 0; missing > 0; tries++) {
    if (tries === MAX_TRIES)
      throw new ApiError('invalid', { length: ["There aren't enough unused tokens of this length. Use longer ones."] });
    const codes = new Set<string>();
    while (codes.size < missing) codes.add(form.prefix + createCode(form.length));
    const added = await insertCodes(db, target, [...codes]);
    missing -= added.length;
    one = added[0] ?? one;
  }
  return one;
}
