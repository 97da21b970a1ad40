import { type Difference, differences, sentenceOf } from '../../engine/document/difference.ts';
import type { Room } from '../../engine/document/room.ts';
import { asRoom, documentOf } from './room-argument.ts';

/** Git's placeholder for a missing file. */
const NULL_DEVICE = '/dev/null';

async function roomOf(argument: string): Promise<Room | null> {
  return argument === NULL_DEVICE ? null : asRoom(await documentOf(argument), argument);
}

/** The differences between two rooms: as texts, and by field if both exist. */
export async function compareRooms(
  old: string,
  current: string,
): Promise<{ found: string[]; fields: Difference[] | null }> {
  const [before, after] = [await roomOf(old), await roomOf(current)];
  if (!before || !after) {
    const found = [before ? 'The room is gone' : after ? 'The room is new' : ''].filter(Boolean);
    return { found, fields: null };
  }
  const fields = differences(before, after);
  return { found: fields.map(sentenceOf), fields };
}
