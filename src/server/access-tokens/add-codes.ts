import { sql } from 'kysely';
import { type Database, isPostgres } from '../db/database.ts';
import { codeList, insertCodes, insertStagedCodes, type NewCodes } from './access-tokens-repository.ts';
import type { CodeLine } from './read-codes.ts';

/** Duplicates that are named by their line. */
const NAMED = 100;

/** What became of the codes of a file. */
export interface AddedCodes {
  accepted: number;
  /** Codes that were there already, or stood further up. */
  duplicates: number;
  /** Lines of the first of them. */
  duplicateLines: number[];
}

/** Adds the codes of a file to a structure, piece by piece. Those that it has already stay as they are. */
export interface CodeAdder {
  add(lines: readonly CodeLine[]): Promise<void>;
  end(): Promise<AddedCodes>;
}

/** Adds each piece by a statement of its own: SQLite is fastest so. */
class PieceAdder implements CodeAdder {
  readonly #db: Database;
  readonly #target: NewCodes;
  readonly #added: AddedCodes = { accepted: 0, duplicates: 0, duplicateLines: [] };

  constructor(db: Database, target: NewCodes) {
    this.#db = db;
    this.#target = target;
  }

  async add(lines: readonly CodeLine[]): Promise<void> {
    const codes = [...new Set(lines.map(({ code }) => code))];
    const added = await insertCodes(this.#db, this.#target, codes);
    this.#added.accepted += added.length;
    if (added.length === lines.length) return;
    const fresh = new Set(added);
    // The first line of a new code takes it away, so that the next one is a repetition.
    const repeated = lines.filter(({ code }) => !fresh.delete(code)).map(({ line }) => line);
    this.#added.duplicates += repeated.length;
    const { duplicateLines } = this.#added;
    duplicateLines.push(...repeated.slice(0, NAMED - duplicateLines.length));
  }

  async end(): Promise<AddedCodes> {
    return this.#added;
  }
}

/** Collects all pieces in a table without an index, and adds them by one statement: PostgreSQL is fastest so. */
class StagedAdder implements CodeAdder {
  readonly #db: Database;
  readonly #target: NewCodes;
  #count = 0;

  constructor(db: Database, target: NewCodes) {
    this.#db = db;
    this.#target = target;
  }

  async add(lines: readonly CodeLine[]): Promise<void> {
    if (this.#count === 0)
      await sql`create temporary table staged_codes (code text not null, line integer not null) on commit drop`.execute(
        this.#db,
      );
    this.#count += lines.length;
    const numbers = JSON.stringify(lines.map(({ line }) => line));
    await sql`
      insert into staged_codes (code, line)
      select value, cast(line as integer) from rows from (
        ${codeList(lines.map(({ code }) => code))}, json_array_elements_text(cast(${numbers} as json))
      ) as codes(value, line)
    `.execute(this.#db);
  }

  async end(): Promise<AddedCodes> {
    if (this.#count === 0) return { accepted: 0, duplicates: 0, duplicateLines: [] };
    const { accepted, lastId } = await insertStagedCodes(this.#db, this.#target);
    const duplicates = this.#count - accepted;
    const duplicateLines = duplicates > 0 ? await this.#repeatedLines(lastId) : [];
    await sql`drop table staged_codes`.execute(this.#db);
    return { accepted, duplicates, duplicateLines };
  }

  async #repeatedLines(lastId: number): Promise<number[]> {
    const { rows } = await sql<{ line: number }>`
      select line from (
        select line, code, row_number() over (partition by code order by line) as place from staged_codes
      ) as staged
      left join access_tokens on endpoint_id = ${this.#target.endpointId} and token = code
      where place > 1 or access_tokens.id <= ${lastId} order by line limit ${NAMED}
    `.execute(this.#db);
    return rows.map(({ line }) => line);
  }
}

/** What adds codes fastest to the database at hand, within the caller's transaction. */
export const createAdder = (db: Database, target: NewCodes): CodeAdder =>
  isPostgres(db) ? new StagedAdder(db, target) : new PieceAdder(db, target);
