import { makeAutoObservable, runInAction } from 'mobx';
import { type Client, createClient } from '../../contract/client.ts';
import type { Area, Right, User } from '../../contract/entities.ts';
import { ApiError } from '../../contract/errors.ts';
import { showDone } from '../notifications.ts';
import { type StoredText, storedText } from '../storage.ts';

/** Who is signed in, and the client that speaks for them. */
export class SessionStore {
  readonly client: Client;
  readonly #token: StoredText;
  /** Says across the new beginning of the page that the session was ended by the server. */
  readonly #ended = storedText('enfilade.session-ended', 'window');
  readonly #lastWords = new Set<() => void>();
  readonly #holds = new Set<() => Promise<boolean>>();
  user: User | null = null;
  state: 'unknown' | 'signed-out' | 'signed-in' | 'unreachable' = 'unknown';

  constructor(token: StoredText) {
    this.#token = token;
    this.client = createClient({
      origin: '',
      token: () => token.get(),
      onToken: (value) => token.set(value),
      onSignedOut: () => this.#expire(),
      onFactorRequired: () => this.#demandFactor(),
      onDone: showDone,
    });
    makeAutoObservable(this, { client: false });
  }

  /** The stored token; null where there is none. */
  get token(): string | null {
    return this.#token.get();
  }

  /** Whether a token is stored: what decides who is sent to the login page. */
  get hasToken(): boolean {
    return this.#token.get() !== null;
  }

  /** Whether the last session was ended by the server, and nobody has signed in since. */
  get hasEnded(): boolean {
    return this.#ended.get() !== null;
  }

  /** Whether the user has a right. */
  may(area: Area, right: Right): boolean {
    return this.user?.policies[area][right] === true;
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
      if (!(error instanceof ApiError && error.status === 401)) runInAction(() => (this.state = 'unreachable'));
    }
  }

  /**
   * Signs in with a password.
   * @returns what goes with a code, where a second factor is asked for; otherwise null
   * @throws ApiError with the server's sentence when address or password are wrong
   */
  async login(email: string, password: string): Promise<string | null> {
    const answer = await this.client.users.login({ body: { email, password } });
    if ('second_factor_token' in answer) return answer.second_factor_token;
    this.begin(answer);
    return null;
  }

  /** Takes somebody who has just signed in. */
  begin(user: User): void {
    this.#ended.set(null);
    runInAction(() => {
      this.user = user;
      this.state = 'signed-in';
    });
  }

  /** Notes that nothing keeps the user from going on any more. */
  haveSecondFactor(): void {
    if (!this.user) return;
    const { needs_second_factor: _needed, ...user } = this.user;
    this.user = user;
  }

  /**
   * Changes the user's own name.
   * @returns the name as it is kept
   * @throws ApiError with the field that is wrong
   */
  async rename(name: string): Promise<string> {
    const user = await this.client.account.update({ body: { name } });
    runInAction(() => (this.user = user));
    return user.name;
  }

  /**
   * Takes the address that a link was sent to as the user's own.
   * @throws ApiError with the server's sentences
   */
  async changeEmail(body: { email: string; token: string }): Promise<void> {
    const user = await this.client.account.changeEmail({ body });
    runInAction(() => (this.user = user));
  }

  /** Ends the session here and on the server, unless somebody asks for it to go on. */
  async logout(): Promise<void> {
    for (const mayEnd of this.#holds) if (!(await mayEnd())) return;
    await this.client.users.logout().catch(() => undefined);
    this.forget();
  }

  /**
   * Names a question to ask before the session is ended by its user.
   * @returns a function that takes it back
   */
  beforeLogout(mayEnd: () => Promise<boolean>): () => void {
    this.#holds.add(mayEnd);
    return () => this.#holds.delete(mayEnd);
  }

  /** Ends the session here. */
  forget(): void {
    this.#token.set(null);
    this.#ended.set(null);
    this.user = null;
    this.state = 'signed-out';
  }

  /**
   * Names something to do before the page is loaded again because the session has ended.
   * @returns a function that takes it back
   */
  beforeExpiry(task: () => void): () => void {
    this.#lastWords.add(task);
    return () => this.#lastWords.delete(task);
  }

  /** The organization has come to ask for a second factor: what was typed is kept, and the back-office asks for it. */
  #demandFactor(): void {
    if (this.user?.needs_second_factor) return;
    for (const task of this.#lastWords) task();
    location.assign('/admin');
  }

  /** The server no longer knows the session: what was typed is kept, and the page begins anew with the login. */
  #expire(): void {
    if (!this.hasToken) return;
    for (const task of this.#lastWords) task();
    this.forget();
    this.#ended.set('1');
    location.reload();
  }
}
