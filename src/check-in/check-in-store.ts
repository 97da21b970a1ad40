import type { Guest, GuestState } from '../contract/entities.ts';
import { ApiError } from '../contract/errors.ts';
import { tokenFromFragment } from '../contract/token-link.ts';
import { tokenStateOf } from '../contract/token-state.ts';
import { normalToken } from '../contract/token-text.ts';
import { storedText } from '../ui/storage.ts';
import { CheckInApi, type GuestsAnswer } from './api.ts';
import { GuestList } from './guest-list.ts';
import { storedGuests, storeGuests } from './stored-page.ts';
import { language, say } from './texts.ts';
import { hashOf } from './token-key.ts';

/** Milliseconds between refreshes of the guest list, and until the first while the server derives its keys. */
const REFRESH = 20_000;
const FIRST_REFRESH = 2000;

/** What the page shows about a token. */
export interface Found {
  /** `unchecked` for tokens that only the server can look up. */
  state: GuestState | 'unchecked';
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

const nameOf = (guest: Pick<Guest, 'holder_name' | 'id'>) => guest.holder_name ?? say('guest', { number: guest.id });

/** The browser's variant of the page's language, which decides how times are written. */
export const languageTag = navigator.languages.find((code) => code.slice(0, 2).toLowerCase() === language) ?? language;

/** Time of day of a stamp, in the phone's time zone. */
export const timeOf = (stamp: string): string =>
  new Date(stamp).toLocaleTimeString(languageTag, { hour: '2-digit', minute: '2-digit' });

/** The access token in a scanned or typed text: that of its link, or the text itself. */
export function tokenIn(text: string): string {
  const hash = text.indexOf('#');
  return normalToken((hash >= 0 && tokenFromFragment(text.slice(hash))) || text);
}

/** Whether the server can't answer now: it can't be reached, is overloaded, or has refused too many requests. */
const isLost = (error: unknown) => !(error instanceof ApiError) || error.status >= 500 || error.code === 'too_many';

/** Why the server refused a change, in the page's language if it is a usual reason. */
function refusalText(error: unknown): string {
  const { code, message } = error as ApiError;
  if (code === 'invalid') return say('wasNotValid');
  return code === 'not_found' ? say('guestGone') : message;
}

/** Check-in at an entrance. Changes made without a connection are stored in the browser until the server has them. */
export class CheckInStore {
  readonly #api: CheckInApi;
  readonly #token: string;
  readonly #listeners = new Set<() => void>();
  readonly #list = new GuestList();
  #queue: Waiting[] = [];
  #isFlushing = false;
  /** The list that the browser stores. */
  #stored: GuestsAnswer | null = null;
  #save: (text: string | null) => void = () => {};
  /** Hash of the token, by which the browser stores what belongs to the link. */
  #place = '';
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
    this.#place = (await hashOf(this.#token)).slice(0, 16);
    const stored = storedText(`enfilade.check-in.${this.#place}`);
    this.#save = (text) => void stored.set(text);
    try {
      this.#queue = JSON.parse(stored.get() ?? '[]') as Waiting[];
    } catch {
      // What another version stored.
    }
    await this.refresh();
    addEventListener('online', () => void this.refresh());
    addEventListener('offline', () => this.#show({ isOnline: false }));
    for (let delay = FIRST_REFRESH; this.shown.view !== 'gone'; delay = Math.min(delay * 2, REFRESH)) {
      await new Promise((resolve) => setTimeout(resolve, this.#list.isComplete ? REFRESH : delay));
      await this.refresh();
    }
  }

  /** Sends what waits, and loads the guests. */
  refresh = async (): Promise<void> => {
    if (this.shown.view === 'gone') return;
    try {
      await this.#flush();
      const list = await this.#api.guests();
      this.#use(list, true);
      if (list !== this.#stored) await storeGuests(this.#place, list).catch(() => undefined);
      this.#stored = list;
    } catch (error) {
      const stored =
        isLost(error) && this.shown.view === 'loading' && (await storedGuests(this.#place).catch(() => null));
      if (stored) this.#use(stored, false);
      else this.#fail(error);
    }
  };

  /** Shows a guest list with the changes that wait. */
  #use(list: GuestsAnswer, isOnline: boolean): void {
    const { structure, link, checked_in, total } = list;
    this.#list.replace(list);
    for (const { id, action, at } of this.#queue) this.#list.note(id, action === 'check-in' ? at : null);
    this.#show({ view: 'ready', structure, link, counts: { checked_in, total }, isOnline });
  }

  /** Notes a lost connection or a link that no longer works; rethrows nothing. */
  #fail(error: unknown): void {
    if (isLost(error)) this.#show({ isOnline: false, ...(this.shown.view === 'loading' && { view: 'failed' }) });
    else if (error instanceof ApiError && error.code === 'not_found') {
      this.#list.clear();
      void storeGuests(this.#place, null).catch(() => undefined);
      this.#queue = [];
      this.#store();
      this.#show({ view: 'gone', found: null });
    } else if (this.shown.view === 'loading') this.#show({ view: 'failed' });
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
      else this.#show({ found: { ...NOTHING, problem: refusalText(error) } });
    }
    this.#show({ isBusy: false });
  };

  async #lookOffline(token: string): Promise<void> {
    const guest = await this.#list.find(token);
    const is = guest && tokenStateOf({ ...guest, first_used_at: null }, this.#api.now());
    const missing = this.#list.isComplete ? 'unknown' : 'unchecked';
    const state = is === null ? missing : is === 'expired' || is === 'not_yet_valid' ? is : 'valid';
    this.#show({ found: { ...NOTHING, state, guest }, isOnline: false });
  }

  /** Checks in the found guest. */
  checkIn = async (): Promise<void> => {
    const { found, counts } = this.shown;
    if (!found?.guest || this.shown.isBusy) return;
    const { guest } = found;
    const at = this.#api.now().toISOString();
    const done = (change: Partial<Guest>, is_changed: boolean) => {
      const now = { ...guest, ...change };
      this.#list.note(guest.id, now.checked_in_at);
      const checked_in = counts.checked_in + Number(is_changed);
      this.#show({ found: { ...found, guest: now, isDone: is_changed }, counts: { ...counts, checked_in } });
    };
    await this.#change(
      { id: guest.id, action: 'check-in', at, name: nameOf(guest) },
      async () => {
        const { guest: now, is_changed } = await this.#api.checkIn(guest.id, at, false);
        return () => done(now, is_changed);
      },
      () => done({ checked_in_at: at }, true),
    );
  };

  /** Undoes the check-in of the found guest. */
  undo = async (): Promise<void> => {
    const { found, counts } = this.shown;
    const at = found?.guest?.checked_in_at;
    if (!found?.guest || !at || this.shown.isBusy) return;
    const { guest } = found;
    const undone = () => {
      this.#list.note(guest.id, null);
      this.#show({
        found: { ...found, guest: { ...guest, checked_in_at: null }, isDone: false },
        counts: { ...counts, checked_in: counts.checked_in - 1 },
      });
    };
    await this.#change(
      { id: guest.id, action: 'undo', at, name: nameOf(guest) },
      async () => {
        const { guest: now, is_changed } = await this.#api.undo(guest.id, at);
        return is_changed
          ? undone
          : () => this.#show({ found: { ...found, guest: { ...guest, ...now }, isDone: false } });
      },
      undone,
    );
  };

