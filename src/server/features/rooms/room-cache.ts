import { createHash } from 'node:crypto';
import { getHeapStatistics } from 'node:v8';
import { LRUCache } from 'lru-cache';
import { chosenLanguage, offeredLanguages } from '../../../../engine/document/languages.ts';
import { nestedRoom, type Room } from '../../../../engine/document/room.ts';
import type { Translated } from '../../../../engine/document/translations.ts';
import { roomWithOffsets } from '../../../../engine/document/window.ts';
import type { RoomLogEntry } from '../../../contract/entities.ts';
import type { Clock } from '../../core/clock.ts';
import { type Database, databaseVersionOf } from '../../core/db/database.ts';
import { scriptText } from '../../core/html/escape.ts';
import { findRoom, findRoomVersion, holdRoom, type RoomVersion } from './queries.ts';
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

/** Maximum cache size in bytes, over all rooms: documents are on the heap, which is small on small machines. */
const MAX_CACHE_BYTES = Math.min(128 * 1024 * 1024, getHeapStatistics().heap_size_limit / 8);

/** Maximum number of cached versions. */
const MAX_VERSIONS = 5000;

/** Memory of a parsed document, as a multiple of its JSON. */
const DOCUMENT_SIZE = 2;

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
  /** Identifies the content in every language: unlike the tag, it is the same in all of them. */
  version: string;
}

/** Memory of a room in bytes. */
export const sizeOfRoom = (room: RoomBytes | undefined): number =>
  room ? room.bytes.length * ('document' in room ? 1 + DOCUMENT_SIZE : 1) : 0;

/** A room as response bytes and as a document. */
export interface CachedRoom extends RoomBytes {
  /** The document in the bytes. It is shared and must not be changed. */
  document: Room;
  /** The language of the document, one of those that it offers; undefined if it states none. */
  language: string | undefined;
  /** Texts that stay in its main language. */
  untranslated: Translated['untranslated'];
}

/** A room with its sequence number. */
interface Whole {
  room: Room;
  seq: number;
}

interface Kept {
  version: string;
  /** Each audience's version that has been requested, by audience and language. */
  sides: Map<string, CachedRoom>;
  whole: Promise<Whole | undefined>;
  /** The documents for visitors by language, the same in responses and in pages. */
  visible: Map<string | undefined, Translated>;
  size: number;
  /** Seconds since 1970 at which the bytes expire: offsets in time zones are those of a window's next opening. */
  until: number;
}

/** The language of a room for a visitor: the first wanted one that it offers, otherwise its main one. */
const languageFor = ({ config }: Room, wanted: readonly string[]): string | undefined =>
  chosenLanguage(wanted, offeredLanguages(config)) ?? config.language;

/** Maximum number of optimistic reads of a changing room before it is locked. */
const MAX_READINGS = 5;

