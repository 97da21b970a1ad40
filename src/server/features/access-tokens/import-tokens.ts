import { sql } from 'kysely';
import type { ImportMode, ImportReport, ImportTable } from '../../../contract/entities.ts';
import { ApiError } from '../../../contract/errors.ts';
import { MAX_TOKEN_FILE_BYTES } from '../../../contract/file-limits.ts';
import { mixesAlphabets } from '../../../contract/token-text.ts';
import { type CopyText, copyRows, copyText } from '../../core/db/copy-rows.ts';
import { type Database, isPostgres } from '../../core/db/database.ts';
import { withSmallCache } from '../../core/db/write-ahead-log.ts';
import type { CodeFile, CodeLine, Codes } from '../../core/files/inspect/codes/code-line.ts';
import { codesIn, codesInDocument, hasHolderColumns } from '../../core/files/inspect/codes/codes-in-file.ts';
import { startsDocument } from '../../core/files/inspect/codes/document-codes.ts';
import { CODES_FIELD } from '../../core/files/inspect/codes/refuse-codes.ts';
import { type TableChoice, unclearTable } from '../../core/files/inspect/codes/table-plan.ts';
import type { Upload } from '../../core/files/upload.ts';
import type { Services } from '../../core/services.ts';
import {
  type AddCodes,
  type AddedCodes,
  addPlain,
  addWithFields,
  CodeLooks,
  guessableWarning,
  inPieces,
  MAX_NAMED_LINES,
} from './create-tokens.ts';
import {
  codeColumn,
  countLive,
  findByNormal,
  hasOldForms,
  type NewCodes,
  notifyPlanner,
  renewal,
  tokenColumnsOf,
} from './queries.ts';

/** PostgreSQL error code of a unique constraint violation. */
const NOT_UNIQUE = '23505';

const ROWS =
  'copy access_tokens (organization_id, endpoint_id, valid_duration, valid_from, valid_till, created_at, updated_at, token) from stdin';

/** Codes as complete table rows. */
async function* wholeRows(target: NewCodes, codes: Codes): CopyText {
  const { organizationId, endpointId, duration, validFrom, validTill, at } = target;
  const values = [organizationId, endpointId, duration, validFrom, validTill, at, at];
  const before = values.map((value) => `${value ?? '\\N'}\t`).join('');
  for await (const part of codes()) {
    let text = '';
    for (const { code } of part) text += `${before}${copyText(code)}\n`;
    yield Buffer.from(text);
  }
}

/** Codes with their line numbers. */
async function* stagedRows(codes: Codes): CopyText {
  for await (const part of codes()) {
    let text = '';
    for (const { code, line } of part) text += `${copyText(code)}\t${line}\n`;
    yield Buffer.from(text);
  }
}

async function hasCodes(db: Database, { endpointId }: NewCodes): Promise<boolean> {
  const query = db.selectFrom('access_tokens').select('id').where('endpoint_id', '=', endpointId);
  return (await query.limit(1).executeTakeFirst()) !== undefined;
}

/** Number of codes at the start of a file that are checked for existing ones. */
const TRIED = 1000;

/** Whether one of the first codes of a file already exists; if so, others probably do too. */
async function hasFirst(db: Database, { endpointId }: NewCodes, codes: Codes): Promise<boolean> {
  for await (const part of codes()) {
    const some = part.slice(0, TRIED).map(({ code }) => code);
    if (some.length === 0) continue;
    const query = db.selectFrom('access_tokens').select('id').where('endpoint_id', '=', endpointId);
    return (await query.where(codeColumn(db), 'in', some).limit(1).executeTakeFirst()) !== undefined;
  }
  return false;
}

/**
 * Copies codes directly into their table, which is PostgreSQL's fastest bulk insert.
 * @returns the number of codes; null if one of them is a duplicate, and nothing was added
 */
async function copyNew(db: Database, target: NewCodes, codes: Codes): Promise<number | null> {
  await sql`savepoint copied_codes`.execute(db);
  try {
    const copied = await copyRows(db, ROWS, wholeRows(target, codes));
    await sql`release savepoint copied_codes`.execute(db);
    return copied;
  } catch (error) {
    if ((error as { code?: unknown }).code !== NOT_UNIQUE) throw error;
    await sql`rollback to savepoint copied_codes`.execute(db);
    return null;
  }
}

/**
 * Adds the codes of the table `staged_codes` in line order, in one statement. Joining them with the existing codes takes
 * a third of the time of a conflict check per row; if another transaction inserts one of them concurrently, the statement
 * fails and adds nothing.
 * @returns the number of new codes, and the highest token id before them
 */
async function insertStaged(db: Database, target: NewCodes): Promise<{ accepted: number; lastId: number }> {
  const { names, values } = tokenColumnsOf(target);
  const { last } = await db
    .selectFrom('access_tokens')
    .select(({ fn }) => fn.max('id').as('last'))
    .executeTakeFirstOrThrow();
  const { numAffectedRows } = await sql`
    insert into access_tokens (${names})
    select ${values}, code from (select code, min(line) as line from staged_codes group by code) as codes
    where not exists (select 1 from access_tokens where endpoint_id = ${target.endpointId} and token collate "C" = code)
    order by line
  `.execute(db);
  return { accepted: Number(numAffectedRows), lastId: Number(last ?? 0) };
}

