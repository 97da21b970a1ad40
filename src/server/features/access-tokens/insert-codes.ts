import { setImmediate as nextTurn } from 'node:timers/promises';
import { sql } from 'kysely';
import { type Database, isPostgres } from '../../core/db/database.ts';
import type { CodeLine, Codes } from '../../core/files/inspect/codes/code-line.ts';
import { codeColumn, insertCodes, listOf, type NewCodes, renewal } from './access-tokens-repository.ts';
import { type AddCodes, type AddedCodes, MAX_NAMED_LINES } from './added-codes.ts';

/** Codes that one statement adds, and removes. */
const TOKENS_PER_STATEMENT = 10_000;

async function* pieces(codes: Codes): AsyncGenerator<CodeLine[]> {
  for await (const part of codes())
    for (let start = 0; start < part.length; start += TOKENS_PER_STATEMENT)
      yield part.slice(start, start + TOKENS_PER_STATEMENT);
}

/** Removes codes that the table `kept_codes` does not name, a part at a time. Gives how many there were. */
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
    // Others have their turn.
    await nextTurn();
  }
}

/** Adds some codes by one statement. Gives those that are new, and how many others have other times now. */
export type AddPiece = (
  db: Database,
  target: NewCodes,
  lines: readonly CodeLine[],
  renew: boolean,
) => Promise<{ fresh: readonly string[]; updated: number }>;

/** Adds codes without times. */
export const addPlain: AddPiece = async (db, target, lines, renew) => {
  const different = [...new Set(lines.map(({ code }) => code))];
  // Those that it does not have yet are added new anyway.
  if (renew) await renewal(db, target, sql`select value from ${listOf(db, different)}`).execute();
  return { fresh: await insertCodes(db, target, different), updated: 0 };
};

/** Adds codes by one statement after another. Those that are to be kept are in a table on disk meanwhile. */
export const inPieces =
  (addPiece: AddPiece): AddCodes =>
  async (db, target, codes, { renew, prune }) => {
    const added: AddedCodes = { accepted: 0, duplicates: 0, duplicateLines: [], updated: 0, removed: 0 };
    const column = isPostgres(db)
      ? sql`(code text collate "C" primary key)`
      : sql`(code text primary key) without rowid`;
    if (prune) await sql`create temporary table kept_codes ${column}`.execute(db);
    for await (const lines of pieces(codes)) {
      const list = listOf(db, [...new Set(lines.map(({ code }) => code))]);
      if (prune)
        await sql`insert into kept_codes select value from ${list} where true on conflict (code) do nothing`.execute(
          db,
        );
      const { fresh, updated } = await addPiece(db, target, lines, renew);
      added.accepted += fresh.length;
      added.updated += updated;
      if (fresh.length === lines.length) continue;
      // The first line of a new code takes it away, so that the next one is a repetition.
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
