import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { nestedRoom, type Room } from '../../../../engine/document/room.ts';
import { roomWithOffsets } from '../../../../engine/document/window.ts';
import type { RoomLogEntry } from '../../../contract/entities.ts';
import type { Clock } from '../../core/clock.ts';
import type { Database } from '../../core/db/database.ts';
import { scriptText } from '../../core/html/escape.ts';
import { findRoom, findRoomVersion, holdRoom } from './queries.ts';
import { readRoom } from './read-room.ts';
import { publicRoom } from './rows.ts';

type RoomListener = (roomId: number, entry: RoomLogEntry) => void;

/** Notifies listeners in this process of committed room changes. */
export class RoomNews {
  readonly #listeners = new Set<RoomListener>();

  /** @returns unsubscribes */
  hear(listener: RoomListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** @param entry the change's entry in the room's log; entries of concurrent changes may arrive in another order */
  tell(roomId: number, entry: RoomLogEntry): void {
    for (const listener of this.#listeners) listener(roomId, entry);
  }
}

declare module '../../core/services.ts' {
  interface Services {
    /** Notifies subscribers of changed rooms. */
    roomNews: RoomNews;
  }
}

/** Maximum cache size in bytes, over all rooms. */
const MAX_CACHE_BYTES = 64 * 1024 * 1024;

/** Audience of a room: the back-office, or visitors; `page` is the visitors' version embedded in a page. */
export type Side = 'admin' | 'public' | 'page';

/** A room as response bytes. */
export interface RoomBytes {
  /** The room as JSON without its opening brace, so that other fields can be prepended. */
  bytes: Buffer;
  /** ETag: equal for equal content in every process, and in pages as well as API responses. */
  tag: string;
  /** Sequence number in the room's log; 0 for documents other than a stored room's. */
  seq: number;
}

/** A room as response bytes, with the room's own timestamp. */
type KeptRoom = RoomBytes & { updatedAt: string };

/**
 * Serializes a room. Its bytes expire when a window opens, because offsets in time zones are those of the next opening.
 */
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
  /** Seconds since 1970 at which the bytes expire. */
  until: number;
}

/** Maximum number of optimistic reads of a changing room before it is locked. */
const MAX_READINGS = 5;

/** Reads a room and its sequence number consistently. */
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
 * Caches rooms as response bytes: a read costs one version query. The version is in the database and changes in the
 * same transaction as the room, so no process serves stale content. The query includes the organization, so no room of
 * another one is served. The version is read before the room: a cached room can be newer than its version, never older.
 */
export class RoomCache {
  readonly #clock: Clock;
  readonly #kept = new LRUCache<string, Kept>({ maxSize: MAX_CACHE_BYTES, sizeCalculation: ({ bytes }) => bytes });

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** An organization's room; undefined if it doesn't exist. */
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
   * A document other than a stored room, such as a published one.
   * @param key cache key, distinct from all rooms'
   * @param version changes with the document and everything it contains
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
    // Until it has been read it counts as one byte: the cache requires a size.
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
    /** Cached rooms as response bytes. */
    roomCache: RoomCache;
  }
}
