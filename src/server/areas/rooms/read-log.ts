import type { z } from 'zod';
import type { calls } from '../../../contract/calls.ts';
import { ApiError } from '../../../contract/errors.ts';
import type { CallContext } from '../../store/call-context.ts';
import { asLogEntry } from '../../store/rooms/log-entry.ts';
import { findBaseSeq, type LogPart, listEntries, sizesOfEntries } from '../../store/rooms/log-repository.ts';
import { findRoom } from '../../store/rooms/rooms-repository.ts';

/** Characters of commands after which an answer ends; the first entry is given whatever it has. */
const MOST_CHARACTERS = 8 * 1024 * 1024;

/** How many entries an answer may hold. */
async function countThatFits({ db }: CallContext, roomId: number, part: LogPart): Promise<number> {
  let [count, characters] = [0, 0];
  for (const { size } of await sizesOfEntries(db, roomId, part)) {
    characters += Number(size);
    if (characters > MOST_CHARACTERS) break;
    count++;
  }
  return Math.max(1, count);
}

/** What changed a room, in order. @throws ApiError not_found */
export async function readLog(
  context: CallContext,
  roomId: number,
  part: z.output<typeof calls.rooms.log.query>,
): Promise<z.output<typeof calls.rooms.log.output>> {
  const { db, organizationId } = context;
  const room = await findRoom(db, organizationId, roomId);
  if (!room) throw new ApiError('not_found');
  const limit = await countThatFits(context, roomId, part);
  const entries = await listEntries(db, roomId, { ...part, limit });
  const base = await findBaseSeq(db, roomId);
  return {
    seq: Math.max(room.seq, entries.at(-1)?.seq ?? 0),
    base: base ?? room.seq,
    entries: entries.map(asLogEntry),
  };
}
