import { makeAutoObservable, runInAction } from 'mobx';
import type { Client } from '../../contract/client.ts';
import type { Session } from '../../contract/entities.ts';

/** The user's sessions. */
export class SessionsStore {
  readonly #client: Client;
  rows: Session[] = [];
  state: 'loading' | 'ready' | 'failed' = 'loading';

  constructor(client: Client) {
    this.#client = client;
    makeAutoObservable(this);
  }

  /** Whether the user has other sessions. */
  get hasOthers(): boolean {
    return this.rows.some(({ is_current }) => !is_current);
  }

  /** Loads the list, current session first. */
  async load(): Promise<void> {
    try {
      const rows = await this.#client.account.sessions();
      runInAction(() => {
        this.rows = rows.toSorted((one, other) => Number(other.is_current) - Number(one.is_current));
        this.state = 'ready';
      });
    } catch {
      runInAction(() => (this.state = 'failed'));
    }
  }

  /** @throws ApiError with the server's messages */
  async end(id: string): Promise<void> {
    await this.#client.account.endSession({ params: { id } });
    await this.load();
  }

  /** @throws ApiError with the server's messages */
  async endOthers(): Promise<void> {
    await this.#client.account.endOtherSessions();
    await this.load();
  }
}
