import { AUTOMATIC_EVERY, MOST_REVISIONS, type RevisionKind } from '../../../contract/entities.ts';
import { ApiError } from '../../../contract/errors.ts';
import { nextTimestamp, timestampOf } from '../../base/clock.ts';
import type { Database } from '../../base/db/database.ts';
import type { CallContext } from '../../store/call-context.ts';
import { recordChange } from '../../store/history/record-change.ts';
import { countNamed, forgetOldest, insertRevision, listRevisions } from '../../store/revisions/revisions-repository.ts';
import { lockRoom, type StoredRoom } from '../../store/rooms/rooms-repository.ts';
import { packRoom } from './pack-room.ts';

/**
 * Refuses one more revision with a name than a space keeps.
 * @throws ApiError invalid
 */
export async function checkNamed(db: Database, roomId: number): Promise<void> {
  if ((await countNamed(db, roomId)) >= MOST_REVISIONS.named)
    throw new ApiError('invalid', {
      name: [`A space keeps at most ${MOST_REVISIONS.named} revisions with a name. Remove one first.`],
    });
}

/**
 * Saves a revision of a space that is locked.
 * @returns its id; that of the newest one where an unnamed one would say the same
 * @throws ApiError invalid when there are too many with a name, too_large
 */
export async function makeRevision(
  db: Database,
  { organizationId, clock, user }: CallContext,
  row: StoredRoom,
  kind: RevisionKind,
  name = '',
): Promise<number> {
  const packed = await packRoom(db, row);
  const [newest] = await listRevisions(db, organizationId, row.id);
  if (kind === 'named') await checkNamed(db, row.id);
  else if (newest?.hash === packed.hash) return newest.id;
  const at = nextTimestamp(clock, newest?.created_at);
  const about = { organization_id: organizationId, room_id: row.id, user_id: user?.userId ?? null };
  const id = await insertRevision(db, { ...about, ...packed, kind, name, created_at: at, updated_at: at });
  if (kind !== 'named') await forgetOldest(db, row.id);
  return id;
}

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
