import { byPath } from '../../../../engine/document/field-paths.ts';
import type { RoomLogEntry, SentCommand } from '../../../contract/entities.ts';
import { WORK_PAUSE } from './tool.ts';

type Logged = Record<string, unknown>;

/** The commands that undo a piece of work, and what was changed by others since. */
export interface Undoing {
  commands: SentCommand[];
  /** Sequence numbers of the entries. */
  seqs: number[];
  /** Number of commands that are left out because someone else has changed the same since. */
  skipped: number;
}

/** Places that a command changes: elements, their fields, and fields of the room. */
function placesOf({ type, id, fields, element }: Logged): string[] {
  const owner = type === 'room.update' ? 'room' : String(type === 'element.add' ? (element as Logged).id : id);
  if (type === 'room.update' || type === 'element.update')
    return Object.keys(byPath(fields as object)).map((path) => `${owner} ${path}`);
  return type === 'element.move' ? [`${owner} place`] : [owner];
}

/** Whether a place was changed, directly or with its element. */
const isTouched = (touched: ReadonlySet<string>, place: string): boolean =>
  touched.has(place) || touched.has(place.split(' ')[0]!) || (!place.includes(' ') && hasInside(touched, place));

const hasInside = (touched: ReadonlySet<string>, owner: string): boolean => {
  for (const place of touched) if (place.startsWith(`${owner} `)) return true;
  return false;
};

/**
 * Plans undoing the last piece of work of an agent: its entries without a longer pause, or those of one task.
 * @param entries end of the log, in order
 * @param isOwn whether a client is one of the agent's
 */
export function undoingOf(entries: readonly RoomLogEntry[], isOwn: (client: string) => boolean): Undoing {
  const touched = new Set<string>();
  const undoing: Undoing = { commands: [], seqs: [], skipped: 0 };
  let first: number | null = null;
  for (const { seq, client, at, commands, inverses } of entries.toReversed()) {
    if (client === null || !isOwn(client)) {
      for (const command of commands) for (const place of placesOf(command)) touched.add(place);
      continue;
    }
    if (first !== null && first - Date.parse(at) > WORK_PAUSE) break;
    first = Date.parse(at);
    undoing.seqs.push(seq);
    for (const command of inverses) {
      const fields = 'fields' in command ? (command.fields as Logged) : null;
      if (placesOf(command).some((place) => isTouched(touched, place))) undoing.skipped++;
      else if (fields === null || Object.keys(fields).length > 0) undoing.commands.push(command as SentCommand);
    }
  }
  return undoing;
}
