import type { ErrorCode } from '../../../contract/errors.ts';

/** Kinds of failure; `full` is the disk, `busy` another change that holds a lock for too long. */
export const FAULT_KINDS = ['away', 'full', 'busy', 'conflict', 'other'] as const;
export type FaultKind = (typeof FAULT_KINDS)[number];

/** The database can't be reached. The cause contains the reason and the address. */
export class DatabaseAway extends Error {
  constructor(cause?: unknown) {
    const reason = cause instanceof Error ? cause.message || (cause as { code?: string }).code : undefined;
    super(`The database can't be reached${reason ? `: ${reason}` : ''}.`, cause === undefined ? undefined : { cause });
    this.name = 'DatabaseAway';
  }
}

/**
 * Constraint violations caused by a concurrent change, as PostgreSQL and SQLite codes. 1811 is a violated `on delete
 * restrict`.
 */
const CONFLICTS = new Set<unknown>(['23503', '23505', '40001', '40P01', 787, 1555, 1811, 2067]);
/** The database is starting, stopping, broken, refusing logins or out of connections; or the network is down. */
const AWAY =
  /^(?:08...|28...|3D000|53[023]..|57P0.|58...|XX00.|E(?:CONNREFUSED|CONNRESET|CONNABORTED|NOTFOUND|AI_AGAIN|TIMEDOUT|PIPE|HOSTUNREACH|HOSTDOWN|NETUNREACH|NETDOWN))$/;
/** The disk is full or equivalent: over quota, file too large, or read-only. */
const FULL = /^(?:53100|ENOSPC|EDQUOT|EFBIG|EROFS)$/;
/** Lock timeout. */
const BUSY = /^(?:55P03|57014|25P0[34])$/;
/** The driver's messages for a lost connection. */
const AWAY_WORDS =
  /^Connection terminated|is not queryable$|timeout exceeded when trying to connect|^Query read timeout|^Cannot use a pool after calling end/;
const SQLITE: Record<number, FaultKind> = { 5: 'busy', 6: 'busy', 8: 'away', 10: 'away', 11: 'away', 13: 'full' };

/** The kind of fault, if the error comes from a database or disk. */
export function faultKindOf(error: unknown): FaultKind {
  if (!(error instanceof Error)) return 'other';
  const { code, errcode } = error as { code?: unknown; errcode?: unknown };
  if (error instanceof DatabaseAway) return 'away';
  if (CONFLICTS.has(code) || CONFLICTS.has(errcode)) return 'conflict';
  // SQLite's extended codes carry the primary code in their low byte.
  if (code === 'ERR_SQLITE_ERROR') return (typeof errcode === 'number' && SQLITE[errcode & 0xff]) || 'other';
  if (typeof code === 'string') {
    if (FULL.test(code)) return 'full';
    if (BUSY.test(code)) return 'busy';
    if (AWAY.test(code)) return 'away';
  }
  return AWAY_WORDS.test(error.message) ? 'away' : 'other';
}

/** The API error code for a database error that is not a bug in the program. */
export function databaseFault(error: unknown): ErrorCode | undefined {
  const kind = faultKindOf(error);
  if (kind === 'other') return undefined;
  return kind === 'conflict' ? 'stale' : 'unavailable';
}

/** Counts failed statements and notifies listeners. */
export class Faults {
  readonly counts = new Map<FaultKind, number>(FAULT_KINDS.map((kind) => [kind, 0]));
  readonly #listeners = new Set<(kind: FaultKind, error: unknown) => void>();

  note(error: unknown): void {
    const kind = faultKindOf(error);
    this.counts.set(kind, this.counts.get(kind)! + 1);
    for (const hear of this.#listeners) hear(kind, error);
  }

  /** @returns an unsubscribe function */
  listen(hear: (kind: FaultKind, error: unknown) => void): () => void {
    this.#listeners.add(hear);
    return () => this.#listeners.delete(hear);
  }
}
