import { LRUCache } from 'lru-cache';
import { API_KEY_PREFIX, policiesSchema } from '../../../contract/entities.ts';
import { type Clock, earlier, timestampOf } from '../../core/clock.ts';
import { type Database, signInChangesOf } from '../../core/db/database.ts';
import { prepared } from '../../core/db/prepared.ts';
import type { TableChanges } from '../../core/db/table-changes.ts';
import { createToken, hashToken } from '../../core/secrets/token.ts';
import { findApiKey, type Session } from './api-keys.ts';
import { forgetSteps } from './sign-in-steps.ts';

/** Milliseconds that a session lives without being used. */
const SESSION_IDLE_TIME = 12 * 60 * 60 * 1000;
/** Milliseconds after which a response brings a new token. */
const RENEW_AFTER = 30 * 60 * 1000;
/** Milliseconds that the replaced token still works, for calls that are on their way. */
const OVERLAP = 60 * 1000;
/** Milliseconds after its sign-in at which a session ends, however much it is used. */
const SESSION_MAX_AGE = 30 * 24 * 60 * 60 * 1000;
/** Milliseconds after which another use is noted: reading must not become writing. */
const NOTE_AFTER = 5 * 60 * 1000;

/** Where a sign-in comes from, for its user to recognize it. */
interface SignInOrigin {
  /** Browser and system in words. */
  device: string;
  address: string;
  method: SignInMethod | '';
}

/** How somebody signs in. */
export type SignInMethod = 'password' | 'passkey' | 'identity_provider';

/** What all tokens of a sign-in share. */
interface SignIn extends Omit<SignInOrigin, 'method'> {
  method: string;
  user_id: number;
  family: string;
  signed_in_at: string;
}

async function store(
  db: Database,
  clock: Clock,
  { user_id, family, signed_in_at, device, address, method }: SignIn,
): Promise<string> {
  const token = createToken();
  const now = clock.now();
  await db
    .insertInto('sessions')
    .values({
      user_id,
      family,
      token_hash: hashToken(token),
      created_at: timestampOf(now),
      renew_at: timestampOf(now + RENEW_AFTER),
      expires_at: earlier(
        timestampOf(now + SESSION_IDLE_TIME),
        timestampOf(Date.parse(signed_in_at) + SESSION_MAX_AGE),
      ),
      signed_in_at,
      last_used_at: timestampOf(now),
      device,
      address,
      method,
    })
    .execute();
  return token;
}

/** Begins a session and gives its token, which is not stored as it is. Ended sessions are swept on the way. */
export async function beginSession(
  db: Database,
  clock: Clock,
  userId: number,
  origin: SignInOrigin = { device: '', address: '', method: '' },
): Promise<string> {
  const at = timestampOf(clock.now());
  await db.deleteFrom('sessions').where('expires_at', '<', at).execute();
  return store(db, clock, { ...origin, user_id: userId, family: createToken(), signed_in_at: at });
}

/**
 * Gives out a new token when the old one is due. The old one lives on for a minute, and only one of several calls at
 * once gets the new one.
 */
async function renew(
  db: Database,
  clock: Clock,
  row: SignIn & { id: number; renew_at: string },
): Promise<string | null> {
  const now = clock.now();
  if (row.renew_at > timestampOf(now)) return null;
  const claimed = await db
    .updateTable('sessions')
    .set({ renew_at: timestampOf(now + SESSION_IDLE_TIME), expires_at: timestampOf(now + OVERLAP) })
    .where('id', '=', row.id)
    .where('renew_at', '=', row.renew_at)
    .executeTakeFirst();
  return claimed.numUpdatedRows > 0n ? store(db, clock, row) : null;
}

