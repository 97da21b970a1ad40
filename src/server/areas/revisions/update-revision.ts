import { ApiError } from '../../../contract/errors.ts';
import { nextTimestamp } from '../../base/clock.ts';
import type { Database } from '../../base/db/database.ts';
import type { CallContext } from '../../store/call-context.ts';
import { recordChange } from '../../store/history/record-change.ts';
import { isPublication } from '../../store/publications/publications-repository.ts';
import { checkNamed } from '../../store/revisions/make-revision.ts';
import {
  deleteRevision,
  type ListedRevision,
  updateRevision as storeRevision,
} from '../../store/revisions/revisions-repository.ts';
import { lockRoom } from '../../store/rooms/rooms-repository.ts';
import { findRevision } from './find-revision.ts';

/**
 * Changes a revision while nobody else changes its space, and notes it in the change log.
 * @param facts what the entry says
 */
async function change(
  context: CallContext,
  id: number,
  facts: (row: ListedRevision) => object,
  work: (db: Database, row: ListedRevision) => Promise<void>,
): Promise<void> {
  await context.db.transaction().execute(async (db) => {
    const seen = await findRevision({ ...context, db }, id);
    const room = await lockRoom(db, context.organizationId, seen.room_id);
    if (!room) throw new ApiError('not_found');
    // Somebody may have changed or removed it while the room was locked.
    const row = await findRevision({ ...context, db }, id);
    await work(db, row);
    const about = { entity_id: room.id, room_id: room.id, name: room.title };
    await recordChange(db, context, { action: 'update', entity: 'room', ...about, facts: facts(row) });
  });
}

const calledIn = ({ name, created_at }: ListedRevision) => name || created_at;

/** Gives a revision a name, which keeps it. @throws ApiError not_found */
export async function updateRevision(context: CallContext, id: number, name: string): Promise<void> {
  const seen = await findRevision(context, id);
  if (seen.kind === 'named' && seen.name === name) return;
  const facts = (row: ListedRevision) => ({ revision: name, revision_before: calledIn(row) });
  await change(context, id, facts, async (db, row) => {
    if (row.kind !== 'named') await checkNamed(db, row.room_id);
    const updated_at = nextTimestamp(context.clock, row.updated_at);
    await storeRevision(db, row.id, { name, kind: 'named', updated_at });
  });
}

/** @throws ApiError not_found, or in_use while it is published, scheduled, or among the publications that are kept */
export async function removeRevision(context: CallContext, id: number): Promise<void> {
  const facts = (row: ListedRevision) => ({ revision_removed: calledIn(row) });
  await change(context, id, facts, async (db, row) => {
    if (await isPublication(db, row.id))
      throw new ApiError('in_use', 'This revision is published, scheduled, or among the last 20 publications.');
    await deleteRevision(db, row.id);
  });
}
