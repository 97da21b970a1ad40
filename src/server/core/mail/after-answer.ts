import type { ServerResponse } from 'node:http';

/** Runs work after a response has been sent, so that its duration reveals nothing to the caller. */
export class AfterAnswer {
  readonly #running = new Set<Promise<void>>();
  #isSettling = false;

  /**
   * Runs work once a response has been sent, or the connection is closed.
   * @param work receives a function that says whether the server is stopping, so that long work can end early
   * @param logError logs a failure: no one waits for the work
   */
  add(
    response: ServerResponse,
    work: (isStopping: () => boolean) => Promise<void>,
    logError: (error: unknown) => void,
  ): void {
    // Work after the response may schedule further work.
    const ended = response.closed
      ? Promise.resolve()
      : new Promise<void>((resolve) => {
          response.once('close', resolve);
        });
    const running = ended.then(() => work(() => this.#isSettling)).catch(logError);
    this.#running.add(running);
    void running.then(() => this.#running.delete(running));
  }

  /** Waits until all work is done. */
  async settle(): Promise<void> {
    this.#isSettling = true;
    while (this.#running.size > 0) await Promise.all(this.#running);
  }
}
