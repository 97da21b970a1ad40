import { mergeFields } from '../../../../engine/document/commands.ts';
import type { AdminRoom } from '../../../contract/entities.ts';
import { ApiError } from '../../../contract/errors.ts';
import { CachedResponse } from '../../base/answers/cached-response.ts';
import { refuseStale } from '../../base/answers/stale.ts';
import { nextTimestamp } from '../../base/clock.ts';
import { pageMeta } from '../../base/db/paging.ts';
import { cleanAhead, type HtmlCleaner } from '../../storage/workers/clean-ahead.ts';
import type { CallContext } from '../../store/call-context.ts';
import { recordChange } from '../../store/history/record-change.ts';
import { checkRoomReferences, createRoom } from '../../store/rooms/create-room.ts';
import { addElement } from '../../store/rooms/edit-elements.ts';
import { readRoom, timestamps } from '../../store/rooms/read-room.ts';
import { removeRoom } from '../../store/rooms/remove-room.ts';
import { columnsOfRoom, readRoomFields, roomFromRow } from '../../store/rooms/room-row.ts';
import {
  findRoom,
  type ListedRoom,
  listRooms,
  lockRoom,
  type StoredRoom,
  updateRoom,
} from '../../store/rooms/rooms-repository.ts';
import { entryPoliciesOf } from '../../store/users/entry-policies.ts';
import type { Handlers } from '../handler.ts';
import { copyRoom } from './copy-room.ts';

async function one(context: CallContext, id: number): Promise<AdminRoom> {
  const row = await findRoom(context.db, context.organizationId, id);
  if (!row) throw new ApiError('not_found');
  return {
    ...(await readRoom(context.db, row)),
    ...timestamps(context.clock),
    updated_at: row.updated_at,
    policies: entryPoliciesOf(context, 'rooms'),
  };
}

/** A space in a list, field by field: objects that are made alike are turned into JSON much faster. */
const asRow = (
  { id, name, title, template_id, updated_at }: ListedRoom,
  policies: ReturnType<typeof entryPoliciesOf>,
) => ({
  id,
  name,
  title,
  template_id,
  updated_at,
  policies,
});

export const rooms: Handlers<'rooms'> = {
  list: async (context, { query }) => {
    const { rows, total } = await listRooms(context.db, context.organizationId, query);
    const policies = entryPoliciesOf(context, 'rooms');
    return { data: rows.map((row) => asRow(row, policies)), meta: pageMeta(total, query) };
  },

  read: async (context, { params }) => {
    const room = await context.roomCache.find(context.db, context.organizationId, params.id, 'admin');
    if (!room) throw new ApiError('not_found');
    const policies = entryPoliciesOf(context, 'rooms');
    const front = { ...timestamps(context.clock), updated_at: room.updatedAt, policies };
    const tag = `${room.tag}.${Date.parse(room.updatedAt).toString(36)}.${Number(policies.update)}${Number(policies.delete)}`;
    return CachedResponse.of(tag, front, room.bytes);
  },

  create: async (context, { body }) => one(context, await createRoom(context, body)),

  update: async (context, { params, body }) => {
    const { organizationId, clock, workers } = context;
    const { updated_at, ...changes } = body;
    const fieldsAfter = (row: StoredRoom, html: HtmlCleaner) =>
      readRoomFields(mergeFields(roomFromRow(row, new Map()), changes), html);
    const seen = await findRoom(context.db, organizationId, params.id);
    if (!seen) throw new ApiError('not_found');
    const html = await cleanAhead(workers, (html) => fieldsAfter(seen, html));
    await context.db.transaction().execute(async (db) => {
      const row = await lockRoom(db, organizationId, params.id);
      if (!row) throw new ApiError('not_found');
      refuseStale(row.updated_at, updated_at);
      const before = roomFromRow(row, new Map());
      const fields = fieldsAfter(row, html);
      await checkRoomReferences(db, organizationId, fields, before);
      const columns = columnsOfRoom(fields);
      await updateRoom(db, row.id, { ...columns, updated_at: nextTimestamp(clock, row.updated_at) });
      const about = { entity_id: row.id, room_id: row.id, name: fields.title };
      await recordChange(db, context, {
        action: 'update',
        entity: 'room',
        ...about,
        before: row,
        after: { ...row, ...columns },
      });
    });
    return one(context, params.id);
  },

  remove: async (context, { params }) => {
    await removeRoom(context, params.id);
    return null;
  },

  copy: async (context, { params }) => one(context, await copyRoom(context, params.id)),

  addElement: async (context, { params, body }) => addElement(context, params.id, body),
};
