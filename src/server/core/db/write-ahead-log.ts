import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { DATABASE_FILE } from './database.ts';

/** Milliseconds between checks of the log. */
const EVERY = 10_000;
/** Maximum idle size of the log in bytes: what SQLite writes between two automatic checkpoints. */
const KEPT = 8 * 1024 * 1024;
/** Milliseconds without a write after which the log counts as idle. */
const IDLE = 3000;

/**
 * Truncates SQLite's write-ahead log, which otherwise stays at the size of the largest change. Runs when there were no
 * recent writes and there are no readers; nothing waits for it.
 * @param now milliseconds since 1970
 */
export async function cutLog(folder: string, now: number): Promise<void> {
  const file = join(folder, DATABASE_FILE);
  const log = await stat(`${file}-wal`).catch(() => null);
  if (!log || log.size <= KEPT || now - log.mtimeMs < IDLE) return;
  const database = new DatabaseSync(file, { timeout: 0 });
  try {
    database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  } finally {
    database.close();
  }
}

/**
 * Truncates the log periodically.
 * @param logError called on failure
 * @returns stops it
 */
export function keepLogShort(folder: string, now: () => number, logError: (error: unknown) => void): () => void {
  const timer = setInterval(() => void cutLog(folder, now()).catch(logError), EVERY).unref();
  return () => clearInterval(timer);
}
