/** How many things are fetched at once: fewer than the connections that a browser opens to one server. */
const PARALLEL_LOADS = 4;

/** Does jobs a few at a time, in the order in which they were asked for, from when it is started. */
export class LoadQueue {
  readonly #jobs: (() => Promise<void>)[] = [];
  #workers = 0;
  #isStarted = false;

  /** @param job never rejects */
  add(job: () => Promise<void>): void {
    this.#jobs.push(job);
    if (this.#isStarted && this.#workers < PARALLEL_LOADS) void this.#work();
  }

  /** Begins. Fulfilled when all that was asked for so far is done. */
  async start(): Promise<void> {
    this.#isStarted = true;
    await Promise.all(Array.from({ length: PARALLEL_LOADS }, () => this.#work()));
  }

  async #work(): Promise<void> {
    this.#workers++;
    for (let job = this.#jobs.shift(); job; job = this.#jobs.shift()) await job();
    this.#workers--;
  }
}
