import type { ErrorCode } from '../../../contract/errors.ts';

/** What became of a statement: `full` is the disk, `busy` another change that takes long. */
export const FAULT_KINDS = ['away', 'full', 'busy', 'conflict', 'other'] as const;
export type FaultKind = (typeof FAULT_KINDS)[number];

/** A database that cannot be reached. The cause says why, where it was tried. */
export class DatabaseAway extends Error {
  constructor(cause?: unknown) {
    const reason = cause instanceof Error ? cause.message || (cause as { code?: string }).code : undefined;
    super(`The database does not answer${reason ? `: ${reason}` : ''}.`, cause === undefined ? undefined : { cause });
    this.name = 'DatabaseAway';
  }
}

/**
 * Constraints that a change broke because another one came first, by PostgreSQL's and SQLite's codes. 1811 is a refused
 * `on delete restrict`.
 */
const CONFLICTS = new Set<unknown>(['23503', '23505', '40001', '40P01', 787, 1555, 1811, 2067]);
/** The database is starting, stopping or broken, lets nobody in or has no connection left; or the network is away. */
const AWAY =
  /^(?:08...|28...|3D000|53[023]..|57P0.|58...|XX00.|E(?:CONNREFUSED|CONNRESET|CONNABORTED|NOTFOUND|AI_AGAIN|TIMEDOUT|PIPE|HOSTUNREACH|HOSTDOWN|NETUNREACH|NETDOWN))$/;
/** The disk is full, and what looks like it: a quota, the largest file, a disk that can only be read. */
const FULL = /^(?:53100|ENOSPC|EDQUOT|EFBIG|EROFS)$/;
/** Waited too long for another change. */
const BUSY = /^(?:55P03|57014|25P0[34])$/;
/** What the driver says of a connection that it has no more. */
const AWAY_WORDS =
  /^Connection terminated|is not queryable$|timeout exceeded when trying to connect|^Query read timeout|^Cannot use a pool after calling end/;
const SQLITE: Record<number, FaultKind> = { 5: 'busy', 6: 'busy', 8: 'away', 10: 'away', 11: 'away', 13: 'full' };

/** What kind of fault an error is, if it is one of a database or of a disk. */
export function faultKindOf(error: unknown): FaultKind {
  if (!(error instanceof Error)) return 'other';
  const { code, errcode } = error as { code?: unknown; errcode?: unknown };
  if (error instanceof DatabaseAway) return 'away';
  if (CONFLICTS.has(code) || CONFLICTS.has(errcode)) return 'conflict';
  // SQLite's extended codes carry the plain one in their low byte.
  if (code === 'ERR_SQLITE_ERROR') return (typeof errcode === 'number' && SQLITE[errcode & 0xff]) || 'other';
  if (typeof code === 'string') {
    if (FULL.test(code)) return 'full';
    if (BUSY.test(code)) return 'busy';
    if (AWAY.test(code)) return 'away';
  }
  return AWAY_WORDS.test(error.message) ? 'away' : 'other';
}

/** An error of the database that is no fault of the program, as a code of the error table. */
export function databaseFault(error: unknown): ErrorCode | undefined {
  const kind = faultKindOf(error);
  if (kind === 'other') return undefined;
  return kind === 'conflict' ? 'stale' : 'unavailable';
}

/** Counts what went wrong with the statements of a database, and tells who wants to know. */
export class Faults {
  readonly counts = new Map<FaultKind, number>(FAULT_KINDS.map((kind) => [kind, 0]));
  readonly #listeners = new Set<(kind: FaultKind, error: unknown) => void>();

  note(error: unknown): void {
    const kind = faultKindOf(error);
    this.counts.set(kind, this.counts.get(kind)! + 1);
    for (const hear of this.#listeners) hear(kind, error);
  }

  /** @returns a function that stops listening */
  listen(hear: (kind: FaultKind, error: unknown) => void): () => void {
    this.#listeners.add(hear);
    return () => this.#listeners.delete(hear);
  }
}
