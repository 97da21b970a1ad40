/** Deduplicates concurrent work by key: callers share the run in progress. */
export class Once<T> {
  readonly #underWay = new Map<string, Promise<T>>();

  /** The result of the work for a key; starts it unless it is in progress. */
  of(thing: string, work: () => Promise<T>): Promise<T> {
    const known = this.#underWay.get(thing);
    if (known) return known;
    const begun = work().finally(() => this.#underWay.delete(thing));
    this.#underWay.set(thing, begun);
    return begun;
  }
}
