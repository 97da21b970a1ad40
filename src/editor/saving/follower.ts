import { commandsBetween } from '../../../engine/document/commands-between.ts';
import type { Client } from '../../contract/client.ts';
import type { DocumentStore } from '../session/document-store.ts';
import { documentOf, roomOf, type ServerState } from './server-state.ts';

/** Milliseconds between looks at what others did; longer for whoever may not read the change log. */
const EVERY = 8000;
const EVERY_WITHOUT_LOG = 30_000;
/** Entries of the change log that a look reads: more than one person makes in between. */
const LOOKED_AT = 50;

/** Newest entry of a room's change log; 0 where there is none. */
export async function newestChange(client: Client, roomId: number): Promise<number> {
  const { data } = await client.history.list({ query: { room_id: roomId, per_page: 1 } });
  return data[0]?.id ?? 0;
}

interface FollowerOptions {
  client: Client;
  roomId: number;
  server: ServerState;
  document(): DocumentStore;
  /** Whether nothing of ours is on its way: only then is what the server has all that there is. */
  isQuiet(): boolean;
  /** Calls that this page has made so far and that changed something, at most. */
  made(): number;
  userId: number;
  /** Newest entry of the change log before the room was loaded; null for whoever may not read it. */
  seen: number | null;
  tell(text: string): void;
}

/** Brings the document up to date with what others save, without loading the page anew. */
export class Follower {
  readonly #options: FollowerOptions;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isEnded = false;
  /** Newest entry of the change log that has been taken into account; null for whoever may not read it. */
  #seen: number | null;
  /** Calls that this page had made by then. */
  #made = 0;
  #isAsked = false;

  constructor(options: FollowerOptions) {
    this.#options = options;
    this.#seen = options.seen;
  }

  /** Begins to look every few seconds, for as long as the page is seen. */
  start(): void {
    const pause = this.#isAsked ? 500 : this.#seen !== null ? EVERY : EVERY_WITHOUT_LOG;
    this.#timer = setTimeout(async () => {
      // A look that fails is made again; that saving fails is said elsewhere.
      if (document.visibilityState === 'visible') await this.look().catch(() => undefined);
      if (!this.#isEnded) this.start();
    }, pause);
  }

  /** Looks soon, whatever the change log says: the document may differ from what is stored. */
  ask(): void {
    this.#isAsked = true;
    if (this.#timer === undefined) return;
    clearTimeout(this.#timer);
    this.start();
  }

  /** Makes the document what the server has at once, after a call of ours that changed much. */
  async takeOver(): Promise<void> {
    this.#isAsked = true;
    await this.refresh();
    // Where something was edited meanwhile, it is looked at again when that is saved.
    if (this.#isAsked) this.ask();
  }

  end(): void {
    this.#isEnded = true;
    clearTimeout(this.#timer);
  }

  /** Takes over what others did since the last look. */
  async look(): Promise<void> {
    const { isQuiet, made } = this.#options;
    if (!isQuiet()) return;
    const sent = made();
    const { newest, isForeign } = await this.#news();
    if (this.#isAsked || isForeign) await this.refresh();
    if (!isQuiet()) return;
    this.#seen = newest;
    this.#made = sent;
  }

  /** The newest entry of the change log, and whether somebody else, or another page of ours, has done something. */
  async #news(): Promise<{ newest: number | null; isForeign: boolean }> {
    const { client, roomId, userId, made } = this.#options;
    const seen = this.#seen;
    if (seen === null) return { newest: null, isForeign: true };
    const { data } = await client.history.list({ query: { room_id: roomId, per_page: LOOKED_AT } });
    const fresh = data.filter(({ id }) => id > seen);
    // Every call of this page leaves at most one entry; more than that in our name come from another page.
    const isForeign = fresh.length > made() - this.#made || fresh.some(({ user }) => user?.id !== userId);
    return { newest: data[0]?.id ?? seen, isForeign };
  }

  /** Makes the document what the server has. */
  async refresh(): Promise<void> {
    const { client, roomId, server, document, isQuiet, tell } = this.#options;
    // Versions first: what changes in between then has an older one, and is noticed when it is changed here.
    const rows = await client.elements.list({ query: { room_id: roomId } });
    const room = await client.rooms.read({ params: { id: roomId } });
    if (!isQuiet()) return;
    const isOwn = this.#isAsked;
    this.#isAsked = false;
    server.replace(room, rows);
    const commands = commandsBetween(document().room, documentOf(roomOf(room), server.ids));
    document().adopt(commands);
    if (commands.length > 0 && !isOwn) tell('Somebody else changed this space; what they did is shown.');
  }
}
