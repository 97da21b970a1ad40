/** Lets work on the same thing happen one after another, in this process. */
export class KeyedMutex {
  /** The last piece of work on each thing. */
  readonly #last = new Map<string, Promise<unknown>>();

  /** Does a piece of work when those before it on the same thing have ended, however they did. */
  async runExclusive<T>(thing: string, work: () => Promise<T>): Promise<T> {
    const turn = (this.#last.get(thing) ?? Promise.resolve()).then(work);
    const ended = turn.catch(() => undefined);
    this.#last.set(thing, ended);
    try {
      return await turn;
    } finally {
      if (this.#last.get(thing) === ended) this.#last.delete(thing);
    }
  }
}
