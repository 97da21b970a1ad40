import { makeAutoObservable, runInAction } from 'mobx';
import { type Client, createClient } from '../../contract/client.ts';
import type { Area, Right, User } from '../../contract/entities.ts';
import { ApiError } from '../../contract/errors.ts';
import { sayMessage } from '../language/say-message.ts';
import { showDone } from '../notifications.ts';
import { type StoredText, storedText } from '../storage.ts';

/** Storage key of the session token, which all windows share. */
export const TOKEN_KEY = 'enfilade.editor-token';

/** Delays in milliseconds before a failed token check is repeated; the last one repeats. */
const PAUSES = [1000, 2000, 5000, 15_000];

/** The user of a token, and the token that replaces it from now on. */
async function userOf(token: string): Promise<{ user: User; current: string }> {
  let current = token;
  const client = createClient({ origin: '', token: () => token, onToken: (value) => (current = value) });
  return { user: await client.users.active(), current };
}

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
  /** With `expired`, whether the page stopped only to read the user of a new token, so that nobody is asked yet. */
  isChecking = false;
  #staysOpen = false;
  /** Whether the page reloads because another user has signed in. */
  #isLeaving = false;
  /** Check of a token that another window has stored, shared by concurrent calls. */
  #adoption: Promise<string> | null = null;
  /** Token of this page's user; another window may have stored another user's since. */
  #own: string | null = null;
  /** Number of the latest token check; earlier ones are obsolete. */
  #check = 0;
  #retry: ReturnType<typeof setTimeout> | undefined;

  constructor(token: StoredText) {
    this.#token = token;
    this.client = createClient({
      origin: '',
      token: () => this.#tokenToSend(),
      onToken: (value, sent) => this.#adopt(value, sent),
      onSignedOut: (sent) => this.#expire(sent),
      onFactorRequired: () => this.#demandFactor(),
      onDone: (text) => showDone(sayMessage(text)),
    });
    // The token is no computed value: storage isn't observable.
    makeAutoObservable(this, { client: false, token: false });
  }

  /** Whether another window has replaced or removed the token. Storage events arrive late, so every call compares. */
  get #isReplaced(): boolean {
    return this.user !== null && this.#token.get() !== this.#own;
  }

  /** This user's token; null while the session has ended or another window's token isn't known to be this user's. */
  get token(): string | null {
    if (this.state === 'expired') return null;
    if (!this.#isReplaced) return this.#token.get();
    if (this.#staysOpen) void this.#followToken();
    return null;
  }

  /** The token for the next call. A page that doesn't stay open waits until another window's token is known. */
  #tokenToSend(): string | null | Promise<string> {
    if (this.#staysOpen || !this.#isReplaced || !this.hasToken) return this.token;
    this.#adoption ??= this.#adoptStored().finally(() => (this.#adoption = null));
    return this.#adoption;
  }

  /**
   * Continues with another window's token if it is this user's. Another user's reloads the page, and nothing is sent in
   * their name.
   * @throws ApiError signed_out if it isn't this user's
   */
  async #adoptStored(): Promise<string> {
    const token = this.#token.get();
    if (token === null) throw new ApiError('signed_out');
    try {
      const { user, current } = await userOf(token);
      // Replaced during the call.
      if (token !== this.#token.get()) return this.#adoptStored();
      if (user.id === this.user?.id) {
        this.#own = current;
        this.#token.set(current);
        return current;
      }
    } catch (error) {
      if (error instanceof ApiError && error.status === 401) this.#expire(token);
      throw error;
    }
    // A page that stays open since asks its user.
    if (!this.#staysOpen && !this.#isLeaving) {
      this.#isLeaving = true;
      for (const task of this.#lastWords) task();
      location.reload();
    }
    throw new ApiError('signed_out');
  }

  /** Stores a token from a response. @param sent token of the call; null for a sign-in on a page that stayed open */
  #adopt(value: string, sent: string | null): void {
    // A late response must not replace the token that another window has stored since.
    if (sent !== null && this.#isReplaced) return;
    this.#own = value;
    this.#token.set(value);
  }

  /** Whether a token is stored; without one, routes redirect to the login. */
  get hasToken(): boolean {
    return !this.#isLeaving && this.#token.get() !== null;
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
    if (!this.#staysOpen) this.#own = this.#token.get();
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
    this.#endCheck();
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
    if (this.#token.get() !== this.#own) void this.#followToken();
    return () => {
      this.#staysOpen = false;
      this.#endCheck();
      removeEventListener('storage', onStorage);
    };
  }

  #endCheck(): void {
    this.#check++;
    clearTimeout(this.#retry);
    runInAction(() => (this.isChecking = false));
  }

  /** Another window has replaced or removed the token: sends nothing until the new one proves to be this user's. */
  async #followToken(failures = 0): Promise<void> {
    this.#endCheck();
    const check = this.#check;
    const token = this.#token.get();
    runInAction(() => {
      this.isChecking = token !== null && this.state !== 'expired';
      this.state = 'expired';
      if (token === null) this.other = null;
    });
    if (token === null) return;
    try {
      const { user, current } = await userOf(token);
      // Replaced during the call.
      if (check !== this.#check) return;
      if (token !== this.#token.get()) return void this.#followToken();
      if (current !== token) this.#token.set(current);
      if (user.id === this.user?.id) {
        this.#own = current;
        return this.begin(user);
      }
      runInAction(() => (this.other = user));
    } catch (error) {
      if (check !== this.#check) return;
      const isRefused = error instanceof ApiError && error.status === 401;
      const pause = PAUSES[Math.min(failures, PAUSES.length - 1)]!;
      if (!isRefused) this.#retry = setTimeout(() => void this.#followToken(failures + 1), pause);
    }
    runInAction(() => (this.isChecking = false));
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
    if (!this.#isLeaving) this.forget();
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
    this.#endCheck();
    // Another window's session goes on.
    if (!this.#isReplaced) this.#token.set(null);
    this.#own = null;
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
    if (this.#staysOpen) {
      if (sent === null || sent !== this.#own) return;
      if (this.#token.get() === sent) this.#token.set(null);
      void this.#followToken();
      return;
    }
    // Another window has signed in since.
    if (this.hasToken && sent !== this.#token.get()) return;
    if (!this.hasToken) return;
    for (const task of this.#lastWords) task();
    this.#own = sent;
    this.forget();
    this.#ended.set('1');
    location.reload();
  }
}
