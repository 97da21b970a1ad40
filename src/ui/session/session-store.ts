import { makeAutoObservable, runInAction } from 'mobx';
import { type Client, createClient } from '../../contract/client.ts';
import type { Area, Right, User } from '../../contract/entities.ts';
import { ApiError } from '../../contract/errors.ts';
import { showDone } from '../notifications.ts';
import { type StoredText, storedText } from '../storage.ts';

/** Storage key of the session token, which all windows share. */
export const TOKEN_KEY = 'enfilade.editor-token';

/** Milliseconds before a token of another window is checked again. */
const RETRY = 3000;

/** Session of the signed-in user, and their API client. */
export class SessionStore {
  readonly client: Client;
  readonly #token: StoredText;
  /** Survives the reload after the server ended the session. */
  readonly #ended = storedText('enfilade.session-ended', 'window');
  readonly #lastWords = new Set<() => void>();
  readonly #holds = new Set<() => Promise<boolean>>();
  user: User | null = null;
  /** With `expired`, the session has ended, and the page stays until its user signs in again. */
  state: 'unknown' | 'signed-out' | 'signed-in' | 'unreachable' | 'expired' = 'unknown';
  /** With `expired`, another user who has signed in in another window; null if there is none. */
  other: User | null = null;
  #staysOpen = false;

  constructor(token: StoredText) {
    this.#token = token;
    this.client = createClient({
      origin: '',
      token: () => this.token,
      onToken: (value) => token.set(value),
      onSignedOut: (sent) => this.#expire(sent),
      onFactorRequired: () => this.#demandFactor(),
      onDone: showDone,
    });
    makeAutoObservable(this, { client: false });
  }

  /** The stored token, or null. While the session has ended it may be another user's, as whom this page must not act. */
  get token(): string | null {
    return this.state === 'expired' ? null : this.#token.get();
  }

  /** Whether a token is stored; without one, routes redirect to the login. */
  get hasToken(): boolean {
    return this.#token.get() !== null;
  }

  /** Whether the server ended the last session and nobody has signed in since. */
  get hasEnded(): boolean {
    return this.#ended.get() !== null;
  }

  /** Whether the user has a right. */
  may(area: Area, right: Right): boolean {
    return this.user?.policies[area][right] === true;
  }

  /** Absolute URL on the organization's site, which may be another host than this page's. */
  addressOf(path: string): string {
    return (this.user?.organization.origin ?? '') + path;
  }

  /** Whether this page is on the organization's site, the only place that may frame its spaces. */
  get isOnOwnSite(): boolean {
    return this.user?.organization.origin === location.origin;
  }

  /** Loads the user of the stored token. */
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
      if (!(error instanceof ApiError && error.status === 401)) runInAction(() => (this.state = 'unreachable'));
    }
  }

  /**
   * Signs in with a password.
   * @returns the second-factor challenge, or null if none is needed
   * @throws ApiError with the server's message if email or password is wrong
   */
  async login(email: string, password: string): Promise<string | null> {
    const answer = await this.client.users.login({ body: { email, password } });
    if ('second_factor_token' in answer) return answer.second_factor_token;
    this.begin(answer);
    return null;
  }

  /** Stores the token and user of a new session. */
  begin(user: User): void {
    this.#ended.set(null);
    runInAction(() => {
      this.user = user;
      this.other = null;
      this.state = 'signed-in';
    });
  }

  /**
   * Keeps the page when the session ends, also in another window, and continues when its user signs in again anywhere.
   * @returns unregister function
   */
  stayOpen(): () => void {
    this.#staysOpen = true;
    const onStorage = ({ key }: StorageEvent) => {
      if (key === TOKEN_KEY || key === null) void this.#followToken();
    };
    addEventListener('storage', onStorage);
    return () => {
      this.#staysOpen = false;
      removeEventListener('storage', onStorage);
    };
  }

  /** Another window has replaced or removed the token. Nothing is sent until it is known to be this page's user's. */
  async #followToken(): Promise<void> {
    runInAction(() => (this.state = 'expired'));
    if (!this.hasToken) return;
    const token = this.#token.get();
    const check = createClient({ origin: '', token: () => token, onToken: (value) => this.#token.set(value) });
    try {
      const user = await check.users.active();
      // Meanwhile, yet another token may have been stored.
      if (token !== this.#token.get()) return;
      if (user.id === this.user?.id) return this.begin(user);
      runInAction(() => (this.other = user));
    } catch (error) {
      const isRefused = error instanceof ApiError && error.status === 401;
      if (!isRefused && this.state === 'expired') setTimeout(() => void this.#followToken(), RETRY);
    }
  }

  /** Clears the second-factor requirement. */
  haveSecondFactor(): void {
    if (!this.user) return;
    const { needs_second_factor: _needed, ...user } = this.user;
    this.user = user;
  }

  /**
   * Changes the user's own name.
   * @returns the stored name
   * @throws ApiError with the invalid field
   */
  async rename(name: string): Promise<string> {
    const user = await this.client.account.update({ body: { name } });
    runInAction(() => (this.user = user));
    return user.name;
  }

  /**
   * Confirms a new email address from a link.
   * @throws ApiError with the server's messages
   */
  async changeEmail(body: { email: string; token: string }): Promise<void> {
    const user = await this.client.account.changeEmail({ body });
    runInAction(() => (this.user = user));
  }

  /** Updates the organization's data. */
  updateOrganization({ name, time_zone }: Pick<User['organization'], 'name' | 'time_zone'>): void {
    if (this.user) this.user.organization = { ...this.user.organization, name, time_zone };
  }

  /** Ends the session here and on the server, unless a hold refuses. */
  async logout(): Promise<void> {
    for (const mayEnd of this.#holds) if (!(await mayEnd())) return;
    await this.client.users.logout().catch(() => undefined);
    this.forget();
  }

  /**
   * Registers a check before logout.
   * @returns unregister function
   */
  beforeLogout(mayEnd: () => Promise<boolean>): () => void {
    this.#holds.add(mayEnd);
    return () => this.#holds.delete(mayEnd);
  }

  /** Ends the session in this browser. */
  forget(): void {
    this.#token.set(null);
    this.#ended.set(null);
    this.user = null;
    this.state = 'signed-out';
  }

  /**
   * Registers a callback before the page reloads because the session ended.
   * @returns unregister function
   */
  beforeExpiry(task: () => void): () => void {
    this.#lastWords.add(task);
    return () => this.#lastWords.delete(task);
  }

  /** The organization now requires a second factor: keeps drafts and shows the setup. */
  #demandFactor(): void {
    if (this.user?.needs_second_factor) return;
    for (const task of this.#lastWords) task();
    location.assign('/admin');
  }

  /** The server ended the session: keeps drafts and reloads with the login, unless the page stays open. */
  #expire(sent: string | null): void {
    // Another window has signed in since.
    if (this.hasToken && sent !== this.#token.get()) return;
    if (this.#staysOpen) {
      this.#token.set(null);
      runInAction(() => (this.state = 'expired'));
      return;
    }
    if (!this.hasToken) return;
    for (const task of this.#lastWords) task();
    this.forget();
    this.#ended.set('1');
    location.reload();
  }
}
