import type { Guest, GuestState } from '../contract/entities.ts';
import { ApiError } from '../contract/errors.ts';
import { tokenFromFragment } from '../contract/token-link.ts';
import { tokenStateOf } from '../contract/token-state.ts';
import { normalToken } from '../contract/token-text.ts';
import { storedText } from '../ui/storage.ts';
import { CheckInApi } from './api.ts';

/** Milliseconds between refreshes of the guest list. */
const REFRESH = 20_000;

/** What the page shows about a token. */
export interface Found {
  state: GuestState;
  guest: Guest | null;
  note: string | null;
  /** Whether this phone has just checked the guest in. */
  isDone: boolean;
  /** Why the guest could not be checked in; null if nothing went wrong. */
  problem: string | null;
}

/** A check-in, or the undoing of one, that the server doesn't know yet. */
interface Waiting {
  id: number;
  action: 'check-in' | 'undo';
  /** Time of the check-in. */
  at: string;
  name: string;
}

/** State of the page. */
export interface Shown {
  view: 'loading' | 'ready' | 'gone' | 'failed';
  structure: string;
  link: string;
  counts: { checked_in: number; total: number };
  isOnline: boolean;
  /** Number of changes that wait for a connection. */
  waiting: number;
  found: Found | null;
  isBusy: boolean;
  /** Check-ins made without a connection that the server refused. */
  conflicts: readonly string[];
}

const NOTHING: Found = { state: 'unknown', guest: null, note: null, isDone: false, problem: null };

const nameOf = (guest: Pick<Guest, 'holder_name' | 'id'>) => guest.holder_name ?? `Guest ${guest.id}`;

/** Time of day of a stamp, in the phone's time zone. */
export const timeOf = (stamp: string): string =>
  new Date(stamp).toLocaleTimeString(undefined, { hour: '2-digit', minute: '2-digit' });

/** The access token in a scanned or typed text: that of its link, or the text itself. */
export function tokenIn(text: string): string {
  const hash = text.indexOf('#');
  return normalToken((hash >= 0 && tokenFromFragment(text.slice(hash))) || text);
}

/** SHA-256 of a text, hexadecimal; empty on pages without HTTPS, where browsers don't compute it. */
async function hashOf(token: string): Promise<string> {
  if (!isSecureContext) return '';
  const bytes = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(token));
  return Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** Whether a request failed for lack of a connection. */
const isLost = (error: unknown) => !(error instanceof ApiError);

/**
 * Check-in at an entrance. Guests are in memory, without tokens and e-mail addresses; changes made without a connection
 * are stored in the browser until the server has them.
 */
export class CheckInStore {
  readonly #api: CheckInApi;
  readonly #token: string;
  readonly #listeners = new Set<() => void>();
  readonly #byHash = new Map<string, Guest>();
  #queue: Waiting[] = [];
  #isFlushing = false;
  #save: (text: string | null) => void = () => {};
  shown: Shown = {
    view: 'loading',
    structure: '',
    link: '',
    counts: { checked_in: 0, total: 0 },
    isOnline: true,
    waiting: 0,
    found: null,
    isBusy: false,
    conflicts: [],
  };

