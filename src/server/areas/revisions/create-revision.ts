import { AUTOMATIC_EVERY } from '../../../contract/entities.ts';
import { ApiError } from '../../../contract/errors.ts';
import { timestampOf } from '../../base/clock.ts';
import type { CallContext } from '../../store/call-context.ts';
import { recordChange } from '../../store/history/record-change.ts';
import { makeRevision } from '../../store/revisions/make-revision.ts';
import { listRevisions } from '../../store/revisions/revisions-repository.ts';
import { lockRoom } from '../../store/rooms/rooms-repository.ts';

/**
 * Saves a revision with a name, or an automatic one where it is time for one.
 * @returns its id; that of the newest one where none was made
 * @throws ApiError not_found, invalid, too_large
 */
export async function createRevision(context: CallContext, roomId: number, name: string | undefined): Promise<number> {
  const { organizationId, clock } = context;
  return context.db.transaction().execute(async (db) => {
    const row = await lockRoom(db, organizationId, roomId);
    if (!row) throw new ApiError('not_found');
    if (name !== undefined) {
      const id = await makeRevision(db, context, row, 'named', name);
      const about = { entity_id: row.id, room_id: row.id, name: row.title };
      await recordChange(db, context, { action: 'update', entity: 'room', ...about, facts: { revision: name } });
      return id;
    }
    const known = await listRevisions(db, organizationId, roomId);
    const last = known.find(({ kind }) => kind === 'automatic');
    if (last && last.created_at > timestampOf(clock.now() - AUTOMATIC_EVERY)) return known[0]!.id;
    return makeRevision(db, context, row, 'automatic');
  });
}
