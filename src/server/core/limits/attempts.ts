import { Semaphore } from 'async-mutex';
import { sql } from 'kysely';
import { ApiError } from '../../../contract/errors.ts';
import { type Clock, timestampOf } from '../clock.ts';
import { type Database, isPostgres } from '../db/database.ts';

/** Failed sign-ins that one subject may make in the window. */
const LIMIT = { account: 10, address: 50 } as const;
/** Milliseconds of the window. */
export const ATTEMPT_WINDOW = 15 * 60 * 1000;
/** Milliseconds for which attempts are kept: the longest window of any limit, that of messages. */
export const ATTEMPTS_KEPT = 24 * 60 * 60 * 1000;

/** An address as the limit counts it: a whole /64 network of IPv6 is one. */
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

/** Forgets attempts that no limit looks at any more. */
export async function sweepAttempts(db: Database, clock: Clock): Promise<void> {
  await db
    .deleteFrom('attempts')
    .where('at', '<', timestampOf(clock.now() - ATTEMPTS_KEPT))
    .execute();
}

/** How many attempts of a subject there were since a moment. */
export async function attemptsSince(db: Database, subject: string, since: string): Promise<number> {
  const { count } = await db
    .selectFrom('attempts')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('subject', '=', subject)
    .where('at', '>=', since)
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** Keeps an attempt of each subject. */
export async function addAttempts(db: Database, clock: Clock, subjects: readonly string[]): Promise<void> {
  const at = timestampOf(clock.now());
  await db
    .insertInto('attempts')
    .values(subjects.map((subject) => ({ subject, at })))
    .execute();
}

/** So many attempts of one subject in the window. */
export interface Limit {
  subject: string;
  most: number;
  /** Milliseconds of its window; at most those for which attempts are kept. */
  window?: number;
}

/**
 * Lets counts of the same subjects happen one after another. SQLite needs nothing: one transaction runs at a time.
 * @param lock `shared` for those who only look at a count: they wait for whoever counts, not for one another
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

/** A refusal that tells how long it lasts. */
export class TooManyAttempts extends ApiError {
  /** Whom the limit that is reached is for. */
  readonly subject: string;

  /** @param wait seconds until another attempt is looked at */
  constructor(subject: string, wait: number) {
    const minutes = Math.ceil(wait / 60);
    const text = `Too many attempts. Wait ${minutes === 1 ? '1 minute' : `${minutes} minutes`}, then try again.`;
    super('too_many', text, undefined, wait);
    this.subject = subject;
  }
}

/** Milliseconds until a limit lets another attempt through; 0 when it is not reached. */
async function waitFor(db: Database, now: number, { subject, most, window = ATTEMPT_WINDOW }: Limit): Promise<number> {
  // One statement: attempts may be forgotten between two.
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
 * Refuses an attempt where a limit is reached.
 * @throws TooManyAttempts of the limit that is reached for the longest
 */
export async function refuseAbove(db: Database, now: number, limits: readonly Limit[]): Promise<void> {
  const longest = { subject: '', wait: 0 };
  for (const limit of limits) {
    const wait = await waitFor(db, now, limit);
    if (wait > longest.wait) Object.assign(longest, { subject: limit.subject, wait });
  }
  if (longest.wait > 0) throw new TooManyAttempts(longest.subject, Math.ceil(longest.wait / 1000));
}

/** Attempts that are counted at once: those that wait for the same lock hold a connection each. */
const AT_ONCE = 2;

const turns = new WeakMap<Database, Semaphore>();

/** Turns to count attempts in a database; whoever waits holds no connection. */
function turnsOf(database: Database): Semaphore {
  const known = turns.get(database) ?? new Semaphore(AT_ONCE);
  turns.set(database, known);
  return known;
}

/**
 * Counts an attempt against every limit, and refuses it when one is reached. The count is exact however many come at
 * once.
 * @throws TooManyAttempts
 */
export async function countAgainst(database: Database, clock: Clock, limits: readonly Limit[]): Promise<void> {
  await turnsOf(database).runExclusive(() => countNow(database, clock, limits));
}

async function countNow(database: Database, clock: Clock, limits: readonly Limit[]): Promise<void> {
  // What is refused in any case needs no lock.
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
 * Counts a sign-in against its account and its address, and refuses it when there were too many.
 * @throws TooManyAttempts
 */
export async function countAttempt(db: Database, clock: Clock, email: string, address: string): Promise<void> {
  await countAgainst(db, clock, [
    { subject: `account:${email}`, most: LIMIT.account },
    { subject: addressSubject(address), most: LIMIT.address },
  ]);
}

/** Forgets the attempts of a subject, and the one that it was for an address. */
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
 * Forgets the attempts of an account after a sign-in that went well, and the one that it was for its address. Those of the
 * address for other accounts stay: a password of one's own must not make room for more guesses.
 */
export const forgetAttempts = (db: Database, email: string, address: string): Promise<void> =>
  forget(db, `account:${email}`, address);

/**
 * Counts a code of a second factor against its user and the address. A right password makes no room for more codes.
 * @throws TooManyAttempts
 */
export async function countCode(db: Database, clock: Clock, userId: number, address: string): Promise<void> {
  await countAgainst(db, clock, [
    { subject: `second-factor:${userId}`, most: LIMIT.account },
    { subject: addressSubject(address), most: LIMIT.address },
  ]);
}

/** Forgets the codes that a user has tried, after a right one, and the one that it was for its address. */
export const forgetCodes = (db: Database, userId: number, address: string): Promise<void> =>
  forget(db, `second-factor:${userId}`, address);

/** Whether a subject has an attempt in the window. */
export const isCounted = async (db: Database, clock: Clock, subject: string): Promise<boolean> =>
  (await attemptsSince(db, subject, timestampOf(clock.now() - ATTEMPT_WINDOW + 1))) > 0;