async function repeatedLines(db: Database, { endpointId }: NewCodes, lastId: number): Promise<number[]> {
  const { rows } = await sql<{ line: number }>`
    select line from (
      select line, code, row_number() over (partition by code order by line) as place from staged_codes
    ) as staged
    left join access_tokens on endpoint_id = ${endpointId} and token collate "C" = code
    where place > 1 or access_tokens.id <= ${lastId} order by line limit ${MAX_NAMED_LINES}
  `.execute(db);
  return rows.map(({ line }) => line);
}

async function removeOthers(db: Database, { endpointId }: NewCodes): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from access_tokens where endpoint_id = ${endpointId}
    and not exists (select 1 from staged_codes where code = token collate "C")
  `.execute(db);
  return Number(numAffectedRows);
}

/** Stages all codes in a temporary table of the transaction, then adds them. */
async function addStaged(...[db, target, codes, { renew, prune }]: Parameters<AddCodes>): Promise<AddedCodes> {
  await sql`create temporary table staged_codes (code text collate "C" not null, line integer not null) on commit drop`.execute(
    db,
  );
  const count = await copyRows(db, 'copy staged_codes (code, line) from stdin', stagedRows(codes));
  await sql`analyze staged_codes`.execute(db);
  if (renew) await renewal(db, target, sql`select code from staged_codes`).execute();
  const { accepted, lastId } = await insertStaged(db, target);
  const duplicates = count - accepted;
  const duplicateLines = duplicates > 0 ? await repeatedLines(db, target, lastId) : [];
  const removed = prune ? await removeOthers(db, target) : 0;
  await sql`drop table staged_codes`.execute(db);
  return { accepted, duplicates, duplicateLines, updated: 0, removed };
}

/** Adds codes to PostgreSQL: by direct copy, as long as none exists yet and none is to be removed. */
const copyCodes: AddCodes = async (db, target, codes, options) => {
  const isStaged = options.prune ? await hasCodes(db, target) : await hasFirst(db, target, codes);
  const copied = isStaged ? null : await copyNew(db, target, codes);
  if (copied === null) return addStaged(db, target, codes, options);
  return { accepted: copied, duplicates: 0, duplicateLines: [], updated: 0, removed: 0 };
};

/** Number of added codes above which PostgreSQL's planner statistics are refreshed. */
const COPY_THRESHOLD = 10_000;
/** Limit on the reported lines that mix alphabets. */
const MAX_MIXED_LINES = 10;

/** Warns about tokens that mix alphabets. @param lines the first affected lines */
function mixedWarnings(count: number, lines: readonly number[]): string[] {
  if (count === 0) return [];
  const where = `${count === 1 ? 'Line' : 'Lines'} ${lines.join(', ')}${count > lines.length ? ' and more' : ''}`;
  return [
    `${where}: Latin letters are mixed with similar Cyrillic or Greek letters. Visitors who type the Latin letters will be rejected. Check these tokens.`,
  ];
}

/** Replaces normal forms by the form in which the structure stores a code, if it differs. */
async function asStored(db: Database, { endpointId }: NewCodes, part: CodeLine[]): Promise<CodeLine[]> {
  const stored = await findByNormal(
    db,
    endpointId,
    part.map(({ code }) => code),
  );
  return stored.size === 0 ? part : part.map((line) => ({ ...line, code: stored.get(line.code) ?? line.code }));
}

/**
 * Adds the codes of a file to a structure, within the caller's transaction. Existing codes take over the times in
 * the file, are renewed with `replace`, or are rejected with `create`. The file stays on disk; codes are never all in memory.
 * @param prune whether to remove codes that are missing from the file
 * @returns counts of added and existing codes, and a warning if the codes are guessable
 * @throws ApiError invalid with `create`, listing the lines whose code already exists
 */
export async function importCodes(
  db: Database,
  target: NewCodes,
  file: CodeFile,
  { mode, prune }: { mode: ImportMode; prune: boolean } = { mode: 'upsert', prune: false },
): Promise<ImportReport> {
  let looks = new CodeLooks();
  let normalized = 0;
  let normalizedLines: number[] = [];
  let mixed = 0;
  let mixedLines: number[] = [];
  let isRefused = false;
  file.checked.catch(() => {
    isRefused = true;
  });
  const isOld = await hasOldForms(db, target.endpointId);
  const codes: Codes = async function* () {
    looks = new CodeLooks();
    normalized = 0;
    normalizedLines = [];
    mixed = 0;
    mixedLines = [];
    for await (const part of file.parts()) {
      if (isRefused) await file.checked;
      looks.learn(part);
      const mixing = part.filter(({ code }) => mixesAlphabets(code));
      mixed += mixing.length;
      mixedLines.push(...mixing.slice(0, MAX_MIXED_LINES - mixedLines.length).map(({ line }) => line));
      const changed = part.filter(({ isNormalized }) => isNormalized);
      normalized += changed.length;
      normalizedLines.push(...changed.slice(0, MAX_NAMED_LINES - normalizedLines.length).map(({ line }) => line));
      yield isOld ? await asStored(db, target, part) : part;
    }
  };
  // During a copy, the connection can't run other queries.
  const addCodes = file.hasFields ? inPieces(addWithFields) : isPostgres(db) && !isOld ? copyCodes : inPieces(addPlain);
  const options = { renew: mode === 'replace', prune };
  // A finding about a line is clearer than the database's error.
  const added = await addCodes(db, target, codes, options).catch((error) =>
    file.checked.then(() => Promise.reject(error)),
  );
  await file.checked;
  const { accepted, duplicates, duplicateLines, updated, removed } = added;
  if (mode === 'create' && duplicates > 0)
    throw new ApiError('invalid', {
      access_tokens_file: duplicateLines.map(
        (line) => `Line ${line}: This token already exists, or is in the file twice.`,
      ),
    });
  if (accepted >= COPY_THRESHOLD) await notifyPlanner(db);
  const live = await withSmallCache(db, () => countLive(db, target.endpointId, target.at));
  const perCode = looks.possibilities() / Math.max(1, live);
  const warning = guessableWarning(perCode);
  return {
    job: null,
    accepted,
    duplicates,
    updated,
    removed,
    duplicate_lines: duplicateLines,
    normalized,
    normalized_lines: normalizedLines,
    table: file.table,
    possibilities_per_code: perCode,
    warnings: [...(warning === null ? [] : [warning]), ...mixedWarnings(mixed, mixedLines)],
  };
}

/** The import's numbers for the change log, which never contains codes. */
export const countsOf = (report: ImportReport | undefined) =>
  report && {
    imported: {
      accepted: report.accepted,
      duplicates: report.duplicates,
      ...(report.updated > 0 && { updated: report.updated }),
      ...(report.removed > 0 && { removed: report.removed }),
    },
  };

/** Bytes at the start of a file that tell JSON from a table. */
const HEAD_BYTES = 1024;

/**
 * Receives a file of codes and validates it in a worker: UTF-8 with or without byte order mark; empty lines are skipped.
 * The file is on disk until it is imported, regardless of its size. With PostgreSQL, it is checked while it is copied:
 * see `checked`. SQLite checks it first, because a transaction that is rolled back would block all others.
 * @param mayHaveTimes whether JSON in export format is accepted
 * @param choice explicit choices of how to read a table
 * @returns undefined if no file was chosen: browsers then send an empty file without a name
 * @throws ApiError listing the lines without a code, or unclear_table; nothing of such a file is imported
 */
export async function readCodes(
  { db, media, workers }: Pick<Services, 'db' | 'media' | 'workers'>,
  upload: Upload,
  { mayHaveTimes = false, choice }: { mayHaveTimes?: boolean; choice?: TableChoice } = {},
): Promise<CodeFile | undefined> {
  let most: number = MAX_TOKEN_FILE_BYTES.table;
  // A table that is too large is refused while it arrives.
  const look = async (head: Buffer) => {
    if (mayHaveTimes && startsDocument(head)) most = MAX_TOKEN_FILE_BYTES.document;
  };
  const check = { bytes: HEAD_BYTES, look };
  const arrival = await media.receive(upload, { field: CODES_FIELD, most: () => most, mayBeEmpty: true, check });
  const { file, bytes } = arrival;
  const discard = () => media.discard(arrival);
  try {
    if (bytes === 0 && upload.name === '') {
      await discard();
      return undefined;
    }
    const order = { file, bytes, mayHaveTimes, ...(choice && { choice }) };
    const head = isPostgres(db) ? await workers.run('checkCodes', { ...order, isHeadOnly: true }) : undefined;
    const checked = workers.run('checkCodes', order);
    // Callers handle the rejection.
    checked.catch(() => undefined);
    const { plan, table, isQuoted } = head?.plan ? head : await checked;
    if (table && !plan) throw unclearTable(table);
    const parts = () => (plan ? codesIn(file, isQuoted, plan) : codesInDocument(file));
    const hasFields = !plan || hasHolderColumns(plan);
    return { parts, checked, hasFields, table, discard };
  } catch (error) {
    await discard();
    throw error;
  }
}

/** Limit on the bytes at the start of a file that a preview reads. */
const MAX_HEAD_BYTES = 1024 * 1024;

/**
 * The first rows of a file of codes, or of its beginning, and how they would be read.
 * @returns null for JSON
 * @throws ApiError if it is no table
 */
export async function readFirstRows(
  { media, workers }: Pick<Services, 'media' | 'workers'>,
  upload: Upload,
): Promise<ImportTable | null> {
  const arrival = await media.receive(upload, { field: CODES_FIELD, most: MAX_HEAD_BYTES, mayBeEmpty: true });
  const { file, bytes } = arrival;
  try {
    return (await workers.run('checkCodes', { file, bytes, mayHaveTimes: true, isHeadOnly: true })).table;
  } finally {
    await media.discard(arrival);
  }
}
