import { once } from 'node:events';
import { Worker } from 'node:worker_threads';

/** Looks in a thread of its own how long /healthz takes, so that what the test itself does delays nothing. */
export class Probe {
  readonly #worker: Worker;

  constructor(origin: string) {
    this.#worker = new Worker(new URL('./probe-worker.ts', import.meta.url), { workerData: origin });
  }

  async #tell(): Promise<number> {
    const answer = once(this.#worker, 'message');
    this.#worker.postMessage('tell');
    const [longest] = await answer;
    return longest as number;
  }

  /** The longest that /healthz took while something was done, in milliseconds; without end where it was not answered. */
  async during(work: () => Promise<unknown>): Promise<number> {
    // One answer at least, so that the thread itself is under way.
    await this.#tell();
    this.#worker.postMessage('begin');
    await work();
    return this.#tell();
  }

  async stop(): Promise<void> {
    await this.#worker.terminate();
  }
}
