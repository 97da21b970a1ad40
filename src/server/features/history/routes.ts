import { nestedRoom } from '../../../../engine/document/room.ts';
import { AREA_OF_CHANGED, CHANGED_ENTITIES, type Change } from '../../../contract/entities.ts';
import { authorOf, type ListedChange, listChanges, RESTORABLE_FOR } from '../../core/changes/change-log.ts';
import { timestampOf } from '../../core/clock.ts';
import { pageMeta } from '../../core/db/paging.ts';
import type { Handlers } from '../../core/http/handler.ts';
import { readRoomOf, restoreChange } from './service.ts';

/** @param since stamp of the oldest stored space logs */
const asChange = (row: ListedChange, since: string): Change => ({
  id: row.id,
  at: row.at,
  user: authorOf(row),
  action: row.action as Change['action'],
  entity: row.entity as Change['entity'],
  entity_id: row.entity_id,
  room_id: row.room_id,
  name: row.name,
  before: row.before === null ? null : JSON.parse(row.before),
  after: row.after === null ? null : JSON.parse(row.after),
  is_restorable: row.is_restorable === 1,
  has_room: row.seq === null ? row.entity === 'room' && row.is_restorable === 1 : row.at >= since,
});

export const history: Handlers<'history'> = {
  list: async ({ db, clock, organizationId, user }, { query }) => {
    const { removed, ...filter } = query;
    const visible = CHANGED_ENTITIES.filter((entity) => user.policies[AREA_OF_CHANGED[entity]].view_any);
    const { rows, total } = await listChanges(db, organizationId, { ...filter, visible, removed: removed === '1' });
    const since = timestampOf(clock.now() - RESTORABLE_FOR);
    return { data: rows.map((row) => asChange(row, since)), meta: pageMeta(total, query) };
  },

  readRoom: async (context, { params, query }) => {
    const room = await readRoomOf(context, params.id, query.side);
    return room && nestedRoom(room);
  },

  restore: async (context, { params }) => {
    const { entity, id, roomId, missing } = await restoreChange(context, params.id);
    return { entity, id, room_id: roomId, missing };
  },
};
