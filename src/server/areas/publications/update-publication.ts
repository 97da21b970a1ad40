import { ApiError } from '../../../contract/errors.ts';
import { timestampOf } from '../../base/clock.ts';
import type { Database } from '../../base/db/database.ts';
import type { CallContext } from '../../store/call-context.ts';
import { recordChange } from '../../store/history/record-change.ts';
import { lockPublications } from '../../store/publications/publications-repository.ts';
import { settleSchedule } from '../../store/publications/settle-schedule.ts';
import type { StoredRoom } from '../../store/rooms/rooms-repository.ts';

/** A change of what is published of a space that is locked: what was due before has been done. */
interface Changing {
  db: Database;
  room: StoredRoom;
  /** Stamp of the change. */
  at: string;
}

/**
 * Changes what is published of a space, one change after another, and notes it in the change log.
 * @param work gives what the entry says; nothing where nothing was changed
 * @throws ApiError not_found
 */
export async function updatePublication(
  context: CallContext,
  roomId: number,
  work: (changing: Changing) => Promise<object | undefined>,
): Promise<void> {
  const { organizationId, clock } = context;
  await context.db.transaction().execute(async (db) => {
    const room = await lockPublications(db, organizationId, roomId);
    if (!room) throw new ApiError('not_found');
    await settleSchedule(db, context, room);
    const facts = await work({ db, room, at: timestampOf(clock.now()) });
    if (!facts) return;
    const about = { entity_id: room.id, room_id: room.id, name: room.title };
    await recordChange(db, context, { action: 'update', entity: 'room', ...about, facts });
  });
}
