/** Messages that count in a second of one subject. */
const ALLOWED = 2;
/** Messages in a second, of whatever kind, after which a connection is ended. */
const FLOOD = 60;
const SECOND = 1000;

/** How much a visitor may say. */
export class Allowance {
  /** When the messages that counted last came, by subject; the oldest first. */
  readonly #counted = new Map<string, number[]>();
  #second = Number.NEGATIVE_INFINITY;
  #inSecond = 0;

  /** Counts a message that came in. @returns false when it is one too many to go on with the connection */
  take(now: number): boolean {
    if (now - this.#second >= SECOND) {
      this.#second = now;
      this.#inSecond = 0;
    }
    return ++this.#inSecond <= FLOOD;
  }

  /** Whether a message of a subject counts: at most two do in any second. */
  counts(subject: string, now: number): boolean {
    const times = this.#counted.get(subject) ?? [];
    this.#counted.set(subject, times);
    if (times.length === ALLOWED) {
      if (now - times[0]! < SECOND) return false;
      times.shift();
    }
    times.push(now);
    return true;
  }
}
