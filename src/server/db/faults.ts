import type { ErrorCode } from '../../contract/errors.ts';

/**
 * Constraints that a change broke because another one came first, by PostgreSQL's and SQLite's codes. 1811 is a refused
 * `on delete restrict`.
 */
const RACES = new Set<unknown>(['23503', '23505', '40001', '40P01', 787, 1555, 1811, 2067]);
/** The database is away, starting, stopping, full or locked. */
const AWAY = /^(?:08...|3D000|53...|57P0.|ECONNREFUSED|ECONNRESET|ENOTFOUND|ETIMEDOUT|EPIPE)$/;
const AWAY_SQLITE = new Set<unknown>([5, 6, 8, 10, 13]);

/** An error of the database that is no fault of the program, as a code of the error table. */
export function databaseFault(error: unknown): ErrorCode | undefined {
  if (!(error instanceof Error)) return undefined;
  const { code, errcode } = error as { code?: unknown; errcode?: unknown };
  if (RACES.has(code) || RACES.has(errcode)) return 'stale';
  if (typeof code === 'string' && AWAY.test(code)) return 'unavailable';
  // SQLite's extended codes carry the plain one in their low byte.
  if (code === 'ERR_SQLITE_ERROR' && typeof errcode === 'number' && AWAY_SQLITE.has(errcode & 0xff))
    return 'unavailable';
  if (/^Connection terminated|is not queryable$|timeout exceeded when trying to connect/.test(error.message))
    return 'unavailable';
  return undefined;
}
