import type { ServerResponse } from 'node:http';

/** Work that is done when an answer has been sent, so that how long it takes tells the caller nothing. */
export class AfterAnswer {
  readonly #running = new Set<Promise<void>>();

  /**
   * Does something once a response has been sent, or cannot be sent any more.
   * @param logError told of what failed: nobody waits for it
   */
  add(response: ServerResponse, work: () => Promise<void>, logError: (error: unknown) => void): void {
    const ended = new Promise<void>((resolve) => response.once('close', resolve));
    const running = ended.then(work).catch(logError);
    this.#running.add(running);
    void running.then(() => this.#running.delete(running));
  }

  /** Waits until all is done. */
  async settle(): Promise<void> {
    while (this.#running.size > 0) await Promise.all(this.#running);
  }
}
