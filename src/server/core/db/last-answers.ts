import type { FastifyReply } from 'fastify';
import { LRUCache } from 'lru-cache';
import type { Clock } from '../clock.ts';
import { databaseFault } from './faults.ts';

/** Query timeout in milliseconds where a stale answer is acceptable. */
const QUERY_TIMEOUT = 2000;
/** Maximum age of a stale answer in milliseconds. */
const MAX_AGE = 60 * 60 * 1000;
/** Maximum number of cached answers. */
const MAX_ANSWERS = 500;

/** An answer with its age in seconds; null if it is fresh. */
export interface Aged<T> {
  value: T;
  age: number | null;
}

/** Sets the response's age header. */
export function markAge(reply: FastifyReply, age: number | null): void {
  if (age !== null) reply.header('age', age).header('warning', '110 enfilade "Response is Stale"');
}

/** Caches answers to public queries, and serves them stale while the database doesn't respond. */
export class LastAnswers<T> {
  readonly #clock: Clock;
  readonly #kept = new LRUCache<string, { value: T; at: number }>({ max: MAX_ANSWERS });

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Queries the database and caches the answer. Deleted content is dropped from the cache. */
  async #ask(key: string, ask: () => Promise<T>, isForAll: (value: T) => boolean): Promise<T> {
    try {
      const value = await ask();
      if (isForAll(value)) this.#kept.set(key, { value, at: this.#clock.now() });
      else this.#kept.delete(key);
      return value;
    } catch (error) {
      if (databaseFault(error) !== 'unavailable') this.#kept.delete(key);
      throw error;
    }
  }

  /**
   * Queries the database; falls back to the last answer on a failure or timeout.
   * @param key identifies the query
   * @param isForAll whether an answer may be served to other callers
   */
  async ask(key: string, ask: () => Promise<T>, isForAll: (value: T) => boolean = () => true): Promise<Aged<T>> {
    const known = this.#kept.get(key);
    const asked = this.#ask(key, ask, isForAll);
    const age = known && this.#clock.now() - known.at;
    if (!known || age === undefined || age > MAX_AGE) return { value: await asked, age: null };
    const { promise: late, resolve } = Promise.withResolvers<null>();
    const timer = setTimeout(resolve, QUERY_TIMEOUT, null);
    try {
      const answer = await Promise.race([asked.then((value) => ({ value })), late]);
      if (answer) return { ...answer, age: null };
      // No one awaits it anymore; its answer is cached.
      asked.catch(() => undefined);
    } catch (error) {
      if (databaseFault(error) !== 'unavailable') throw error;
    } finally {
      clearTimeout(timer);
    }
    return { value: known.value, age: Math.round(age / 1000) };
  }
}
