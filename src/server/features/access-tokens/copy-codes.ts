import { sql } from 'kysely';
import { type CopyText, copyRows, copyText } from '../../core/db/copy-rows.ts';
import type { Database } from '../../core/db/database.ts';
import type { Codes } from '../../core/files/inspect/codes/code-line.ts';
import { codeColumn, type NewCodes, renewal, tokenColumnsOf } from './access-tokens-repository.ts';
import { type AddCodes, type AddedCodes, MAX_NAMED_LINES } from './added-codes.ts';

/** PostgreSQL's code of a broken unique constraint. */
const NOT_UNIQUE = '23505';

const ROWS =
  'copy access_tokens (organization_id, endpoint_id, valid_duration, valid_from, valid_till, created_at, updated_at, token) from stdin';

/** Codes as whole rows of their table. */
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

/** Codes with their lines. */
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

/** Codes at the beginning of a file that tell whether it is known. */
const TRIED = 1000;

/** Whether one of the first codes of a file is there already: others are, most probably. */
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
 * Copies codes straight into their table: PostgreSQL takes many rows in one go so.
 * @returns how many; null when one of them is there twice, and nothing was added
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
 * Adds the codes of the table `staged_codes` in the order of their lines, by one statement. Looking for those that are there
 * takes a third of the time of having each row look for itself; whoever adds one of them at the same moment makes it fail, and
 * nothing is added.
 * @returns how many there were not before, and the highest id of all tokens until then
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

/** Collects all codes in a table of the transaction's own, and works with that. */
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

/** Adds codes to PostgreSQL. They are taken as they come, as long as none is there already and none has to go. */
export const copyCodes: AddCodes = async (db, target, codes, options) => {
  const isStaged = options.prune ? await hasCodes(db, target) : await hasFirst(db, target, codes);
  const copied = isStaged ? null : await copyNew(db, target, codes);
  if (copied === null) return addStaged(db, target, codes, options);
  return { accepted: copied, duplicates: 0, duplicateLines: [], updated: 0, removed: 0 };
};
