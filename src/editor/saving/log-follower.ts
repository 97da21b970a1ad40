import { flatRoom, type Room } from '../../../engine/document/room.ts';
import type { Client } from '../../contract/client.ts';
import type { AdminRoom, RoomLogEntry } from '../../contract/entities.ts';

/** Milliseconds between looks at what others did. */
const EVERY = 8000;
/** Entries that a look reads at once. */
const ENTRIES = 500;

interface FollowerOptions {
  client: Client;
  roomId: number;
  /** Place in the log that the document has. */
  seq(): number;
  /** Takes over what comes next. @returns false where it does not fit what the document has */
  take(entries: readonly RoomLogEntry[]): boolean;
  /** Reads the room anew: the log no longer tells what happened to it. */
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

  /** Begins to look every few seconds, for as long as the page is seen. */
  start(): void {
    this.#timer = setTimeout(async () => {
      // A look that fails is made again; that saving fails is said elsewhere.
      if (document.visibilityState === 'visible') await this.follow().catch(() => undefined);
      if (!this.#isEnded) this.start();
    }, EVERY);
  }

  end(): void {
    this.#isEnded = true;
    clearTimeout(this.#timer);
  }

  /** Takes over what is in the log now. */
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
      // A log that is shorter than it was belongs to a backup; one that begins later has forgotten what comes next.
      if (seq < after || base > after || !take(entries)) return reload();
      if (this.#options.seq() >= seq || entries.length === 0) return;
    }
  }
}

/**
 * What the log has between what an earlier page knew and what was read since.
 * @returns the entries, and whether they tell of all that happened
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

/** A space as the server has it, with the place in its log at which it is so. */
export type ReadRoom = AdminRoom & { seq: number };

/** @throws ApiError */
export async function readRoom(client: Client, id: number): Promise<ReadRoom> {
  const answer = await client.rooms.read({ params: { id }, query: { seq: '1' } });
  return { ...answer, seq: answer.seq ?? 0 };
}

/** A room as a document, without what the call adds to it. */
export function roomOf(answer: AdminRoom): Room {
  const {
    timestamp_current: _now,
    timestamp_start_of_day: _start,
    timestamp_end_of_day: _end,
    updated_at: _stamp,
    policies: _policies,
    seq: _seq,
    ...room
  } = answer;
  return flatRoom(room);
}
