import { flatRoom, type Room } from '../../../engine/document/room.ts';
import type { Client } from '../../contract/client.ts';
import type { AdminRoom, RoomLogEntry } from '../../contract/entities.ts';

/** Polling interval in milliseconds. */
const EVERY = 8000;
/** Maximum number of entries per request. */
const ENTRIES = 500;

interface FollowerOptions {
  client: Client;
  roomId: number;
  /** Log position of the document. */
  seq(): number;
  /** Applies the next entries. @returns false if they don't apply */
  take(entries: readonly RoomLogEntry[]): boolean;
  /** Reads the room again, because the log no longer covers the changes. */
  reload(): Promise<void>;
}

/** Keeps a document up to date with the log of its room. */
export class LogFollower {
  readonly #options: FollowerOptions;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isEnded = false;
  #last: Promise<void> = Promise.resolve();

  constructor(options: FollowerOptions) {
    this.#options = options;
  }

  /** Starts polling while the page is visible. */
  start(): void {
    this.#timer = setTimeout(async () => {
      // Failed polls are repeated; saving reports errors itself.
      if (document.visibilityState === 'visible') await this.follow().catch(() => undefined);
      if (!this.#isEnded) this.start();
    }, EVERY);
  }

  end(): void {
    this.#isEnded = true;
    clearTimeout(this.#timer);
  }

  /** Applies all new entries. */
  follow(): Promise<void> {
    this.#last = this.#last.catch(() => undefined).then(() => this.#look());
    return this.#last;
  }

  async #look(): Promise<void> {
    const { client, roomId, take, reload } = this.#options;
    while (!this.#isEnded) {
      const after = this.#options.seq();
      const { seq, base, entries } = await client.rooms.log({
        params: { id: roomId },
        query: { after, limit: ENTRIES },
      });
      if (this.#isEnded) return;
      // A shorter log belongs to a restored backup; one that starts later was compacted.
      if (seq < after || base > after || !take(entries)) return reload();
      if (this.#options.seq() >= seq || entries.length === 0) return;
    }
  }
}

/**
 * Reads the entries between an earlier page's position and the room just read.
 * @returns the entries, and whether they are complete
 */
export async function readPast(
  client: Client,
  roomId: number,
  { after, until }: { after: number; until: number },
): Promise<{ past: RoomLogEntry[]; isWhole: boolean }> {
  const past: RoomLogEntry[] = [];
  while ((past.at(-1)?.seq ?? after) < until) {
    const query = { after: past.at(-1)?.seq ?? after, limit: ENTRIES };
    const { entries, base } = await client.rooms.log({ params: { id: roomId }, query });
    if (base > after || entries.length === 0) return { past: [], isWhole: false };
    past.push(...entries);
  }
  return { past: past.filter(({ seq }) => seq <= until), isWhole: after <= until };
}

/** A space as stored on the server, with its log position. */
export type ReadRoom = AdminRoom & { seq: number };

/** Reads a room with its log position. @throws ApiError */
export async function readRoom(client: Client, id: number): Promise<ReadRoom> {
  const answer = await client.rooms.read({ params: { id }, query: { seq: '1' } });
  return { ...answer, seq: answer.seq ?? 0 };
}

/** Converts a response to a document. */
export function roomOf(answer: AdminRoom): Room {
  const {
    timestamp_current: _now,
    timestamp_start_of_day: _start,
    timestamp_end_of_day: _end,
    updated_at: _stamp,
    policies: _policies,
    seq: _seq,
    branch_of: _branchOf,
    ...room
  } = answer;
  return flatRoom(room);
}
