import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { nestedRoom, type Room } from '../../../../engine/document/room.ts';
import { roomWithOffsets } from '../../../../engine/document/window.ts';
import type { Clock } from '../../core/clock.ts';
import type { Database } from '../../core/db/database.ts';
import { scriptText } from '../../core/html/escape.ts';
import { findRoom, findRoomVersion, holdRoom } from './queries.ts';
import { readRoom } from './read-room.ts';
import { publicRoom } from './rows.ts';

/** Tells within this process that a room was changed, once that is stored for good. */
export class RoomNews {
  readonly #listeners = new Set<(roomId: number, seq: number) => void>();

  /** @returns ends it */
  hear(listener: (roomId: number, seq: number) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** @param seq place of the change in the log of the room */
  tell(roomId: number, seq: number): void {
    for (const listener of this.#listeners) listener(roomId, seq);
  }
}

declare module '../../core/services.ts' {
  interface Services {
    /** Notifies subscribers of changed rooms. */
    roomNews: RoomNews;
  }
}

/** Bytes that are kept, over all rooms. */
const MAX_CACHE_BYTES = 64 * 1024 * 1024;

/** For whom a room is: with all that is in it, or as visitors get it; `page` is the latter as it stands in a page. */
export type Side = 'admin' | 'public' | 'page';

/** A room as bytes. */
export interface RoomBytes {
  /** The room as JSON without its opening brace, so that other fields can stand in front. */
  bytes: Buffer;
  /** Names the content: the same content has the same name in every process, and in a page the same as by itself. */
  tag: string;
  /** Place in the log of the room at which it is so; 0 for another document than that of a stored room. */
  seq: number;
}

/** A room as bytes, and the stamp of the room itself. */
type KeptRoom = RoomBytes & { updatedAt: string };

/** A room as bytes, and until when: offsets in time zones are those at the next opening of each window. */
function bytesOf(room: Room, side: Side, { seq, now }: { seq: number; now: number }): RoomBytes & { until: number } {
  const shown = roomWithOffsets(side === 'admin' ? room : publicRoom(room), now);
  const json = JSON.stringify(nestedRoom(shown.room)).slice(1);
  const tag = createHash('sha256').update(json).digest('base64url').slice(0, 22);
  return { bytes: Buffer.from(side === 'page' ? scriptText(json) : json), seq, tag, until: shown.until };
}

interface Kept {
  version: string;
  room: Promise<(RoomBytes & { until: number }) | undefined>;
  bytes: number;
  /** Seconds since 1970 from which the bytes are out of date. */
  until: number;
}

/** How often a room is read that somebody changes meanwhile, before others have to wait. */
const MAX_READINGS = 5;

/** A room, and the place in its log at which it is so: both of the same moment. */
async function readWhole(
  db: Database,
  organizationId: number,
  id: number,
): Promise<{ room: Room; seq: number } | undefined> {
  for (let readings = 1; readings < MAX_READINGS; readings++) {
    const row = await findRoom(db, organizationId, id);
    if (!row) return undefined;
    const room = await readRoom(db, row);
    const after = await findRoomVersion(db, organizationId, id);
    if (after?.revision === row.revision) return { room, seq: row.seq };
  }
  return db.transaction().execute(async (locking) => {
    const row = await holdRoom(locking, organizationId, id);
    return row && { room: await readRoom(locking, row), seq: row.seq };
  });
}

/**
 * Keeps rooms as the bytes that are sent, so that reading one costs a question for its version instead of a tree. The
 * version stands in the database and changes in the same transaction as the room, so that any number of processes give
 * nothing old, and the question names the organization, so that none gives another one's. The version is read before the
 * room: what is kept under a version can be newer than it, never older.
 */
export class RoomCache {
  readonly #clock: Clock;
  readonly #kept = new LRUCache<string, Kept>({ maxSize: MAX_CACHE_BYTES, sizeCalculation: ({ bytes }) => bytes });

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** The room of an organization; undefined when it has no such room. */
  async find(db: Database, organizationId: number, id: number, side: Side): Promise<KeptRoom | undefined> {
    const found = await findRoomVersion(db, organizationId, id);
    if (!found) return undefined;
    const key = `${side} ${id}`;
    const now = this.#clock.now() / 1000;
    const known = this.#find(key, found.version, now);
    const current = known ?? this.#keep(key, found.version, readBytes());
    const room = await current.room;
    return room && { ...room, updatedAt: found.updatedAt };

    async function readBytes() {
      const read = await readWhole(db, organizationId, id);
      return read && bytesOf(read.room, side, { seq: read.seq, now });
    }
  }

  /**
   * Another document than that of a stored room, such as one that is published.
   * @param key names it; another one than any room has
   * @param version the same as long as it and all that it is filled with stay as they are
   */
  async findOther(
    key: string,
    version: string,
    side: Side,
    read: () => Promise<Room | undefined>,
  ): Promise<RoomBytes | undefined> {
    const name = `${side} ${key}`;
    const now = this.#clock.now() / 1000;
    const current = this.#find(name, version, now) ?? this.#keep(name, version, readBytes());
    return current.room;

    async function readBytes() {
      const room = await read();
      return room && bytesOf(room, side, { seq: 0, now });
    }
  }

  #find(key: string, version: string, now: number): Kept | undefined {
    const known = this.#kept.get(key);
    return known?.version === version && now < known.until ? known : undefined;
  }

  #keep(key: string, version: string, room: Kept['room']): Kept {
    // Until it has been read it counts as one byte: the cache takes nothing that has no size.
    const kept: Kept = { version, room, bytes: 1, until: Number.POSITIVE_INFINITY };
    this.#kept.set(key, kept);
    const settle = (read?: Awaited<Kept['room']>) => {
      if (this.#kept.peek(key) !== kept) return;
      if (read) this.#kept.set(key, { ...kept, bytes: read.bytes.length, until: read.until });
      else this.#kept.delete(key);
    };
    room.then(settle, () => settle());
    return kept;
  }
}

declare module '../../core/http/call-context.ts' {
  interface CallContext {
    /** Rooms as response bytes. */
    roomCache: RoomCache;
  }
}
