import { nestedRoom } from '../../../../engine/document/room.ts';
import type { Revision } from '../../../contract/entities.ts';
import { ApiError } from '../../../contract/errors.ts';
import { authorOf } from '../../core/changes/change-log.ts';
import type { Handlers } from '../../core/http/handler.ts';
import { findRoom } from '../rooms/queries.ts';
import { fillRoom } from './make-revision.ts';
import { type ListedRevision, listRevisions, readContent, unpackRoom } from './queries.ts';
import { restoreRevision } from './restore-revision.ts';
import { createRevision, findRevision, removeRevision, updateRevision } from './service.ts';

const asRevision = (row: ListedRevision): Revision => ({
  id: row.id,
  room_id: row.room_id,
  kind: row.kind as Revision['kind'],
  name: row.name,
  at: row.created_at,
  user: authorOf(row),
  elements: row.elements,
});

export const revisions: Handlers<'revisions'> = {
  list: async ({ db, organizationId }, { params }) => {
    if (!(await findRoom(db, organizationId, params.id))) throw new ApiError('not_found');
    return (await listRevisions(db, organizationId, params.id)).map(asRevision);
  },

  create: async (context, { params, body }) =>
    asRevision(await findRevision(context, await createRevision(context, params.id, body.name))),

  read: async (context, { params }) => {
    const { db, organizationId } = context;
    const row = await findRevision(context, params.id);
    const packed = await readContent(db, organizationId, row.id);
    if (packed === undefined) throw new ApiError('not_found');
    const { room } = await unpackRoom(packed);
    return { ...asRevision(row), room: nestedRoom(await fillRoom(db, organizationId, room)) };
  },

  rename: async (context, { params, body }) => {
    await updateRevision(context, params.id, body.name);
    return asRevision(await findRevision(context, params.id));
  },

  remove: async (context, { params }) => {
    await removeRevision(context, params.id);
    return null;
  },

  restore: async (context, { params, body }) => restoreRevision(context, params.id, body.element_id),
};
