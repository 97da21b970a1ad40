import { createHash } from 'node:crypto';
import type { Room } from '../../../../engine/document/room.ts';
import type { Database } from '../../base/db/database.ts';
import { scriptJson } from '../../base/html/script-json.ts';
import { publicRoom } from './public-room.ts';
import { readRoom } from './read-room.ts';
import { findRoom, findRoomVersion } from './rooms-repository.ts';

/** Bytes that are kept, over all rooms. */
const MOST_BYTES = 64 * 1024 * 1024;

/** For whom a room is: with all that is in it, or as visitors get it; `page` is the latter as it stands in a page. */
export type Side = 'admin' | 'public' | 'page';

const SIDES: Record<Side, (room: Room) => string> = {
  admin: (room) => JSON.stringify(room),
  public: (room) => JSON.stringify(publicRoom(room)),
  page: (room) => scriptJson(publicRoom(room)),
};

/** A room as bytes. */
export interface RoomBytes {
  /** The room as JSON without its opening brace, so that other fields can stand in front. */
  bytes: Buffer;
  /** Names the content: the same content has the same name in every process. */
  tag: string;
}

/** A room as bytes, and the stamp of the room itself. */
export type KeptRoom = RoomBytes & { updatedAt: string };

interface Kept {
  version: string;
  room: Promise<RoomBytes | undefined>;
  bytes: number;
}

/**
 * Keeps rooms as the bytes that are sent, so that reading one costs a question for its version instead of a tree. The
 * version stands in the database and changes in the same transaction as the room, so that any number of processes give
 * nothing old, and the question names the organization, so that none gives another one's. The version is read before the
 * room: what is kept under a version can be newer than it, never older.
 */
export class RoomCache {
  readonly #kept = new Map<string, Kept>();
  #bytes = 0;

  /** The room of an organization; undefined when it has no such room. */
  async find(db: Database, organizationId: number, id: number, side: Side): Promise<KeptRoom | undefined> {
    const found = await findRoomVersion(db, organizationId, id);
    if (!found) return undefined;
    const key = `${side} ${id}`;
    const known = this.#kept.get(key);
    const current = known?.version === found.version ? known : this.#keep(key, found.version, readBytes);
    if (current === known) {
      // What was asked for last stands last, so what stands first is forgotten first.
      this.#kept.delete(key);
      this.#kept.set(key, current);
    }
    const room = await current.room;
    return room && { ...room, updatedAt: found.updatedAt };

    async function readBytes(): Promise<RoomBytes | undefined> {
      const row = await findRoom(db, organizationId, id);
      if (!row) return undefined;
      const bytes = Buffer.from(SIDES[side](await readRoom(db, row)).slice(1));
      return { bytes, tag: createHash('sha256').update(bytes).digest('base64url').slice(0, 22) };
    }
  }

  #keep(key: string, version: string, read: () => Promise<RoomBytes | undefined>): Kept {
    this.#forget(key);
    const kept: Kept = { version, room: read(), bytes: 0 };
    this.#kept.set(key, kept);
    kept.room.then(
      (room) => {
        if (this.#kept.get(key) !== kept) return;
        if (!room) return this.#forget(key);
        kept.bytes = room.bytes.length;
        this.#bytes += kept.bytes;
        for (const [oldest] of this.#kept) {
          if (this.#bytes <= MOST_BYTES) break;
          this.#forget(oldest);
        }
      },
      () => {
        if (this.#kept.get(key) === kept) this.#forget(key);
      },
    );
    return kept;
  }

  #forget(key: string): void {
    this.#bytes -= this.#kept.get(key)?.bytes ?? 0;
    this.#kept.delete(key);
  }
}
