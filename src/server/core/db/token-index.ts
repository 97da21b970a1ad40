import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Worker } from 'node:worker_threads';
import { indexTableOf, TOKEN_INDEX_FILE } from './database-files.ts';

/** Length of the n-grams in characters. */
const GRAM = 3;

/** Distinct trigrams of some words. */
export const gramsOf = (words: readonly string[]): string[] => [
  ...new Set(
    words.flatMap((word) => {
      const signs = [...word];
      return signs.slice(GRAM - 1).map((_, index) => signs.slice(index, index + GRAM).join(''));
    }),
  ),
];

/**
 * Substring index of a SQLite database's access tokens. A worker thread writes it to a separate file, so that neither
 * building nor merging blocks requests. Tokens are only added: callers check matches against the tokens themselves, and
 * ids are not reused.
 */
export class TokenIndex {
  readonly #folder: string;
  #reader: DatabaseSync | undefined;
  #worker: Worker | undefined;

  constructor(folder: string) {
    this.#folder = folder;
  }

  #open(): DatabaseSync | undefined {
    if (!this.#reader && existsSync(join(this.#folder, TOKEN_INDEX_FILE))) {
      const reader = new DatabaseSync(join(this.#folder, TOKEN_INDEX_FILE), { readOnly: true });
      // While it is being created, it may have no table yet.
      if (reader.prepare(`select 1 from sqlite_master where name = 'progress'`).get()) this.#reader = reader;
      else reader.close();
    }
    return this.#reader;
  }

  /** Highest indexed token id. */
  lastId(): number {
    const row = this.#open()?.prepare('select max(last) as id from progress').get();
    return Number(row?.id ?? 0);
  }

  /** Ids near one whose tokens contain all trigrams, highest first; some may have them in other fields. */
  find(grams: readonly string[], beside: number): number[] {
    const reader = this.#open();
    const table = indexTableOf(beside);
    if (!reader?.prepare('select 1 from sqlite_master where name = ?').get(table)) return [];
    const match = grams.map((gram) => `"${gram.replaceAll('"', '""')}"`).join(' AND ');
    const rows = reader
      .prepare(`select rowid as id from ${table} where ${table} match ? order by rowid desc`)
      .all(match);
    return rows.map(({ id }) => Number(id));
  }

  /** Adds new tokens in a worker thread; resolves when done. */
  async build(): Promise<void> {
    if (this.#worker) return;
    const worker = new Worker(new URL('./build-token-index.ts', import.meta.url), { workerData: this.#folder });
    this.#worker = worker;
    try {
      await new Promise<void>((resolve, reject) => {
        worker.once('error', reject);
        worker.once('exit', () => resolve());
      });
    } finally {
      this.#worker = undefined;
    }
  }

  async close(): Promise<void> {
    await this.#worker?.terminate();
    this.#reader?.close();
    this.#reader = undefined;
  }

  /** Clears the index: the database was replaced. */
  async clear(): Promise<void> {
    await this.close();
    for (const end of ['', '-wal', '-shm']) rmSync(join(this.#folder, TOKEN_INDEX_FILE + end), { force: true });
  }
}