const sessionQuery = (db: Database, now: string) =>
  db
    .selectFrom('sessions')
    .innerJoin('users', 'users.id', 'sessions.user_id')
    .select(['sessions.id', 'sessions.user_id', 'sessions.family', 'sessions.renew_at', 'sessions.expires_at'])
    .select([
      'sessions.signed_in_at',
      'sessions.last_used_at',
      'sessions.device',
      'sessions.address',
      'sessions.method',
    ])
    .innerJoin('organizations', 'organizations.id', 'users.organization_id')
    .select(['users.organization_id', 'users.name', 'users.email', 'users.policies'])
    .select(['users.has_second_factor', 'organizations.requires_second_factor'])
    .where('sessions.expires_at', '>', now)
    .where('users.is_active', '=', 1);

const byToken = prepared((db, hash: string, now: string) =>
  sessionQuery(db, now).where('sessions.token_hash', '=', hash),
);

type SessionRow = NonNullable<Awaited<ReturnType<ReturnType<typeof sessionQuery>['executeTakeFirst']>>>;

/** Ways to sign in that are two factors by themselves, or whose second one is asked for elsewhere. */
const WHOLE: readonly string[] = ['passkey', 'identity_provider'] satisfies SignInMethod[];

const asSession = (row: SessionRow, renewed: string | null): Session => ({
  organizationId: row.organization_id,
  renewed,
  till: earlier(row.renew_at, row.expires_at),
  user: {
    session: row.family,
    apiKey: null,
    userId: row.user_id,
    name: row.name,
    email: row.email,
    method: row.method,
    needsSecondFactor: row.requires_second_factor === 1 && row.has_second_factor === 0 && !WHOLE.includes(row.method),
    policies: policiesSchema.parse(JSON.parse(row.policies)),
  },
});

/** Notes that a session is in use, at most once in some minutes. */
async function noteUse(db: Database, clock: Clock, { id, last_used_at }: SessionRow): Promise<void> {
  const now = clock.now();
  if (last_used_at <= timestampOf(now - NOTE_AFTER))
    await db
      .updateTable('sessions')
      .set({ last_used_at: timestampOf(now) })
      .where('id', '=', id)
      .execute();
}

/** The session of a token; null when there is none, it has ended, or its user may no longer sign in. */
async function findSession(db: Database, clock: Clock, token: string): Promise<Session | null> {
  const [row] = await byToken(db, hashToken(token), timestampOf(clock.now()));
  if (!row) return null;
  const renewed = await renew(db, clock, row);
  // A new token says by itself when it was used.
  if (renewed === null) await noteUse(db, clock, row);
  return asSession(row, renewed);
}

/** Like `findSession`, without giving out a new token: for requests whose answer cannot carry one. */
export async function peekSession(db: Database, clock: Clock, token: string): Promise<Session | null> {
  const [row] = await byToken(db, hashToken(token), timestampOf(clock.now()));
  return row ? asSession(row, null) : null;
}

/** The session that goes on from a sign-in, for what is asked in its name without its token. */
export async function findSignIn(db: Database, clock: Clock, family: string): Promise<Session | null> {
  const row = await sessionQuery(db, timestampOf(clock.now())).where('sessions.family', '=', family).executeTakeFirst();
  return row ? asSession(row, null) : null;
}

/** Ends every session of a user, and what was begun in them. */
export async function endSessionsOf(db: Database, userId: number): Promise<void> {
  await db.deleteFrom('sessions').where('user_id', '=', userId).execute();
  await db.deleteFrom('export_tickets').where('user_id', '=', userId).execute();
  await forgetSteps(db, userId);
}

/** Where a user is signed in, what was used last first. */
export function listSignIns(db: Database, clock: Clock, userId: number) {
  return db
    .selectFrom('sessions')
    .select(['family', 'signed_in_at', 'device', 'address'])
    .select(({ fn }) => fn.max('last_used_at').as('last_used_at'))
    .where('user_id', '=', userId)
    .where('expires_at', '>', timestampOf(clock.now()))
    .groupBy(['family', 'signed_in_at', 'device', 'address'])
    .orderBy('last_used_at', 'desc')
    .orderBy('family')
    .execute();
}

/** Ends every session of a user but one, and what was begun in them. */
export async function endOtherSessions(db: Database, userId: number, family: string): Promise<void> {
  for (const table of ['sessions', 'export_tickets'] as const)
    await db.deleteFrom(table).where('user_id', '=', userId).where('family', '!=', family).execute();
}

