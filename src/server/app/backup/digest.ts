import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import type { Database } from '../../core/db/database.ts';
import { type Row, readRows, type TableShape } from './stored-rows.ts';

/** Fingerprint of a table's content. */
export interface TableDigest {
  rows: number;
  /** SHA-256 of the rows as JSON lines, ordered by id, hexadecimal. */
  hash: string;
}

/** A row as a JSON line; equal rows give equal lines. */
export const lineOf = (row: Row): string => `${JSON.stringify(row)}\n`;

/** Counts and hashes a table's rows as they stream through. */
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

/** Digest of a whole table. */
export async function digestOf(db: Database, shape: TableShape): Promise<TableDigest> {
  const digest = new Digest();
  for await (const batch of readRows(db, shape)) for (const row of batch) digest.add(lineOf(row));
  return digest.end();
}

/** Whether a database is unused: it has no organization, or no tables. */
export async function isUnused(db: Database): Promise<boolean> {
  const tables = await db.introspection.getTables();
  if (!tables.some(({ name }) => name === 'organizations')) return true;
  const { rows } = await sql`select 1 from organizations limit 1`.execute(db);
  return rows.length === 0;
}