  /** @param token token of the check-in link */
  constructor(token: string) {
    this.#token = token;
    this.#api = new CheckInApi(token);
  }

  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  #show(changes: Partial<Shown>): void {
    this.shown = { ...this.shown, ...changes, waiting: this.#queue.length };
    for (const listener of this.#listeners) listener();
  }

  /** Loads the guests, and keeps them up to date. */
  async start(): Promise<void> {
    const stored = storedText(`enfilade.check-in.${(await hashOf(this.#token)).slice(0, 16)}`);
    this.#save = (text) => void stored.set(text);
    try {
      this.#queue = JSON.parse(stored.get() ?? '[]') as Waiting[];
    } catch {
      // What another version stored.
    }
    await this.refresh();
    setInterval(() => void this.refresh(), REFRESH);
    addEventListener('online', () => void this.refresh());
    addEventListener('offline', () => this.#show({ isOnline: false }));
  }

  /** Sends what waits, and loads the guests. */
  refresh = async (): Promise<void> => {
    try {
      await this.#flush();
      const { guests, structure, link, checked_in, total } = await this.#api.guests();
      this.#byHash.clear();
      for (const { hash, guest } of guests) this.#byHash.set(hash, guest);
      for (const { id, action, at } of this.#queue) this.#note(id, action === 'check-in' ? at : null);
      this.#show({ view: 'ready', structure, link, counts: { checked_in, total }, isOnline: true });
    } catch (error) {
      this.#fail(error);
    }
  };

  /** Notes a lost connection or a link that no longer works; rethrows nothing. */
  #fail(error: unknown): void {
    if (isLost(error)) this.#show({ isOnline: false, ...(this.shown.view === 'loading' && { view: 'failed' }) });
    else if (error instanceof ApiError && error.code === 'not_found') {
      this.#byHash.clear();
      this.#show({ view: 'gone', found: null });
    } else if (this.shown.view === 'loading') this.#show({ view: 'failed' });
  }

  /** Updates a guest in memory. */
  #note(id: number, checked_in_at: string | null): void {
    for (const [hash, guest] of this.#byHash) if (guest.id === id) this.#byHash.set(hash, { ...guest, checked_in_at });
  }

  /** Looks up a scanned or typed token. */
  look = async (text: string): Promise<void> => {
    const token = tokenIn(text);
    if (token === '' || this.shown.isBusy) return;
    this.#show({ isBusy: true });
    try {
      const { state, guest, note, checked_in, total } = await this.#api.find(token);
      const waiting = guest && this.#queue.findLast(({ id }) => id === guest.id);
      const current = waiting ? { checked_in_at: waiting.action === 'check-in' ? waiting.at : null } : {};
      const found = { state, guest: guest && { ...guest, ...current }, note, isDone: false, problem: null };
      this.#show({ found, counts: { checked_in, total }, isOnline: true });
    } catch (error) {
      if (isLost(error)) await this.#lookOffline(token);
      else if (error instanceof ApiError && error.code === 'not_found') this.#fail(error);
      else this.#show({ found: { ...NOTHING, problem: (error as Error).message } });
    }
    this.#show({ isBusy: false });
  };

  async #lookOffline(token: string): Promise<void> {
    const guest = this.#byHash.get(await hashOf(token)) ?? null;
    const is = guest && tokenStateOf({ ...guest, first_used_at: null }, new Date());
    const state = is === null ? 'unknown' : is === 'expired' || is === 'not_yet_valid' ? is : 'valid';
    this.#show({ found: { ...NOTHING, state, guest }, isOnline: false });
  }

  /** Checks in the found guest. */
  checkIn = async (): Promise<void> => {
    const { found, counts } = this.shown;
    if (!found?.guest || this.shown.isBusy) return;
    const { guest } = found;
    const at = new Date().toISOString();
    this.#show({ isBusy: true });
    try {
      const { guest: now, is_changed } = await this.#api.checkIn(guest.id, at);
      this.#note(guest.id, now.checked_in_at);
      const checked_in = counts.checked_in + Number(is_changed);
      this.#show({
        found: { ...found, guest: { ...guest, ...now }, isDone: is_changed },
        counts: { ...counts, checked_in },
        isOnline: true,
      });
    } catch (error) {
      if (isLost(error)) {
        this.#wait({ id: guest.id, action: 'check-in', at, name: nameOf(guest) });
        this.#note(guest.id, at);
        this.#show({
          found: { ...found, guest: { ...guest, checked_in_at: at }, isDone: true },
          counts: { ...counts, checked_in: counts.checked_in + 1 },
          isOnline: false,
        });
      } else await this.#refused(error);
    }
    this.#show({ isBusy: false });
  };

  /** Undoes the check-in of the found guest. */
  undo = async (): Promise<void> => {
    const { found, counts } = this.shown;
    const at = found?.guest?.checked_in_at;
    if (!found?.guest || !at || this.shown.isBusy) return;
    const { guest } = found;
    this.#show({ isBusy: true });
    const undone = () => {
      this.#note(guest.id, null);
      this.#show({
        found: { ...found, guest: { ...guest, checked_in_at: null }, isDone: false },
        counts: { ...counts, checked_in: counts.checked_in - 1 },
      });
    };
    const waiting = this.#queue.find(({ id, action }) => id === guest.id && action === 'check-in');
    try {
      if (waiting) {
        this.#queue = this.#queue.filter((entry) => entry !== waiting);
        this.#store();
        undone();
      } else {
        const { guest: now, is_changed } = await this.#api.undo(guest.id, at);
        if (is_changed) undone();
        else this.#show({ found: { ...found, guest: { ...guest, ...now }, isDone: false } });
      }
    } catch (error) {
      if (isLost(error)) {
        this.#wait({ id: guest.id, action: 'undo', at, name: nameOf(guest) });
        undone();
        this.#show({ isOnline: false });
      } else await this.#refused(error);
    }
    this.#show({ isBusy: false });
  };

  /** Shows why the server refused a change: the guest or the whole link may be gone. */
  async #refused(error: unknown): Promise<void> {
    const { found } = this.shown;
    this.#show({ found: found && { ...found, problem: (error as Error).message } });
    if (error instanceof ApiError && error.code === 'not_found') await this.refresh();
  }

  #wait(entry: Waiting): void {
    this.#queue = [...this.#queue, entry];
    this.#store();
  }

  #store(): void {
    this.#save(this.#queue.length > 0 ? JSON.stringify(this.#queue) : null);
  }

  /** Sends waiting changes in order. @throws without a connection, or if the server can't take them now */
  async #flush(): Promise<void> {
    if (this.#isFlushing) return;
    this.#isFlushing = true;
    try {
      for (let [entry] = this.#queue; entry; [entry] = this.#queue) {
        const problem = await this.#send(entry);
        this.#queue = this.#queue.filter((other) => other !== entry);
        this.#store();
        this.#show(problem === null ? {} : { conflicts: [...this.shown.conflicts, `${entry.name}: ${problem}`] });
      }
    } finally {
      this.#isFlushing = false;
    }
  }

  /** Sends a change. @returns why it came too late; null if it didn't */
  async #send({ id, action, at }: Waiting): Promise<string | null> {
    try {
      const { guest, is_changed } = await this.#api[action === 'undo' ? 'undo' : 'checkIn'](id, at);
      // A request whose response was lost has set the same time.
      if (is_changed || action === 'undo' || guest.checked_in_at === at) return null;
      return guest.checked_in_at === null ? null : `Already checked in at ${timeOf(guest.checked_in_at)}.`;
    } catch (error) {
      if (!(error instanceof ApiError) || error.status >= 500 || error.code === 'too_many') throw error;
      // Throws if the link is gone: then nothing can be sent.
      if (error.code === 'not_found') await this.#api.guests();
      return error.message;
    }
  }

  /** Goes back to scanning. */
  next = (): void => this.#show({ found: null });
  forgetConflicts = (): void => this.#show({ conflicts: [] });
}
