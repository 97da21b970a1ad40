import { AREA_OF_CHANGED, CHANGED_ENTITIES, type Change } from '../../../contract/entities.ts';
import { pageMeta } from '../../base/db/paging.ts';
import { authorOf } from '../../store/history/author-of.ts';
import { type ListedChange, listChanges } from '../../store/history/changes-repository.ts';
import type { Handlers } from '../handler.ts';
import { restoreChange } from './restore-change.ts';

const asChange = (row: ListedChange): Change => ({
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
});

export const history: Handlers<'history'> = {
  list: async ({ db, organizationId, user }, { query }) => {
    const { removed, ...filter } = query;
    const visible = CHANGED_ENTITIES.filter((entity) => user.policies[AREA_OF_CHANGED[entity]].view_any);
    const { rows, total } = await listChanges(db, organizationId, { ...filter, visible, removed: removed === '1' });
    return { data: rows.map(asChange), meta: pageMeta(total, query) };
  },

  restore: async (context, { params }) => {
    const { entity, id, roomId, missing } = await restoreChange(context, params.id);
    return { entity, id, room_id: roomId, missing };
  },
};
