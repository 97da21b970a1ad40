import { makeAutoObservable, runInAction } from 'mobx';
import type { Client } from '../../contract/client.ts';
import { WAITING_EVENT } from './shell-events.ts';

/** Milliseconds between two looks at what waits. */
const LOOK_EVERY = 60_000;

/** How much of what visitors shared waits for approval. */
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
      // The number is an aside: what can't be asked now is asked again soon.
      () => this.count,
    );
    runInAction(() => {
      this.count = found;
    });
  }

  /** Looks now, every minute while the page is seen, and when a screen changed something. @returns what ends it */
  follow(): () => void {
    const look = () => {
      if (!document.hidden) void this.load();
    };
    look();
    const timer = setInterval(look, LOOK_EVERY);
    addEventListener(WAITING_EVENT, look);
    return () => {
      clearInterval(timer);
      removeEventListener(WAITING_EVENT, look);
    };
  }
}
