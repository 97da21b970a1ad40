import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import type { Database } from '../../core/db/database.ts';
import { type Row, readRows, type TableShape } from './stored-rows.ts';

/** What tells two copies of a table apart. */
export interface TableDigest {
  /** Rows. */
  rows: number;
  /** SHA-256 of the rows as lines of JSON, by rising ids, hexadecimal. */
  hash: string;
}

/** A row as a line of text, the same for the same values. */
export const lineOf = (row: Row): string => `${JSON.stringify(row)}\n`;

/** Counts and hashes the rows of a table as they come. */
export class Digest {
  readonly #hash = createHash('sha256');
  #rows = 0;

  add(line: string): void {
    this.#hash.update(line);
    this.#rows++;
  }

  end(): TableDigest {
    return { rows: this.#rows, hash: this.#hash.digest('hex') };
  }
}

/** Reads a whole table. */
export async function digestOf(db: Database, shape: TableShape): Promise<TableDigest> {
  const digest = new Digest();
  for await (const batch of readRows(db, shape)) for (const row of batch) digest.add(lineOf(row));
  return digest.end();
}

/** Whether a database is unused: it has no organization, or no tables at all. */
export async function isUnused(db: Database): Promise<boolean> {
  const tables = await db.introspection.getTables();
  if (!tables.some(({ name }) => name === 'organizations')) return true;
  const { rows } = await sql`select 1 from organizations limit 1`.execute(db);
  return rows.length === 0;
}
