import { LRUCache } from 'lru-cache';
import type { Clock } from '../clock.ts';
import { type Database, databaseVersionOf } from './database.ts';

interface Entry<T> {
  version: number;
  /** Second since 1970 in which it was read. */
  second: number;
  value: T;
}

/**
 * Caches values read from the database until anything in it changes, but at most for the current second: time-dependent
 * values change at full seconds. PostgreSQL has no content version, so there every value is read again.
 */
export class VersionedCache<T extends object> {
  readonly #db: Database;
  readonly #clock: Clock;
  readonly #entries: LRUCache<string, Entry<T>>;

  /**
   * @param maxBytes maximum total size of keys and values
   * @param sizeOf size of a value in bytes
   */
  constructor(db: Database, clock: Clock, { maxBytes, sizeOf }: { maxBytes: number; sizeOf: (value: T) => number }) {
    this.#db = db;
    this.#clock = clock;
    // Keys count, too: they contain URLs and headers of any client.
    const sizeCalculation = ({ value }: Entry<T>, key: string) => sizeOf(value) + key.length + 1;
    this.#entries = new LRUCache({ maxSize: maxBytes, sizeCalculation });
  }

  /** The cached value of a key; reads it if it is missing or stale. */
  async find(key: string, read: () => Promise<T>): Promise<T> {
    // The version is read first: a value can be newer than its version, never older.
    const version = databaseVersionOf(this.#db);
    if (version === undefined) return read();
    const second = Math.floor(this.#clock.now() / 1000);
    const known = this.#entries.get(key);
    if (known?.version === version && known.second === second) return known.value;
    const value = await read();
    this.#entries.set(key, { version, second, value });
    return value;
  }
}
