import type { OlderCommand } from '../../../../engine/document/commands.ts';
import type { Room } from '../../../../engine/document/room.ts';
import { ApiError } from '../../../contract/errors.ts';
import type { Database } from '../../core/db/database.ts';
import type { HtmlCleaner } from '../../core/files/workers/clean-ahead.ts';
import type { CallContext } from '../../core/http/call-context.ts';
import { announce, type Committed, commitCommands, commitDocument, type Source } from './commit.ts';
import type { StoredElement } from './element-row.ts';
import { findElement } from './elements-repository.ts';
import { recordCommitted } from './record-committed.ts';
import { lockRoom, type StoredRoom } from './rooms-repository.ts';

const API: Source = { origin: 'api' };

/** A room that is locked for a change, in the transaction of that change. */
export interface LockedRoom {
  db: Database;
  row: StoredRoom;
  /** The room as it is. */
  room: Room;
  /**
   * Changes it by commands; once.
   * @param facts what the change log is to say besides the fields
   */
  commit(commands: readonly OlderCommand[], html: HtmlCleaner, facts?: object): Promise<Committed>;
  /** Makes it another document, of which everything has been checked; once, instead of `commit`. */
  become(after: Room): Promise<Committed>;
}

/**
 * Runs a change of a room by one of the API's calls, with the room locked.
 * @throws ApiError not_found
 */
export async function changeRoom<T>(
  context: CallContext,
  roomId: number,
  change: (locked: LockedRoom) => Promise<T>,
): Promise<T> {
  let done: (() => void) | undefined;
  const result = await context.db.transaction().execute(async (db) => {
    const row = await lockRoom(db, context.organizationId, roomId);
    if (!row) throw new ApiError('not_found');
    const record = async (committed: Committed, facts?: object) => {
      await recordCommitted(db, context, row, committed, facts);
      done = () => announce(context, row, committed);
      return committed;
    };
    return change({
      db,
      row,
      room: await context.documents.ofLocked(db, row),
      commit: async (commands, html, facts) =>
        record(await commitCommands(db, context, row, API, { commands, html }), facts),
      become: async (after) => record(await commitDocument(db, context, row, API, after)),
    });
  });
  done?.();
  return result;
}

/**
 * Runs a change of one element with its room locked.
 * @throws ApiError not_found
 */
export async function changeRoomOf<T>(
  context: CallContext,
  id: number,
  change: (locked: LockedRoom, element: StoredElement) => Promise<T>,
): Promise<T> {
  const seen = await findElement(context.db, context.organizationId, id);
  if (!seen) throw new ApiError('not_found');
  return changeRoom(context, seen.room_id, async (locked) => {
    // Somebody may have changed or removed it while the room was locked.
    const row = await findElement(locked.db, context.organizationId, id);
    if (!row) throw new ApiError('not_found');
    return change(locked, row);
  });
}
