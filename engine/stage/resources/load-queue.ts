/** Concurrent loads: fewer than a browser's connections per server. */
const PARALLEL_LOADS = 4;

/** Runs jobs in order with limited concurrency, once started. */
export class LoadQueue {
  readonly #jobs: (() => Promise<void>)[] = [];
  #workers = 0;
  #isStarted = false;

  /** @param job must not reject */
  add(job: () => Promise<void>): void {
    this.#jobs.push(job);
    if (this.#isStarted && this.#workers < PARALLEL_LOADS) void this.#work();
  }

  /** Starts the queue. Resolves when all jobs added so far are done. */
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