  /**
   * Sends a change, or lets it wait for a connection. Changes of a guest reach the server in order, because a waiting one
   * may have reached it although its response was lost.
   * @param send returns what shows the result
   * @param queued shows that the change waits
   */
  async #change(entry: Waiting, send: () => Promise<() => void>, queued: () => void): Promise<void> {
    this.#show({ isBusy: true });
    if (this.#queue.some(({ id }) => id === entry.id)) {
      this.#wait(entry);
      queued();
      void this.refresh();
    } else
      try {
        (await send())();
        this.#show({ isOnline: true });
      } catch (error) {
        if (isLost(error)) {
          this.#wait(entry);
          queued();
          this.#show({ isOnline: false });
        } else await this.#refused(error);
      }
    this.#show({ isBusy: false });
  }

  /** Shows why the server refused a change: the guest or the whole link may be gone. */
  async #refused(error: unknown): Promise<void> {
    const { found } = this.shown;
    this.#show({ found: found && { ...found, problem: refusalText(error) } });
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
        const isUndone = this.#queue.some(({ id, action }) => id === entry!.id && action === 'undo');
        const isConflict = problem !== null && !isUndone;
        this.#show(isConflict ? { conflicts: [...this.shown.conflicts, `${entry.name}: ${problem}`] } : {});
      }
    } finally {
      this.#isFlushing = false;
    }
  }

  /** Sends a change. @returns why it came too late; null if it didn't */
  async #send({ id, action, at }: Waiting): Promise<string | null> {
    try {
      if (action === 'undo') {
        await this.#api.undo(id, at);
        return null;
      }
      const { guest, is_changed } = await this.#api.checkIn(id, at, true);
      const stored = guest.checked_in_at;
      // The server doesn't accept times in the future.
      if (is_changed && stored !== null && stored !== at)
        this.#queue = this.#queue.map((other) =>
          other.id === id && other.at === at && other.action === 'undo' ? { ...other, at: stored } : other,
        );
      // A request whose response was lost has set the same time.
      return is_changed || stored === at || stored === null ? null : say('alreadyCheckedIn', { time: timeOf(stored) });
    } catch (error) {
      if (isLost(error)) throw error;
      // Throws if the link is gone: then nothing can be sent.
      if ((error as ApiError).code === 'not_found') await this.#api.guests();
      return refusalText(error);
    }
  }

  /** Goes back to scanning. */
  next = (): void => this.#show({ found: null });
  forgetConflicts = (): void => this.#show({ conflicts: [] });
}
