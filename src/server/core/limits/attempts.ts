import { Semaphore } from 'async-mutex';
import { sql } from 'kysely';
import { ApiError } from '../../../contract/errors.ts';
import { type Clock, timestampOf } from '../clock.ts';
import { type Database, isPostgres } from '../db/database.ts';

/** Maximum failed sign-ins per subject and window. */
const LIMIT = { account: 10, address: 50 } as const;
/** Length of the window in milliseconds. */
export const ATTEMPT_WINDOW = 15 * 60 * 1000;
/** Retention of attempts in milliseconds: the longest window of any limit, that of emails. */
export const ATTEMPTS_KEPT = 24 * 60 * 60 * 1000;

/** Subject of an IP address: an IPv6 /64 network counts as one. */
export function addressSubject(address: string): string {
  const plain = address.replace(/^::ffff:(?=\d+\.)/, '');
  if (!plain.includes(':')) return `address:${plain}`;
  const [head = '', tail = ''] = plain.split('::');
  const left = head.split(':').filter(Boolean);
  const right = plain.includes('::') ? tail.split(':').filter(Boolean) : [];
  const groups = [...left, ...Array(Math.max(0, 8 - left.length - right.length)).fill('0'), ...right];
  return `address:${groups
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')}::/64`;
}

/** Deletes attempts older than any limit's window. */
export async function sweepAttempts(db: Database, clock: Clock): Promise<void> {
  await db
    .deleteFrom('attempts')
    .where('at', '<', timestampOf(clock.now() - ATTEMPTS_KEPT))
    .execute();
}

