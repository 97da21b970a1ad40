import type { Label } from '../../../contract/entities.ts';
import { pageMeta } from '../../core/db/paging.ts';
import { orNotFound } from '../../core/http/found.ts';
import type { Handlers } from '../../core/http/handler.ts';
import { type LabelRow, labelRows, listLabels } from './queries.ts';
import { createLabel, removeLabel, updateLabel } from './service.ts';

const asLabel = ({ id, name, color, note, updated_at }: LabelRow): Label => ({ id, name, color, note, updated_at });

export const labels: Handlers<'labels'> = {
  list: async ({ db, organizationId }, { query }) => {
    const { rows, total } = await listLabels(db, organizationId, query);
    return { data: rows.map(asLabel), meta: pageMeta(total, query) };
  },

  read: async ({ db, organizationId }, { params }) =>
    asLabel(orNotFound(await labelRows.find(db, organizationId, params.id))),

  create: async (context, { body }) => asLabel(await createLabel(context, body)),

  update: async (context, { params, body }) => asLabel(await updateLabel(context, params.id, body)),

  remove: async (context, { params }) => {
    await removeLabel(context, params.id);
    return null;
  },
};
