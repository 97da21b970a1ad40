import { makeAutoObservable, runInAction } from 'mobx';
import type { Client } from '../../contract/client.ts';

/** Window event: the number of messages waiting may have changed. */
export const WAITING_EVENT = 'enfilade-waiting';

/** Polling interval in milliseconds. */
const POLL_INTERVAL = 60_000;

/** Number of visitors' messages waiting for approval. */
export class WaitingStore {
  count = 0;
  readonly #client: Client;

  constructor(client: Client) {
    this.#client = client;
    makeAutoObservable(this);
  }

  async load(): Promise<void> {
    const found = await this.#client.feeds.listItems({ query: { state: 'waiting', per_page: 1 } }).then(
      ({ meta }) => meta.total,
      // Ignore errors: the next poll retries.
      () => this.count,
    );
    runInAction(() => {
      this.count = found;
    });
  }

  /** Polls now, every minute while the page is visible, and on changes. @returns stop function */
  follow(): () => void {
    const poll = () => {
      if (!document.hidden) void this.load();
    };
    poll();
    const timer = setInterval(poll, POLL_INTERVAL);
    addEventListener(WAITING_EVENT, poll);
    return () => {
      clearInterval(timer);
      removeEventListener(WAITING_EVENT, poll);
    };
  }
}
