import type { Revision } from '../../../contract/entities.ts';
import { ApiError } from '../../../contract/errors.ts';
import { nextTimestamp } from '../../base/clock.ts';
import type { Database } from '../../base/db/database.ts';
import type { CallContext } from '../../store/call-context.ts';
import { authorOf } from '../../store/history/author-of.ts';
import { recordChange } from '../../store/history/record-change.ts';
import {
  deleteRevision,
  findRevision,
  type ListedRevision,
  listRevisions,
  readContent,
  updateRevision,
} from '../../store/revisions/revisions-repository.ts';
import { findRoom, lockRoom } from '../../store/rooms/rooms-repository.ts';
import type { Handlers } from '../handler.ts';
import { checkNamed, createRevision } from './make-revision.ts';
import { fillRoom } from './read-revision.ts';
import { restoreRevision } from './restore-revision.ts';
import { unpackRoom } from './revision-content.ts';

const asRevision = (row: ListedRevision): Revision => ({
  id: row.id,
  room_id: row.room_id,
  kind: row.kind as Revision['kind'],
  name: row.name,
  at: row.created_at,
  user: authorOf(row),
  elements: row.elements,
});

async function one({ db, organizationId }: CallContext, id: number): Promise<ListedRevision> {
  const row = await findRevision(db, organizationId, id);
  if (!row) throw new ApiError('not_found');
  return row;
}

/**
 * Changes a checkpoint while nobody else changes its space, and notes it in the change log.
 * @param facts what the entry says
 */
async function change(
  context: CallContext,
  id: number,
  facts: (row: ListedRevision) => object,
  work: (db: Database, row: ListedRevision) => Promise<void>,
): Promise<void> {
  await context.db.transaction().execute(async (db) => {
    const seen = await one({ ...context, db }, id);
    const room = await lockRoom(db, context.organizationId, seen.room_id);
    if (!room) throw new ApiError('not_found');
    // Somebody may have changed or removed it while the room was locked.
    const row = await one({ ...context, db }, id);
    await work(db, row);
    const about = { entity_id: room.id, room_id: room.id, name: room.title };
    await recordChange(db, context, { action: 'update', entity: 'room', ...about, facts: facts(row) });
  });
}

const calledIn = ({ name, created_at }: ListedRevision) => name || created_at;

export const revisions: Handlers<'revisions'> = {
  list: async ({ db, organizationId }, { params }) => {
    if (!(await findRoom(db, organizationId, params.id))) throw new ApiError('not_found');
    return (await listRevisions(db, organizationId, params.id)).map(asRevision);
  },

  create: async (context, { params, body }) =>
    asRevision(await one(context, await createRevision(context, params.id, body.name))),

  read: async (context, { params }) => {
    const { db, organizationId } = context;
    const row = await one(context, params.id);
    const packed = await readContent(db, organizationId, row.id);
    if (packed === undefined) throw new ApiError('not_found');
    const { room } = await unpackRoom(packed);
    return { ...asRevision(row), room: await fillRoom(db, organizationId, room) };
  },

  rename: async (context, { params, body }) => {
    const seen = await one(context, params.id);
    if (seen.kind === 'named' && seen.name === body.name) return asRevision(seen);
    const facts = (row: ListedRevision) => ({ checkpoint: body.name, checkpoint_before: calledIn(row) });
    await change(context, params.id, facts, async (db, row) => {
      if (row.kind !== 'named') await checkNamed(db, row.room_id);
      const updated_at = nextTimestamp(context.clock, row.updated_at);
      await updateRevision(db, row.id, { name: body.name, kind: 'named', updated_at });
    });
    return asRevision(await one(context, params.id));
  },

  remove: async (context, { params }) => {
    const facts = (row: ListedRevision) => ({ checkpoint_removed: calledIn(row) });
    await change(context, params.id, facts, (db, row) => deleteRevision(db, row.id));
    return null;
  },

  restore: async (context, { params, body }) => restoreRevision(context, params.id, body.element_id),
};
