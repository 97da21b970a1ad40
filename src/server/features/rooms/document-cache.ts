import { LRUCache } from 'lru-cache';
import { applyCommands } from '../../../../engine/document/commands.ts';
import type { Room } from '../../../../engine/document/room.ts';
import type { Database } from '../../core/db/database.ts';
import { CommitTurns } from './commit.ts';
import { listElements } from './elements-repository.ts';
import { listCommandsAfter } from './log-queries.ts';
import type { StoredRoom } from './queries.ts';
import { elementFromRow, roomFromRow } from './rows.ts';

/** Elements that are kept, over all rooms: each takes one to two kilobytes. */
const MAX_ELEMENTS = 100_000;

/** Entries of a log with which a document is brought up to date at most: more are slower than reading it. */
const MAX_ENTRIES = 100;

/** Which state of a room is kept: what its row counts. */
type Counts = Pick<StoredRoom, 'revision' | 'touches' | 'seq'>;

interface Kept extends Counts {
  room: Room;
}

/**
 * Brings a document up to date with what other servers did to the room, by its log.
 * @returns null where the log does not tell all of it
 */
async function caughtUp(db: Database, row: StoredRoom, kept: Kept): Promise<Room | null> {
  const missed = row.seq - kept.seq;
  // Without an entry, or with files and streams that are others, something changed beside the log.
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

/** A room as its rows have it: files by their ids, without its template. Commands are applied to this. */
export async function readDocument(db: Database, row: StoredRoom): Promise<Room> {
  const rows = await listElements(db, row.id);
  const elements = rows.map((element) => elementFromRow(element, new Map()));
  return { ...roomFromRow(row, new Map()), template: null, elements };
}

/**
 * Keeps the documents of rooms that are being edited, so that a command costs no reading of all their rows. The revision that
 * stands in the database says whether what is kept is still true, whichever process changed it.
 */
export class DocumentCache {
  /** Turns of users who change documents. */
  readonly turns = new CommitTurns();
  readonly #kept = new LRUCache<number, Kept>({
    maxSize: MAX_ELEMENTS,
    sizeCalculation: ({ room }) => 1 + room.elements.length,
  });

  /** The document of a room that the caller has locked, as it was before. */
  async ofLocked(db: Database, row: StoredRoom): Promise<Room> {
    const kept = this.#kept.get(row.id);
    // Locking a room counts its revision up.
    if (kept?.revision === row.revision - 1) return kept.room;
    return (kept && (await caughtUp(db, row, kept))) ?? readDocument(db, row);
  }

  /** Keeps a document, once what made it of the last one is stored for good. */
  keep({ revision, touches, seq }: Counts, room: Room): void {
    const kept = this.#kept.peek(room.id);
    if (!kept || kept.revision < revision) this.#kept.set(room.id, { revision, touches, seq, room });
  }
}

declare module '../../core/services.ts' {
  interface Services {
    /** Documents of rooms that are being edited. */
    documents: DocumentCache;
  }
}
