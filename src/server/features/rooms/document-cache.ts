import { LRUCache } from 'lru-cache';
import { applyCommands } from '../../../../engine/document/commands.ts';
import type { Room } from '../../../../engine/document/room.ts';
import type { Database } from '../../core/db/database.ts';
import { CommitTurns } from './commit.ts';
import { listElements } from './elements-repository.ts';
import { listCommandsAfter } from './log-queries.ts';
import type { StoredRoom } from './queries.ts';
import { elementFromRow, roomFromRow } from './rows.ts';

/** Maximum number of cached elements, over all rooms: each takes one to two kilobytes. */
const MAX_ELEMENTS = 100_000;

/** Maximum number of log entries applied to a cached document: with more, reloading is faster. */
const MAX_ENTRIES = 100;

/** Version of a cached room. */
type Counts = Pick<StoredRoom, 'revision' | 'touches' | 'seq'>;

interface Kept extends Counts {
  room: Room;
}

/**
 * Applies other servers' changes from the log to a cached document.
 * @returns null if the log doesn't contain all of them
 */
async function applyMissed(db: Database, row: StoredRoom, kept: Kept): Promise<Room | null> {
  const missed = row.seq - kept.seq;
  // No new entry, or changed files or streams: something changed outside the log.
  if (missed <= 0 || missed > MAX_ENTRIES || row.touches !== kept.touches) return null;
  const entries = await listCommandsAfter(db, row.id, kept.seq);
  if (entries.length !== missed) return null;
  try {
    return applyCommands(kept.room, entries.flat()).room;
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}

/** A room as stored: files by id, without its template. Commands are applied to this. */
export async function readDocument(db: Database, row: StoredRoom): Promise<Room> {
  const rows = await listElements(db, row.id);
  const elements = rows.map((element) => elementFromRow(element, new Map()));
  return { ...roomFromRow(row, new Map()), template: null, elements };
}

/**
 * Caches the documents of rooms that are being edited, so that a command doesn't reload all rows. The revision in the
 * database reveals changes by any process.
 */
export class DocumentCache {
  /** Serializes each user's commits. */
  readonly turns = new CommitTurns();
  readonly #kept = new LRUCache<number, Kept>({
    maxSize: MAX_ELEMENTS,
    sizeCalculation: ({ room }) => 1 + room.elements.length,
  });

  /** The document of a room that the caller has locked, before the change. */
  async ofLocked(db: Database, row: StoredRoom): Promise<Room> {
    const kept = this.#kept.get(row.id);
    // Locking a room increments its revision.
    if (kept?.revision === row.revision - 1) return kept.room;
    return (kept && (await applyMissed(db, row, kept))) ?? readDocument(db, row);
  }

  /** Caches a document after its change has been committed. */
  keep({ revision, touches, seq }: Counts, room: Room): void {
    const kept = this.#kept.peek(room.id);
    if (!kept || kept.revision < revision) this.#kept.set(room.id, { revision, touches, seq, room });
  }
}

declare module '../../core/services.ts' {
  interface Services {
    documents: DocumentCache;
  }
}
