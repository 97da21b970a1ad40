/** Work by what it is about: whoever asks for what is under way waits for that, and nothing is done twice at a time. */
export class Once<T> {
  readonly #underWay = new Map<string, Promise<T>>();

  /** What comes of the work on a thing, which is begun unless it is under way. */
  of(thing: string, work: () => Promise<T>): Promise<T> {
    const known = this.#underWay.get(thing);
    if (known) return known;
    const begun = work().finally(() => this.#underWay.delete(thing));
    this.#underWay.set(thing, begun);
    return begun;
  }
}
