import type { ServerResponse } from 'node:http';

/** Work that is done when an answer has been sent, so that how long it takes tells the caller nothing. */
export class AfterAnswer {
  readonly #running = new Set<Promise<void>>();
  #isSettling = false;

  /**
   * Does something once a response has been sent, or cannot be sent any more.
   * @param work is given what says whether the server stops: long work then ends early
   * @param logError told of what failed: nobody waits for it
   */
  add(
    response: ServerResponse,
    work: (isStopping: () => boolean) => Promise<void>,
    logError: (error: unknown) => void,
  ): void {
    // Work that goes on after the answer may itself have something to do later.
    const ended = response.closed
      ? Promise.resolve()
      : new Promise<void>((resolve) => {
          response.once('close', resolve);
        });
    const running = ended.then(() => work(() => this.#isSettling)).catch(logError);
    this.#running.add(running);
    void running.then(() => this.#running.delete(running));
  }

  /** Waits until all is done. */
  async settle(): Promise<void> {
    this.#isSettling = true;
    while (this.#running.size > 0) await Promise.all(this.#running);
  }
}
