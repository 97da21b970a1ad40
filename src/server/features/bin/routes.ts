import { AREA_OF_CHANGED, CHANGED_ENTITIES, type ChangedEntity, type Right } from '../../../contract/entities.ts';
import { authorOf, listChanges, RESTORABLE_FOR } from '../../core/changes/change-log.ts';
import { timestampOf } from '../../core/clock.ts';
import { pageMeta } from '../../core/db/paging.ts';
import type { SignedInContext } from '../../core/http/call-context.ts';
import type { Handlers } from '../../core/http/handler.ts';
import { removeKept } from './service.ts';

/** Kinds of entities for which the caller has a right. */
const entitiesWith = ({ user }: SignedInContext, right: Right): ChangedEntity[] =>
  CHANGED_ENTITIES.filter((entity) => user.policies[AREA_OF_CHANGED[entity]][right]);

export const bin: Handlers<'bin'> = {
  list: async (context, { query }) => {
    const { db, clock, organizationId } = context;
    const visible = entitiesWith(context, 'view_any');
    const since = timestampOf(clock.now() - RESTORABLE_FOR);
    const { rows, total } =
      visible.length === 0
        ? { rows: [], total: 0 }
        : await listChanges(db, organizationId, { ...query, visible, removed: true, since });
    const restorable = new Set(entitiesWith(context, 'create'));
    const deletable = new Set(entitiesWith(context, 'delete'));
    const data = rows.map((row) => ({
      id: row.id,
      at: row.at,
      ends_at: timestampOf(Date.parse(row.at) + RESTORABLE_FOR),
      user: authorOf(row),
      entity: row.entity as ChangedEntity,
      entity_id: row.entity_id,
      name: row.name,
      may_restore: restorable.has(row.entity as ChangedEntity),
      may_delete: deletable.has(row.entity as ChangedEntity),
    }));
    return { data, meta: pageMeta(total, query) };
  },

  empty: async (context, { body }) => ({
    emptied: await removeKept(context, entitiesWith(context, 'delete'), body.ids),
  }),
};
