import { applyCommands, type RoomCommand } from '../../../../engine/document/commands.ts';
import { parseRoom, type Room } from '../../../../engine/document/room.ts';
import type { Database } from '../../core/db/database.ts';
import { unpackText } from '../../core/packed-text.ts';
import { WorkInPieces } from '../../core/work-in-pieces.ts';
import { readDocument } from './document-cache.ts';
import { LARGEST_DOCUMENT } from './fold-logs.ts';
import { findBase, findBaseSeq, type LogPart, listEntries, sizesOfEntries } from './log-repository.ts';
import { holdRoom } from './rooms-repository.ts';

/** Most entries of a log that are gone through for one state. */
const MOST_ENTRIES = 5000;
/** Most characters that they may have. */
const MOST_CHARACTERS = 16 * 1024 * 1024;

/** What a state is made of: a document, and what is applied to it, in order. */
interface Steps {
  from: Room;
  /** The commands of each entry, as JSON. */
  steps: string[];
}

/** The way to a state: back from the room as it is, or on from where its log begins, whichever is shorter. */
async function findSteps(db: Database, organizationId: number, roomId: number, seq: number): Promise<Steps | null> {
  const row = await holdRoom(db, organizationId, roomId);
  if (!row || seq > row.seq) return null;
  if (seq === row.seq) return { from: await readDocument(db, row), steps: [] };
  const baseSeq = await findBaseSeq(db, roomId);
  if (baseSeq === undefined || seq < baseSeq) return null;
  const [back, on] = [row.seq - seq, seq - baseSeq];
  const isBack = back <= on;
  const limit = Math.min(back, on);
  if (limit > MOST_ENTRIES) return null;
  const part: LogPart = isBack ? { after: seq, limit } : { after: baseSeq, before: seq + 1, limit };
  const sizes = await sizesOfEntries(db, roomId, part);
  if (sizes.length !== limit || sizes.reduce((sum, { size }) => sum + Number(size), 0) > MOST_CHARACTERS) return null;
  const entries = await listEntries(db, roomId, part);
  if (isBack) return { from: await readDocument(db, row), steps: entries.toReversed().map(({ inverses }) => inverses) };
  const base = (await findBase(db, roomId))!;
  const from = parseRoom(JSON.parse(await unpackText(base.content, LARGEST_DOCUMENT)));
  return { from, steps: entries.map(({ commands }) => commands) };
}

/**
 * A room as it was at a place of its log: files by their ids, without its template.
 * @param seq place of the entry after which it was so
 * @returns null where there is no such room, its log does not reach that far, or too much happened in between
 */
export async function roomAt(db: Database, organizationId: number, roomId: number, seq: number): Promise<Room | null> {
  // Nobody changes the room while it is read.
  const find = (locking: Database) => findSteps(locking, organizationId, roomId, seq);
  const found = await (db.isTransaction ? find(db) : db.transaction().execute(find));
  if (!found) return null;
  const work = new WorkInPieces();
  let room = found.from;
  try {
    for (const step of found.steps) {
      room = applyCommands(room, JSON.parse(step) as RoomCommand[]).room;
      await work.pause();
    }
    return room;
  } catch (error) {
    // Something changed beside the log.
    if (error instanceof RangeError) return null;
    throw error;
  }
}
