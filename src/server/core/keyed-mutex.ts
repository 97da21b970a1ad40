import { Mutex } from 'async-mutex';

/** A mutex per key, within this process. */
export class KeyedMutex {
  /** Mutexes in use. */
  readonly #mutexes = new Map<string, Mutex>();

  /** Runs work after all earlier work with the same key has settled. */
  async runExclusive<T>(thing: string, work: () => Promise<T>): Promise<T> {
    const mutex = this.#mutexes.get(thing) ?? new Mutex();
    this.#mutexes.set(thing, mutex);
    return mutex.runExclusive(work).finally(() => {
      if (!mutex.isLocked() && this.#mutexes.get(thing) === mutex) this.#mutexes.delete(thing);
    });
  }
}
