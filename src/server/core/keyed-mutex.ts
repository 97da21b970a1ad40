import { Mutex } from 'async-mutex';

/** Lets work on the same thing happen one after another, in this process. */
export class KeyedMutex {
  /** The things that are worked on. */
  readonly #mutexes = new Map<string, Mutex>();

  /** Does a piece of work when those before it on the same thing have ended, however they did. */
  async runExclusive<T>(thing: string, work: () => Promise<T>): Promise<T> {
    const mutex = this.#mutexes.get(thing) ?? new Mutex();
    this.#mutexes.set(thing, mutex);
    return mutex.runExclusive(work).finally(() => {
      if (!mutex.isLocked() && this.#mutexes.get(thing) === mutex) this.#mutexes.delete(thing);
    });
  }
}
