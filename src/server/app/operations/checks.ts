import { randomBytes } from 'node:crypto';
import { open, rm, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as passed } from 'node:timers/promises';
import { promisify } from 'node:util';
import { connectionsOf, type Database, queryDirectly } from '../../core/db/database.ts';
import { faultKindOf } from '../../core/db/faults.ts';
import { migrations } from '../../core/db/migrate.ts';
import { hasTokenSearch } from '../../core/db/token-search/token-search.ts';
import type { Bucket } from '../../core/files/bucket.ts';
import type { Workers } from '../../core/files/workers/workers.ts';
import { type Finding, WELL } from '../../core/health.ts';

/** Bytes written to test whether the disk accepts writes. */
const PROBE = 64 * 1024;
/** Free bytes below which a disk counts as full: less than an image, or the log of a change. */
const FULL = 4 * 1024 * 1024;
/** Free bytes below which the check warns. */
const LOW = 200 * 1024 * 1024;
const MEGABYTE = 1024 * 1024;

const failed = (problem: string, cause?: unknown): Finding => ({ state: 'failed', problem, cause });
const degraded = (problem: string, cause?: unknown): Finding => ({ state: 'degraded', problem, cause });

const codeOf = (error: unknown): string => {
  const { code } = (error ?? {}) as { code?: unknown };
  return typeof code === 'string' && /^\w{3,40}$/.test(code) ? ` (${code})` : '';
};

/**
 * Checks that the database responds and that its schema matches this program. While PostgreSQL is unreachable, queries
 * fail immediately.
 */
export function databaseCheck(db: Database): () => Promise<Finding> {
  const pool = connectionsOf(db);
  const ask = async (): Promise<Finding> => {
    const rows = await queryDirectly(db, 'select name from kysely_migration');
    pool?.resume();
    const done = new Set(rows.map(({ name }) => name));
    const missing = Object.keys(migrations).filter((name) => !done.has(name));
    if (missing.length === 0) return WELL;
    return failed(`The database lacks migrations of this version (${missing[0]}). Run \`enfilade migrate\`.`);
  };
  return async () => {
    try {
      return await ask();
    } catch (first) {
      // Out of connections: existing ones still work.
      if ((first as { code?: string }).code === '53300')
        return degraded('PostgreSQL has no free connections. Raise max_connections, or run fewer servers.', first);
      // A busy machine may be slow once; retry.
      try {
        return await ask();
      } catch (error) {
        pool?.giveUp();
        return faultKindOf(error) === 'full'
          ? failed(`The disk of the database is full${codeOf(error)}. Free disk space.`, error)
          : failed(`The database can't be reached${codeOf(error)}.`, error);
      }
    }
  };
}

async function writeProbe(path: string): Promise<void> {
  const file = await open(path, 'w', 0o600);
  try {
    await file.write(Buffer.alloc(PROBE));
    await file.sync();
  } finally {
    await file.close();
    await rm(path, { force: true });
  }
}

/** Checks that the data folder is writable, and its free space. */
export const diskCheck = (folder: string) => async (): Promise<Finding> => {
  try {
    const { bavail, bsize } = await statfs(folder);
    const free = bavail * bsize;
    const megabytes = Math.floor(free / MEGABYTE);
    if (free < FULL)
      return failed(
        `The disk of DATA_DIR is full: ${megabytes} MB free. Free disk space. Existing files can still be read.`,
      );
    await writeProbe(join(folder, `.probe-${process.pid}`));
    return free < LOW ? degraded(`The disk of DATA_DIR is almost full: ${megabytes} MB free.`) : WELL;
  } catch (error) {
    return failed(
      faultKindOf(error) === 'full'
        ? `The disk of DATA_DIR is full${codeOf(error)}. Free disk space. Existing files can still be read.`
        : `DATA_DIR can't be written${codeOf(error)}. Check the folder and its permissions.`,
      error,
    );
  }
};

/** Checks that the bucket responds. */
export const bucketCheck = (bucket: Bucket) => async (): Promise<Finding> => {
  try {
    await bucket.check();
    return WELL;
  } catch (error) {
    return degraded(
      "The bucket of S3_URL can't be reached. Files that aren't cached can't be shown, and uploads fail.",
      (error as Error).cause ?? error,
    );
  }
};

/** Milliseconds to wait for NATS, which connects in the background, before it counts as unreachable. */
const NATS_PATIENCE = 1000;

/** Checks that other servers can be reached. */
export const relayCheck = (isConnected: () => boolean) => async (): Promise<Finding> => {
  if (!isConnected()) await passed(NATS_PATIENCE, undefined, { ref: false });
  return isConnected()
    ? WELL
    : degraded("NATS can't be reached. Visitors connected to different servers don't see each other.");
};

/** Timeout in milliseconds for a trivial task in libuv's pool. */
const POOL_PATIENCE = 3000;

/**
 * Checks that libuv's pool (used for files, passwords and host names) and the decoders respond. Concurrent calls share
 * one check.
 * @returns a sentence naming what does not respond; null if everything does
 */
export function poolsCheck(workers: Pick<Workers, 'responds'>): () => Promise<string | null> {
  const ask = async () => {
    const pool = promisify(randomBytes)(1).then(() => true);
    const [hasPool, hasDecoders] = await Promise.all([
      Promise.race([pool, passed(POOL_PATIENCE, false, { ref: false })]),
      workers.responds(),
    ]);
    if (!hasPool) return 'The thread pool does not respond.';
    return hasDecoders ? null : 'The decoders do not respond.';
  };
  let asking: Promise<string | null> | null = null;
  return () => {
    asking ??= ask().finally(() => (asking = null));
    return asking;
  };
}

/** Checks that PostgreSQL can search access tokens by substring. */
export const tokenSearchCheck = (db: Database) => async (): Promise<Finding> =>
  (await hasTokenSearch(db))
    ? WELL
    : degraded(
        'PostgreSQL lacks the extension pg_trgm, so access tokens can only be searched by their beginning. Run "create extension pg_trgm" as a PostgreSQL administrator and restart the server.',
      );