/**
 * Ends one session of a user.
 * @returns whether the user had it
 */
export async function endSessionOf(db: Database, userId: number, family: string): Promise<boolean> {
  await db.deleteFrom('export_tickets').where('user_id', '=', userId).where('family', '=', family).execute();
  const { numDeletedRows } = await db
    .deleteFrom('sessions')
    .where('user_id', '=', userId)
    .where('family', '=', family)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

/** Ends a session, with every token that followed from its sign-in. */
export async function endSession(db: Database, family: string): Promise<void> {
  await db.deleteFrom('sessions').where('family', '=', family).execute();
}

/** Milliseconds for which a sign-in is believed without asking: changes without a message count after that. */
const SESSION_CACHE_LIFETIME = 2000;
/** Sign-ins that are remembered. */
const MAX_CACHED_SESSIONS = 10_000;

interface Remembered {
  session: Session;
  /** Milliseconds since 1970 at which it is looked up again. */
  till: number;
  /** Changes of users and sessions that were known when it was looked up. */
  changes: number;
}

/**
 * Remembers who is signed in. Whatever is changed about users, sessions or keys (a logout, a right, a password) makes it
 * forget everything: at once where this process changes it; where another one does, when PostgreSQL tells of it, and
 * within two seconds on SQLite, which tells of nothing.
 */
export class SessionCache {
  readonly #db: Database;
  readonly #clock: Clock;
  readonly #changes: TableChanges;
  readonly #remembered = new LRUCache<string, Remembered>({ max: MAX_CACHED_SESSIONS });

  constructor(db: Database, clock: Clock) {
    this.#db = db;
    this.#clock = clock;
    this.#changes = signInChangesOf(db);
  }

  /** The session of a token, as `findSession` gives it. */
  async find(token: string): Promise<Session | null> {
    const key = hashToken(token);
    const now = this.#clock.now();
    const known = this.#remembered.get(key);
    if (known?.changes === this.#changes.count && known.till > now) return known.session;
    const changes = this.#changes.count;
    const find = token.startsWith(API_KEY_PREFIX) ? findApiKey : findSession;
    const session = await find(this.#db, this.#clock, token);
    if (session && !session.renewed)
      this.#remembered.set(key, {
        session,
        till: Math.min(Date.parse(session.till), now + SESSION_CACHE_LIFETIME),
        changes,
      });
    else this.#remembered.delete(key);
    return session;
  }
}

/** Milliseconds that a ticket lives. */
const EXPORT_TICKET_LIFETIME = 60_000;

/** What a ticket is for, and in whose sign-in it is made. */
interface TicketFor {
  endpointId: number;
  userId: number;
  /** Sign-in that the ticket ends with. */
  family: string;
}

/** Makes a ticket for one download: what stands in a link can be logged and shared, so it is never a session's token. */
export async function createExportTicket(
  db: Database,
  clock: Clock,
  { endpointId, userId, family }: TicketFor,
): Promise<string> {
  const token = createToken();
  const now = clock.now();
  await db.deleteFrom('export_tickets').where('expires_at', '<=', timestampOf(now)).execute();
  await db
    .insertInto('export_tickets')
    .values({
      endpoint_id: endpointId,
      user_id: userId,
      family,
      token_hash: hashToken(token),
      expires_at: timestampOf(now + EXPORT_TICKET_LIFETIME),
    })
    .execute();
  return token;
}

/**
 * Takes a ticket: of several at once, one gets it.
 * @returns the sign-in that it was made in; null when there is no such ticket, or it is over
 */
export async function takeExportTicket(
  db: Database,
  clock: Clock,
  ticket: string,
  endpointId: number,
): Promise<string | null> {
  const taken = await db
    .deleteFrom('export_tickets')
    .where('token_hash', '=', hashToken(ticket))
    .where('endpoint_id', '=', endpointId)
    .where('expires_at', '>', timestampOf(clock.now()))
    .returning('family')
    .executeTakeFirst();
  return taken?.family ?? null;
}
