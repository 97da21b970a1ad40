import { makeAutoObservable, runInAction } from 'mobx';
import { type Client, createClient } from '../contract/client.ts';
import type { User } from '../contract/entities.ts';
import { ApiError } from '../contract/errors.ts';
import type { StoredText } from '../ui/storage.ts';

/** Who is signed in, and the client that speaks for them. */
export class SessionStore {
  readonly client: Client;
  readonly #token: StoredText;
  user: User | null = null;
  state: 'unknown' | 'signed-out' | 'signed-in' | 'unreachable' = 'unknown';

  constructor(token: StoredText) {
    this.#token = token;
    this.client = createClient({ origin: '', token: () => token.get(), onToken: (value) => token.set(value) });
    makeAutoObservable(this, { client: false });
  }

  /** Whether a token is stored: what decides who is sent to the login page. */
  get hasToken(): boolean {
    return this.#token.get() !== null;
  }

  /** Finds out who the stored token belongs to. */
  async restore(): Promise<void> {
    if (!this.hasToken) {
      this.state = 'signed-out';
      return;
    }
    try {
      const user = await this.client.users.active();
      runInAction(() => {
        this.user = user;
        this.state = 'signed-in';
      });
    } catch (error) {
      if (error instanceof ApiError && error.status === 401) this.forget();
      else runInAction(() => (this.state = 'unreachable'));
    }
  }

  /** @throws ApiError with the server's sentence when address or password are wrong */
  async login(email: string, password: string): Promise<void> {
    const user = await this.client.users.login({ body: { email, password } });
    runInAction(() => {
      this.user = user;
      this.state = 'signed-in';
    });
  }

  /** Ends the session here and on the server. */
  async logout(): Promise<void> {
    await this.client.users.logout().catch(() => undefined);
    this.forget();
  }

  /** Ends the session here, as when the server says that it has ended. */
  forget(): void {
    this.#token.set(null);
    this.user = null;
    this.state = 'signed-out';
  }
}
