import type { RoomCommand } from '../../../../engine/document/commands.ts';
import { byPath } from '../../../../engine/document/field-paths.ts';
import { isStamp } from '../../core/clock.ts';
import type { Database } from '../../core/db/database.ts';
import { refuseStale } from '../../core/http/stale.ts';
import { listCommandsSince, reachesBack } from './log-repository.ts';
import type { StoredRoom } from './rooms-repository.ts';

/** Most entries that are read to find out; an edit of what is older than these is refused as stale. */
const MOST_ENTRIES = 200;

/** An edit of a version that is perhaps no longer the current one. */
interface Edit {
  /** Element that it changes; null for the room itself. */
  id: number | null;
  /** Stamp of what is stored, and the one that the caller's version had, if it names one. */
  current: string;
  seen: string | undefined;
  /** Paths of the fields that it changes. */
  paths: readonly string[];
}

/** Whether a command wrote one of some fields. */
function writes(command: RoomCommand, id: number | null, paths: ReadonlySet<string>): boolean {
  switch (command.type) {
    case 'room.update':
      return id === null && Object.keys(byPath(command.fields)).some((path) => paths.has(path));
    case 'element.update':
      return command.id === id && Object.keys(byPath(command.fields)).some((path) => paths.has(path));
    case 'element.move':
      return command.id === id && paths.has('parent_element_id');
    // What was removed and is there again may have anything.
    case 'element.add':
      return command.elements.some((element) => element.id === id);
    case 'element.remove':
      return command.id === id;
  }
}

/**
 * Refuses an edit of a version that is no longer the current one, if somebody has changed the same fields since. What others
 * did to other fields meanwhile is not in the way.
 * @throws ApiError stale, with the current stamp beside the message
 */
export async function refuseOverwriting(db: Database, row: StoredRoom, edit: Edit): Promise<void> {
  const { id, current, seen, paths } = edit;
  if (seen === undefined || seen === current) return;
  const isKnown = isStamp(seen) && seen < current && (await reachesBack(db, row.id, seen));
  if (!isKnown) refuseStale(current, seen);
  const about = { roomId: row.id, since: seen, about: id, limit: MOST_ENTRIES };
  const entries = await listCommandsSince(db, about);
  const wanted = new Set(paths);
  const isWritten = entries.some((commands) => commands.some((command) => writes(command, id, wanted)));
  if (isWritten || entries.length === MOST_ENTRIES) refuseStale(current, seen);
}
