import { LRUCache } from 'lru-cache';
import type { Room } from '../../../../engine/document/room.ts';
import { countElements } from '../../../../engine/document/tree.ts';
import type { Database } from '../../base/db/database.ts';
import { elementFromRow } from '../elements/element-row.ts';
import { listElements } from '../elements/elements-repository.ts';
import { treeOf } from '../elements/tree.ts';
import { roomFromRow } from './room-row.ts';
import type { StoredRoom } from './rooms-repository.ts';

/** Elements that are kept, over all rooms: each takes one to two kilobytes. */
const MOST_ELEMENTS = 100_000;

interface Kept {
  /** Revision of the room whose document it is. */
  revision: number;
  room: Room;
}

/** A room as its rows have it: files by their ids, without its template. Commands are applied to this. */
export async function readDocument(db: Database, row: StoredRoom): Promise<Room> {
  const rows = await listElements(db, row.id);
  const elements = treeOf(rows.map((element) => elementFromRow(element, new Map())));
  return { ...roomFromRow(row, new Map()), template: null, elements };
}

/**
 * Keeps the documents of rooms that are being edited, so that a command costs no reading of all their rows. The revision that
 * stands in the database says whether what is kept is still true, whichever process changed it.
 */
export class DocumentCache {
  readonly #kept = new LRUCache<number, Kept>({
    maxSize: MOST_ELEMENTS,
    sizeCalculation: ({ room }) => 1 + countElements(room.elements),
  });

  /** The document of a room that the caller has locked, as it was before. */
  async ofLocked(db: Database, row: StoredRoom): Promise<Room> {
    const kept = this.#kept.get(row.id);
    // Locking a room counts its revision up.
    return kept?.revision === row.revision - 1 ? kept.room : readDocument(db, row);
  }

  /** Keeps a document, once what made it of the last one is stored for good. */
  keep(revision: number, room: Room): void {
    const kept = this.#kept.peek(room.id);
    if (!kept || kept.revision < revision) this.#kept.set(room.id, { revision, room });
  }
}
