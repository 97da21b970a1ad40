import { sql } from 'kysely';
import { ApiError } from '../../contract/errors.ts';
import { type Clock, stampOf } from '../clock.ts';
import { type Database, isPostgres } from '../db/database.ts';

/** Failed sign-ins that one subject may make in the window. */
const LIMIT = { account: 10, address: 50 } as const;
/** Milliseconds of the window. */
export const ATTEMPT_WINDOW = 15 * 60 * 1000;
/** Milliseconds for which attempts are kept: the longest window of any limit. */
export const ATTEMPTS_KEPT = 60 * 60 * 1000;

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
    .where('at', '<', stampOf(clock.now() - ATTEMPTS_KEPT))
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
  const at = stampOf(clock.now());
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

/**
 * Counts an attempt against every limit, and refuses it when one is reached. The count is exact however many come at
 * once.
 * @throws ApiError too_many
 */
export async function countAgainst(database: Database, clock: Clock, limits: readonly Limit[]): Promise<void> {
  await sweepAttempts(database, clock);
  await database.transaction().execute(async (db) => {
    await lockSubjects(db, limits);
    for (const { subject, most, window = ATTEMPT_WINDOW } of limits) {
      const since = stampOf(clock.now() - window);
      if ((await attemptsSince(db, subject, since)) >= most) throw new ApiError('too_many');
    }
    await addAttempts(
      db,
      clock,
      limits.map(({ subject }) => subject),
    );
  });
}

/**
 * Counts a sign-in against its account and its address, and refuses it when there were too many.
 * @throws ApiError too_many
 */
export async function countAttempt(db: Database, clock: Clock, email: string, address: string): Promise<void> {
  await countAgainst(db, clock, [
    { subject: `account:${email}`, most: LIMIT.account },
    { subject: addressSubject(address), most: LIMIT.address },
  ]);
}

/**
 * Forgets the attempts of an account after a sign-in that went well, and the one that it was for its address. Those of the
 * address for other accounts stay: a password of one's own must not make room for more guesses.
 */
export async function forgetAttempts(db: Database, email: string, address: string): Promise<void> {
  const own = db
    .selectFrom('attempts')
    .select(({ fn }) => fn.max('id').as('id'))
    .where('subject', '=', addressSubject(address));
  await db
    .deleteFrom('attempts')
    .where((where) => where.or([where('subject', '=', `account:${email}`), where('id', '=', own)]))
    .execute();
}