/** Number of attempts of a subject since a time. */
export async function attemptsSince(db: Database, subject: string, since: string): Promise<number> {
  const { count } = await db
    .selectFrom('attempts')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('subject', '=', subject)
    .where('at', '>=', since)
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** Records an attempt for each subject. */
export async function addAttempts(db: Database, clock: Clock, subjects: readonly string[]): Promise<void> {
  const at = timestampOf(clock.now());
  await db
    .insertInto('attempts')
    .values(subjects.map((subject) => ({ subject, at })))
    .execute();
}

/** Maximum attempts of a subject per window. */
export interface Limit {
  subject: string;
  most: number;
  /** Window in milliseconds; at most the retention of attempts. */
  window?: number;
}

/**
 * Serializes counting of the same subjects. SQLite needs no lock: one transaction runs at a time.
 * @param lock `shared` for readers of a count, who wait for writers but not for each other
 */
export async function lockSubjects(
  db: Database,
  limits: readonly { subject: string }[],
  lock: 'exclusive' | 'shared' = 'exclusive',
): Promise<void> {
  if (!isPostgres(db)) return;
  const take = sql.raw(lock === 'shared' ? 'pg_advisory_xact_lock_shared' : 'pg_advisory_xact_lock');
  for (const { subject } of limits) await sql`select ${take}(hashtextextended(${subject}, 0))`.execute(db);
}

/** Rate limit error with its remaining time. */
export class TooManyAttempts extends ApiError {
  /** Subject of the exceeded limit. */
  readonly subject: string;

  /** @param wait seconds until another attempt is accepted */
  constructor(subject: string, wait: number) {
    const minutes = Math.ceil(wait / 60);
    const text = `Too many attempts. Wait ${minutes === 1 ? '1 minute' : `${minutes} minutes`}, then try again.`;
    super('too_many', text, undefined, wait);
    this.subject = subject;
  }
}

/** Milliseconds until a limit allows another attempt; 0 if it isn't exceeded. */
async function waitFor(db: Database, now: number, { subject, most, window = ATTEMPT_WINDOW }: Limit): Promise<number> {
  // A single statement, because attempts may be deleted between two.
  const first = await db
    .selectFrom('attempts')
    .select('at')
    .where('subject', '=', subject)
    .where('at', '>=', timestampOf(now - window + 1))
    .orderBy('at', 'desc')
    .limit(1)
    .offset(most - 1)
    .executeTakeFirst();
  return first ? Date.parse(first.at) + window - now : 0;
}

/**
 * Rejects an attempt if a limit is exceeded.
 * @throws TooManyAttempts for the limit with the longest remaining time
 */
export async function refuseAbove(db: Database, now: number, limits: readonly Limit[]): Promise<void> {
  const longest = { subject: '', wait: 0 };
  for (const limit of limits) {
    const wait = await waitFor(db, now, limit);
    if (wait > longest.wait) Object.assign(longest, { subject: limit.subject, wait });
  }
  if (longest.wait > 0) throw new TooManyAttempts(longest.subject, Math.ceil(longest.wait / 1000));
}

/** Maximum concurrent counts: those waiting for the same lock hold a connection each. */
const AT_ONCE = 2;

const turns = new WeakMap<Database, Semaphore>();

/** Semaphore for counting in a database; waiting callers hold no connection. */
function turnsOf(database: Database): Semaphore {
  const known = turns.get(database) ?? new Semaphore(AT_ONCE);
  turns.set(database, known);
  return known;
}

/**
 * Counts an attempt against every limit, and rejects it if one is exceeded. The count is exact under concurrency.
 * @throws TooManyAttempts
 */
export async function countAgainst(database: Database, clock: Clock, limits: readonly Limit[]): Promise<void> {
  await turnsOf(database).runExclusive(() => countNow(database, clock, limits));
}

async function countNow(database: Database, clock: Clock, limits: readonly Limit[]): Promise<void> {
  // Attempts over the limit need no lock.
  await refuseAbove(database, clock.now(), limits);
  await sweepAttempts(database, clock);
  await database.transaction().execute(async (db) => {
    await lockSubjects(db, limits);
    await refuseAbove(db, clock.now(), limits);
    await addAttempts(
      db,
      clock,
      limits.map(({ subject }) => subject),
    );
  });
}

/**
 * Counts a sign-in against its account and IP address, and rejects it if there were too many.
 * @throws TooManyAttempts
 */
export async function countAttempt(db: Database, clock: Clock, email: string, address: string): Promise<void> {
  await countAgainst(db, clock, [
    { subject: `account:${email}`, most: LIMIT.account },
    { subject: addressSubject(address), most: LIMIT.address },
  ]);
}

/** Deletes a subject's attempts, and one attempt of its IP address. */
async function forget(db: Database, subject: string, address: string): Promise<void> {
  const own = db
    .selectFrom('attempts')
    .select(({ fn }) => fn.max('id').as('id'))
    .where('subject', '=', addressSubject(address));
  await db
    .deleteFrom('attempts')
    .where((where) => where.or([where('subject', '=', subject), where('id', '=', own)]))
    .execute();
}

/**
 * Deletes an account's attempts after a successful sign-in, and one attempt of its IP address. The address's attempts
 * on other accounts remain: signing in to one's own account must not allow more guesses.
 */
export const forgetAttempts = (db: Database, email: string, address: string): Promise<void> =>
  forget(db, `account:${email}`, address);

/**
 * Counts a second-factor code against its user and IP address. A correct password doesn't reset it.
 * @throws TooManyAttempts
 */
export async function countCode(db: Database, clock: Clock, userId: number, address: string): Promise<void> {
  await countAgainst(db, clock, [
    { subject: `second-factor:${userId}`, most: LIMIT.account },
    { subject: addressSubject(address), most: LIMIT.address },
  ]);
}

/** Deletes a user's code attempts after a correct code, and one attempt of its IP address. */
export const forgetCodes = (db: Database, userId: number, address: string): Promise<void> =>
  forget(db, `second-factor:${userId}`, address);

/** Whether a subject has an attempt in the window. */
export const isCounted = async (db: Database, clock: Clock, subject: string): Promise<boolean> =>
  (await attemptsSince(db, subject, timestampOf(clock.now() - ATTEMPT_WINDOW + 1))) > 0;
