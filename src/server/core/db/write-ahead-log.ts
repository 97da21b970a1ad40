import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { DATABASE_FILE } from './database.ts';

/** Milliseconds between two looks at the log. */
const EVERY = 10_000;
/** Bytes that the log may keep: what SQLite writes between two checkpoints of its own. */
const KEPT = 8 * 1024 * 1024;
/** Milliseconds without a write after which the log counts as idle. */
const IDLE = 3000;

/**
 * Gives back the room of SQLite's write-ahead log: it keeps the size of the largest change otherwise. It is cut when nothing
 * was written for a moment and nobody reads; nothing waits for it.
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
 * Does so again and again.
 * @param logError told of what went wrong
 * @returns stops
 */
export function keepLogShort(folder: string, now: () => number, logError: (error: unknown) => void): () => void {
  const timer = setInterval(() => void cutLog(folder, now()).catch(logError), EVERY).unref();
  return () => clearInterval(timer);
}
