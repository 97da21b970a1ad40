import { getHeapStatistics } from 'node:v8';
import type { FastifyReply } from 'fastify';
import { LRUCache } from 'lru-cache';
import type { Clock } from '../clock.ts';
import { databaseFault } from './faults.ts';

/** Query timeout in milliseconds where a stale answer is acceptable. */
const QUERY_TIMEOUT = 2000;
/** Maximum age of a stale answer in milliseconds. */
const MAX_AGE = 60 * 60 * 1000;
/** Maximum number of cached answers, and of their bytes. */
const MAX_ANSWERS = 500;
const MAX_BYTES = Math.min(64 * 1024 * 1024, getHeapStatistics().heap_size_limit / 16);

/** An answer with its age in seconds; null if it is fresh. */
export interface Aged<T> {
  value: T;
  age: number | null;
}

/** Variants of an answer, such as languages. */
export interface Variants<T> {
  /** The variant that an answer is. */
  of(answer: T): string;
  /** What an answer shows: a new answer replaces the variants that show something else. */
  contentOf(answer: T): unknown;
  /** The variant to serve, which may not be cached. @param cached at least one answer, all with the same content */
  choose(cached: readonly T[]): string;
}

const ONE_VARIANT: Variants<unknown> = { of: () => '', contentOf: () => undefined, choose: () => '' };

interface Kept<T> {
  value: T;
  at: number;
}

/** Sets the response's age header. */
export function markAge(reply: FastifyReply, age: number | null): void {
  if (age !== null) reply.header('age', age).header('warning', '110 enfilade "Response is Stale"');
}

/** Caches answers to public queries, and serves them stale while the database doesn't respond. */
export class LastAnswers<T> {
  readonly #clock: Clock;
  /** Answers by variant, by key. */
  readonly #kept: LRUCache<string, ReadonlyMap<string, Kept<T>>>;

  /** @param sizeOf memory of an answer in bytes, if it can be large */
  constructor(clock: Clock, sizeOf: (answer: T) => number = () => 0) {
    this.#clock = clock;
    const sizeOfOne = ({ value }: Kept<T>) => Math.ceil(Math.max(sizeOf(value), MAX_BYTES / MAX_ANSWERS));
    this.#kept = new LRUCache({
      maxSize: MAX_BYTES,
      sizeCalculation: (variants) => [...variants.values()].reduce((sum, kept) => sum + sizeOfOne(kept), 0),
    });
  }

  /** Caches an answer, with the variants that show the same. */
  #keep(key: string, value: T, { of, contentOf }: Variants<T>): void {
    const content = contentOf(value);
    const others = [...(this.#kept.get(key) ?? [])].filter(([, other]) => contentOf(other.value) === content);
    this.#kept.set(key, new Map([...others, [of(value), { value, at: this.#clock.now() }]]));
  }

  /** Queries the database and caches the answer. Deleted content is dropped from the cache. */
  async #ask(key: string, ask: () => Promise<T>, isForAll: (value: T) => boolean, variants: Variants<T>): Promise<T> {
    try {
      const value = await ask();
      if (isForAll(value)) this.#keep(key, value, variants);
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
   * @param variants if callers with the same key get different answers
   */
  async ask(
    key: string,
    ask: () => Promise<T>,
    isForAll: (value: T) => boolean = () => true,
    variants: Variants<T> = ONE_VARIANT,
  ): Promise<Aged<T>> {
    const kept = this.#kept.get(key);
    const known = kept?.get(variants.choose([...kept.values()].map(({ value }) => value)));
    const asked = this.#ask(key, ask, isForAll, variants);
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
