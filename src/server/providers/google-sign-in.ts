import { z } from 'zod';
import type { Clock } from '../core/clock.ts';
import { PlatformClient } from './platform-client.ts';

/** Milliseconds before its expiry at which a token is renewed. */
const EXPIRY_MARGIN = 60_000;

const tokenSchema = z.object({ access_token: z.string().min(1), expires_in: z.number().positive() });

export interface GoogleAccount {
  clientId: string;
  clientSecret: string;
  refreshToken: string;
}

/**
 * Signs in to Google as the channel's owner, and caches the access token in memory until it expires.
 * https://developers.google.com/identity/protocols/oauth2/web-server#offline
 */
export class GoogleSignIn {
  readonly #client: PlatformClient;
  readonly #account: GoogleAccount;
  readonly #clock: Clock;
  #token: { text: string; till: number } | null = null;
  #asking: Promise<string> | null = null;

  constructor(base: string, account: GoogleAccount, clock: Clock) {
    this.#client = new PlatformClient({ name: 'Google', base, authorize: async () => ({}) });
    this.#account = account;
    this.#clock = clock;
  }

  /** A valid token. Concurrent calls share one request. */
  token(): Promise<string> {
    if (this.#token && this.#token.till > this.#clock.now()) return Promise.resolve(this.#token.text);
    this.#asking ??= this.#refresh().finally(() => {
      this.#asking = null;
    });
    return this.#asking;
  }

  /** Drops the token, such as when it was revoked. */
  forget(): void {
    this.#token = null;
  }

  async #refresh(): Promise<string> {
    const { clientId, clientSecret, refreshToken } = this.#account;
    const { access_token, expires_in } = await this.#client.json(tokenSchema, {
      method: 'POST',
      path: '/token',
      form: {
        client_id: clientId,
        client_secret: clientSecret,
        refresh_token: refreshToken,
        grant_type: 'refresh_token',
      },
    });
    this.#token = { text: access_token, till: this.#clock.now() + expires_in * 1000 - EXPIRY_MARGIN };
    return access_token;
  }
}