/** Reads a room and its sequence number consistently. */
async function readWhole(db: Database, organizationId: number, id: number): Promise<Whole | undefined> {
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
 * Caches rooms as documents and as response bytes: a read costs one version query at most. The version is in the database and
 * changes in the same transaction as the room, so no process serves stale content. The query includes the organization,
 * so no room of another one is served. The version is read before the room: a cached room can be newer than its
 * version, never older.
 */
export class RoomCache {
  readonly #clock: Clock;
  readonly #kept = new LRUCache<string, Kept>({ maxSize: MAX_CACHE_BYTES, sizeCalculation: ({ size }) => size });

  /** Versions of rooms, with the version of the database that they were read from. */
  readonly #versions = new LRUCache<string, { at: number; found: RoomVersion }>({ max: MAX_VERSIONS });

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /**
   * An organization's room with its own timestamp; undefined if it doesn't exist.
   * @param wanted language tags in order of preference, for visitors
   */
  async find(
    db: Database,
    organizationId: number,
    id: number,
    side: Side,
    wanted: readonly string[] = [],
  ): Promise<(CachedRoom & Pick<RoomVersion, 'updatedAt' | 'branchOf'>) | undefined> {
    const found = await this.#findVersion(db, organizationId, id);
    if (!found) return undefined;
    const room = await this.#find(String(id), found.version, { side, wanted }, () => readWhole(db, organizationId, id));
    return room && { ...room, updatedAt: found.updatedAt, branchOf: found.branchOf };
  }

  /** The version of a room. While nothing in a SQLite database has changed, it isn't queried again. */
  async #findVersion(db: Database, organizationId: number, id: number): Promise<RoomVersion | undefined> {
    const at = databaseVersionOf(db);
    if (at === undefined) return findRoomVersion(db, organizationId, id);
    const key = `${organizationId} ${id}`;
    const known = this.#versions.get(key);
    if (known?.at === at) return known.found;
    const found = await findRoomVersion(db, organizationId, id);
    if (found) this.#versions.set(key, { at, found });
    return found;
  }

  /**
   * A document other than a stored room, such as a published one.
   * @param key cache key, distinct from all rooms'
   * @param version changes with the document and everything it contains
   * @param wanted language tags in order of preference
   */
  findOther(
    key: string,
    version: string,
    side: Side,
    wanted: readonly string[],
    read: () => Promise<Room | undefined>,
  ): Promise<CachedRoom | undefined> {
    return this.#find(key, version, { side, wanted }, async () => {
      const room = await read();
      return room && { room, seq: 0 };
    });
  }

  async #find(
    key: string,
    version: string,
    { side, wanted }: { side: Side; wanted: readonly string[] },
    read: () => Promise<Whole | undefined>,
  ): Promise<CachedRoom | undefined> {
    const now = this.#clock.now() / 1000;
    const known = this.#kept.get(key);
    const isCurrent = known?.version === version && now < known.until;
    const kept = isCurrent ? known : this.#keep(key, version, read());
    try {
      const whole = await kept.whole;
      if (whole) {
        const language = side === 'admin' ? undefined : languageFor(whole.room, wanted);
        return kept.sides.get(`${side} ${language}`) ?? this.#make(key, kept, whole, { side, language, now });
      }
    } catch (error) {
      this.#drop(key, kept);
      throw error;
    }
    this.#drop(key, kept);
    return undefined;
  }

  #keep(key: string, version: string, whole: Kept['whole']): Kept {
    // Until it has been read it counts as one byte: the cache requires a size.
    const until = Number.POSITIVE_INFINITY;
    const kept: Kept = { version, sides: new Map(), whole, visible: new Map(), size: 1, until };
    this.#kept.set(key, kept);
    return kept;
  }

  /** Serializes an audience's version of a room in a language. */
  #make(
    key: string,
    kept: Kept,
    { room, seq }: Whole,
    { side, language, now }: { side: Side; language: string | undefined; now: number },
  ): CachedRoom {
    const known = kept.visible.get(language);
    const { room: visible, untranslated } =
      side === 'admin' ? { room, untranslated: [] } : (known ?? publicRoom(room, language));
    if (side !== 'admin') kept.visible.set(language, { room: visible, untranslated });
    const shown = roomWithOffsets(visible, now);
    const json = JSON.stringify(nestedRoom(shown.room)).slice(1);
    const tag = createHash('sha256').update(json).digest('base64url').slice(0, 22);
    const bytes = Buffer.from(side === 'page' ? scriptText(json) : json);
    const current = this.#current(key, kept);
    if (current) {
      // The audiences share the elements of one document; those of another language are its own.
      const isOwn = current.size === 1 || (known === undefined && language !== room.config.language);
      const size = (current.size > 1 ? current.size : 0) + bytes.length * (isOwn ? 1 + DOCUMENT_SIZE : 1);
      this.#kept.set(key, { ...current, size, until: Math.min(current.until, shown.until) });
    }
    const made = { bytes, seq, tag, version: `${key} ${kept.version}`, document: shown.room, language, untranslated };
    kept.sides.set(`${side} ${language}`, made);
    return made;
  }

  /** The entry as it is cached now; undefined if another one has replaced it. */
  #current(key: string, { sides }: Kept): Kept | undefined {
    const current = this.#kept.peek(key);
    return current?.sides === sides ? current : undefined;
  }

  #drop(key: string, kept: Kept): void {
    if (this.#current(key, kept)) this.#kept.delete(key);
  }
}

declare module '../../core/http/call-context.ts' {
  interface CallContext {
    /** Cached rooms as documents and as response bytes. */
    roomCache: RoomCache;
  }
}
