import type { FastifyReply } from 'fastify';
import { LRUCache } from 'lru-cache';
import type { Clock } from '../clock.ts';
import { databaseFault } from './faults.ts';

/** Milliseconds that the database has to answer where something older could be shown instead. */
const QUERY_TIMEOUT = 2000;
/** Milliseconds after which something is too old to be shown. */
const MAX_AGE = 60 * 60 * 1000;
/** Most answers that are kept. */
const MAX_ANSWERS = 500;

/** An answer, and how old it is in seconds; null where the database gave it just now. */
export interface Aged<T> {
  value: T;
  age: number | null;
}

/** Says of an answer how old it is. */
export function markAge(reply: FastifyReply, age: number | null): void {
  if (age !== null) reply.header('age', age).header('warning', '110 enfilade "Response is Stale"');
}

/**
 * What was last answered to questions of everybody, for as long as the database does not answer them. Nothing of it is shown
 * while the database answers.
 */
export class LastAnswers<T> {
  readonly #clock: Clock;
  readonly #kept = new LRUCache<string, { value: T; at: number }>({ max: MAX_ANSWERS });

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Asks the database, and keeps what it says. What it has no more is not shown again. */
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
   * Asks the database; gives what it said before when it is away, or takes long.
   * @param key names the question
   * @param isForAll whether an answer may be given to others who ask the same
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
      // It is not waited for any more; its answer is cached.
      asked.catch(() => undefined);
    } catch (error) {
      if (databaseFault(error) !== 'unavailable') throw error;
    } finally {
      clearTimeout(timer);
    }
    return { value: known.value, age: Math.round(age / 1000) };
  }
}
