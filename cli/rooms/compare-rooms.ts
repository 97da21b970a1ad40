import { differences, sentenceOf } from '../../engine/document/difference.ts';
import type { Room } from '../../engine/document/room.ts';
import { fileNameOf } from '../io/read-file.ts';
import type { Compared, Comparison } from './report-findings.ts';
import { asRoom, readSource } from './room-argument.ts';

/** Git's placeholder for a missing file. */
const NULL_DEVICE = '/dev/null';

async function roomOf(argument: string): Promise<Compared & { room: Room | null }> {
  if (argument === NULL_DEVICE) return { name: argument, document: null, text: null, room: null };
  const { document, text } = await readSource(argument);
  return { name: fileNameOf(argument), document, text, room: asRoom(document, argument) };
}

export async function compareRooms(old: string, later: string): Promise<Comparison> {
  const [before, current] = [await roomOf(old), await roomOf(later)];
  if (!before.room || !current.room) {
    const found = [before.room ? 'The room is gone' : current.room ? 'The room is new' : ''].filter(Boolean);
    return { found, fields: null, current };
  }
  const fields = differences(before.room, current.room);
  return { found: fields.map(sentenceOf), fields, current };
}
