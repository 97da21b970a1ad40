import { mergeFields } from '../../../../engine/document/commands.ts';
import type { AdminTemplate } from '../../../contract/entities.ts';
import { ApiError } from '../../../contract/errors.ts';
import { refuseStale } from '../../base/answers/stale.ts';
import { nextTimestamp } from '../../base/clock.ts';
import { lockOrganization } from '../../base/db/for-update.ts';
import { pageMeta } from '../../base/db/paging.ts';
import type { CallContext } from '../../store/call-context.ts';
import { recordChange } from '../../store/history/record-change.ts';
import { findFiles } from '../../store/media/files-repository.ts';
import { preparePanorama } from '../../store/media/prepare-panorama.ts';
import { checkTemplateFiles, checkTemplateShell, createTemplate } from '../../store/templates/create-template.ts';
import {
  rowFromTemplate,
  templateFields,
  templateFileIds,
  templateFromRow,
} from '../../store/templates/template-row.ts';
import {
  deleteTemplate,
  findTemplate,
  listTemplates,
  lockTemplate,
  type TemplateRow,
  updateTemplate,
  usesOfTemplate,
} from '../../store/templates/templates-repository.ts';
import { entryPoliciesOf } from '../../store/users/entry-policies.ts';
import type { Handlers } from '../handler.ts';
import { copyTemplate } from './copy-template.ts';

async function asAdmin(context: CallContext, rows: TemplateRow[]): Promise<AdminTemplate[]> {
  const files = await findFiles(context.db, context.organizationId, rows.flatMap(templateFileIds));
  return rows.map((row) => ({
    ...templateFromRow(row, files),
    updated_at: row.updated_at,
    policies: entryPoliciesOf(context, 'templates'),
  }));
}

async function one(context: CallContext, id: number): Promise<AdminTemplate> {
  const row = await findTemplate(context.db, context.organizationId, id);
  if (!row) throw new ApiError('not_found');
  const [template] = await asAdmin(context, [row]);
  return template!;
}

/** What has just been saved; visitors of a panorama shall find it prepared. */
async function saved(context: CallContext, id: number): Promise<AdminTemplate> {
  const template = await one(context, id);
  const { model_type, file } = template;
  if (model_type === 'pano' && file?.type === 'image') context.later(() => preparePanorama(context, file.url));
  return template;
}

export const templates: Handlers<'templates'> = {
  list: async (context, { query }) => {
    const { rows, total } = await listTemplates(context.db, context.organizationId, query);
    return { data: await asAdmin(context, rows), meta: pageMeta(total, query) };
  },

  read: async (context, { params }) => one(context, params.id),

  create: async (context, { body }) => saved(context, await createTemplate(context, body)),

  copy: async (context, { params, body }) => one(context, await copyTemplate(context, params.id, body.name)),

  update: async (context, { params, body }) => {
    const { organizationId, clock } = context;
    const { updated_at, ...fields } = body;
    await context.db.transaction().execute(async (db) => {
      const row = await lockTemplate(db, organizationId, params.id);
      if (!row) throw new ApiError('not_found');
      refuseStale(row.updated_at, updated_at);
      const checked = templateFields.parse(mergeFields(templateFromRow(row, new Map()), fields));
      await checkTemplateFiles(db, organizationId, checked);
      await checkTemplateShell(db, organizationId, checked, row);
      const columns = rowFromTemplate(checked);
      await updateTemplate(db, row.id, { ...columns, updated_at: nextTimestamp(clock, row.updated_at) });
      const about = { entity_id: row.id, name: checked.name, before: row, after: { ...row, ...columns } };
      await recordChange(db, context, { action: 'update', entity: 'template', ...about });
    });
    return saved(context, params.id);
  },

  remove: async (context, { params }) => {
    const { organizationId } = context;
    await context.db.transaction().execute(async (db) => {
      // The organization's settings name a template without the database watching over it.
      await lockOrganization(db, organizationId);
      const row = await lockTemplate(db, organizationId, params.id);
      if (!row) throw new ApiError('not_found');
      const uses = await usesOfTemplate(db, organizationId, row.id);
      if (uses.length > 0) throw new ApiError('in_use', { error: ['This template is still in use.', ...uses] });
      await deleteTemplate(db, row.id);
      const about = { entity_id: row.id, name: row.name, before: row };
      await recordChange(db, context, { action: 'delete', entity: 'template', ...about });
    });
    return null;
  },
};
