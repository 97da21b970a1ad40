/** Messages per second and subject that are processed. */
const ALLOWED = 2;
/** Messages per second above which a connection is closed. */
const FLOOD = 60;
const SECOND = 1000;

/** Rate limit of a visitor's messages. */
export class Allowance {
  /** Times of the last processed messages by subject, oldest first. */
  readonly #counted = new Map<string, number[]>();
  #second = Number.NEGATIVE_INFINITY;
  #inSecond = 0;

  /** Counts an incoming message. @returns false if the connection should be closed */
  take(now: number): boolean {
    if (now - this.#second >= SECOND) {
      this.#second = now;
      this.#inSecond = 0;
    }
    return ++this.#inSecond <= FLOOD;
  }

  /** Whether to process a message of a subject: at most two per second. */
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
