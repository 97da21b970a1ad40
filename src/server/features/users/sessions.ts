import { LRUCache } from 'lru-cache';
import { API_KEY_PREFIX, policiesSchema } from '../../../contract/entities.ts';
import { type Clock, earlier, timestampOf } from '../../core/clock.ts';
import { type Database, signInChangesOf } from '../../core/db/database.ts';
import { prepared } from '../../core/db/prepared.ts';
import type { TableChanges } from '../../core/db/table-changes.ts';
import { refuseSuspended } from '../../core/organization-state.ts';
import { createToken, hashToken } from '../../core/secrets/token.ts';
import { findApiKey, type Session } from './api-keys.ts';
import { limitsFrom } from './limits.ts';
import { forgetSteps } from './sign-in-steps.ts';

/** Idle timeout of a session in milliseconds. */
const SESSION_IDLE_TIME = 12 * 60 * 60 * 1000;
/** Milliseconds after which a token is renewed. */
const RENEW_AFTER = 30 * 60 * 1000;
/** Milliseconds for which a renewed token still works, for calls in flight. */
const OVERLAP = 60 * 1000;
/** Absolute session lifetime in milliseconds. */
const SESSION_MAX_AGE = 30 * 24 * 60 * 60 * 1000;
/** Milliseconds after which another use is recorded: reads must not cause writes. */
const NOTE_AFTER = 5 * 60 * 1000;

/** Origin of a sign-in, by which its user can recognize it. */
interface SignInOrigin {
  /** Browser and system in words. */
  device: string;
  address: string;
  method: SignInMethod | '';
}

/** Sign-in methods. */
export type SignInMethod = 'password' | 'passkey' | 'identity_provider';

/** Fields shared by all tokens of a sign-in. */
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

/** Begins a session and returns its token, of which only the hash is stored. Deletes ended sessions on the way. */
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
 * Renews a due token. The old one works for another minute, and only one of several concurrent calls gets the new one.
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
    .select(['users.organization_id', 'users.name', 'users.email', 'users.policies', 'users.limits'])
    .select(['users.has_second_factor', 'organizations.requires_second_factor'])
    .select(['organizations.suspended_at', 'organizations.delete_after'])
    .where('sessions.expires_at', '>', now)
    .where('users.is_active', '=', 1);

const byToken = prepared((db, hash: string, now: string) =>
  sessionQuery(db, now).where('sessions.token_hash', '=', hash),
);

const bySignIn = prepared((db, family: string, now: string) =>
  sessionQuery(db, now).where('sessions.family', '=', family).limit(1),
);

type SessionRow = NonNullable<Awaited<ReturnType<ReturnType<typeof sessionQuery>['executeTakeFirst']>>>;

/** Methods that count as two factors, or whose second factor is checked elsewhere. */
const WHOLE: readonly string[] = ['passkey', 'identity_provider'] satisfies SignInMethod[];

/** @throws ApiError suspended: nobody can do anything in a suspended organization */
function asSession(row: SessionRow, renewed: string | null): Session {
  refuseSuspended(row);
  return {
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
      scopes: null,
      needsSecondFactor: row.requires_second_factor === 1 && row.has_second_factor === 0 && !WHOLE.includes(row.method),
      policies: policiesSchema.parse(JSON.parse(row.policies)),
      limits: limitsFrom(row.limits),
    },
  };
}

/** Records the use of a session, at most once in a few minutes. */
async function noteUse(db: Database, clock: Clock, { id, last_used_at }: SessionRow): Promise<void> {
  const now = clock.now();
  if (last_used_at <= timestampOf(now - NOTE_AFTER))
    await db
      .updateTable('sessions')
      .set({ last_used_at: timestampOf(now) })
      .where('id', '=', id)
      .execute();
}

/** The session of a token; null if there is none, it has ended, or its user may no longer sign in. */
async function findSession(db: Database, clock: Clock, token: string): Promise<Session | null> {
  const [row] = await byToken(db, hashToken(token), timestampOf(clock.now()));
  if (!row) return null;
  refuseSuspended(row);
  const renewed = await renew(db, clock, row);
  // A new token has a timestamp of its own.
  if (renewed === null) await noteUse(db, clock, row);
  return asSession(row, renewed);
}

/** Like `findSession`, but never renews the token: for requests whose response can't carry one. */
export async function peekSession(db: Database, clock: Clock, token: string): Promise<Session | null> {
  const [row] = await byToken(db, hashToken(token), timestampOf(clock.now()));
  return row ? asSession(row, null) : null;
}

/** The current session of a sign-in, for work in its name without its token. */
export async function findSignIn(db: Database, clock: Clock, family: string): Promise<Session | null> {
  const [row] = await bySignIn(db, family, timestampOf(clock.now()));
  return row ? asSession(row, null) : null;
}

/** Ends a user's sessions with their pending steps. */
export async function endSessionsOf(db: Database, userId: number): Promise<void> {
  await db.deleteFrom('sessions').where('user_id', '=', userId).execute();
  await db.deleteFrom('export_tickets').where('user_id', '=', userId).execute();
  await forgetSteps(db, userId);
}

/** A user's sign-ins, last used first. */
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

/** Ends a user's other sessions with their pending steps. */
export async function endOtherSessions(db: Database, userId: number, family: string): Promise<void> {
  for (const table of ['sessions', 'export_tickets'] as const)
    await db.deleteFrom(table).where('user_id', '=', userId).where('family', '!=', family).execute();
}

/**
 * Ends one session of a user.
 * @returns whether it existed
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

/** Ends a session with all tokens of its sign-in. */
export async function endSession(db: Database, family: string): Promise<void> {
  await db.deleteFrom('sessions').where('family', '=', family).execute();
}

/** Cache lifetime of a session in milliseconds: changes without a notification take effect after that. */
const SESSION_CACHE_LIFETIME = 2000;
/** Maximum number of cached sessions. */
const MAX_CACHED_SESSIONS = 10_000;

interface Remembered {
  session: Session;
  /** Milliseconds since 1970 at which it expires. */
  till: number;
  /** Change counter of users and sessions when it was read. */
  changes: number;
}

/**
 * Caches sessions. Any change of users, sessions or keys (a sign-out, a right, a password) clears the cache:
 * immediately for changes in this process; for other processes on notification by PostgreSQL, or within two seconds on
 * SQLite, which has no notifications.
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

  /** The session of a token, as in `findSession`. */
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

/** Lifetime of a ticket in milliseconds. */
const EXPORT_TICKET_LIFETIME = 60_000;

/** Purpose of a ticket, and the sign-in it belongs to. */
interface TicketFor {
  endpointId: number;
  userId: number;
  /** The ticket ends with this sign-in. */
  family: string;
}

/** Creates a ticket for one download: links can be logged and shared, so they never contain a session's token. */
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
 * Redeems a ticket; only one of several concurrent uses succeeds.
 * @returns its sign-in; null if the ticket doesn't exist or has expired
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
