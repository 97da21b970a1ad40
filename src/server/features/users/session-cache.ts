import { LRUCache } from 'lru-cache';
import { API_KEY_PREFIX } from '../../../contract/entities.ts';
import type { Clock } from '../../core/clock.ts';
import { type Database, signInChangesOf } from '../../core/db/database.ts';
import type { TableChanges } from '../../core/db/table-changes.ts';
import { hashToken } from '../../core/secrets/token.ts';
import { findApiKey } from './find-api-key.ts';
import { findSession, type Session } from './sessions.ts';

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
