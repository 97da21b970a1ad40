import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Worker } from 'node:worker_threads';
import { sql } from 'kysely';
import { DATABASE_FILE, type Database, isPostgres } from './database.ts';
import { CACHE } from './sqlite.ts';

/** Size of the log in bytes from which its pages are moved into the database, and maximum size while idle. */
const KEPT = 8 * 1024 * 1024;
/** Milliseconds before a thread that failed is started again. */
const RESTART = 10_000;
/** Milliseconds without a write after which the log counts as idle. */
const IDLE = 3000;

/**
 * Moves the pages of SQLite's write-ahead log into the database while there are writes, without holding them up, and
 * truncates the log once there are none: otherwise it stays at the size of the largest change.
 * @param now milliseconds since 1970
 */
export async function cutLog(folder: string, now: number): Promise<void> {
  const file = join(folder, DATABASE_FILE);
  const log = await stat(`${file}-wal`).catch(() => null);
  if (!log || log.size <= KEPT) return;
  const database = new DatabaseSync(file, { timeout: 0 });
  try {
    database.exec(`PRAGMA wal_checkpoint(${now - log.mtimeMs < IDLE ? 'PASSIVE' : 'TRUNCATE'})`);
  } finally {
    database.close();
  }
}

/**
 * Runs the last part of a large SQLite transaction with a small cache: pages that it reads displace changed ones, which are
 * written to the log before the commit. A commit that had to write them all would block the main thread.
 */
export async function withSmallCache<T>(db: Database, work: () => Promise<T>): Promise<T> {
  if (isPostgres(db)) return work();
  await sql`pragma cache_size = -1024`.execute(db);
  try {
    return await work();
  } finally {
    await sql`pragma cache_size = ${sql.lit(-CACHE)}`.execute(db);
  }
}

/**
 * Keeps the log short, in a thread of its own: after a large import, the automatic checkpoint of a commit would block the
 * main thread for most of a second.
 * @param logError called on failure
 * @returns stops it
 */
export function keepLogShort(folder: string, logError: (error: unknown) => void): () => Promise<unknown> {
  let thread: Worker;
  let isStopped = false;
  const start = () => {
    thread = new Worker(new URL('./cut-log-thread.ts', import.meta.url), { workerData: folder });
    thread.on('error', logError);
    thread.on('message', logError);
    thread.on('exit', () => {
      if (!isStopped) setTimeout(start, RESTART).unref();
    });
    thread.unref();
  };
  start();
  return () => {
    isStopped = true;
    return thread.terminate();
  };
}
