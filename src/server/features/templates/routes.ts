import type { AdminTemplate } from '../../../contract/entities.ts';
import { lastEditors } from '../../core/changes/change-log.ts';
import { pageMeta } from '../../core/db/paging.ts';
import type { CallContext } from '../../core/http/call-context.ts';
import { orNotFound } from '../../core/http/found.ts';
import type { Handlers } from '../../core/http/handler.ts';
import { findFiles } from '../media/queries.ts';
import { preparePanorama } from '../media/service.ts';
import { smallPosters } from '../posters/queries.ts';
import { choosePosterOf, readPosterOf, removePosterOf } from '../posters/service.ts';
import { entryPoliciesOf } from '../users/queries.ts';
import {
  findTemplate,
  listTemplates,
  type TemplateRow,
  templateFileIds,
  templateFromRow,
  usesOfTemplates,
} from './queries.ts';
import { copyTemplate, createTemplate, removeTemplate, TEMPLATE, updateTemplate } from './service.ts';

async function asAdmin(context: CallContext, rows: TemplateRow[]): Promise<AdminTemplate[]> {
  const uses = await usesOfTemplates(
    context.db,
    rows.map(({ id }) => id),
  );
  const posters = await smallPosters(
    context.db,
    'template_id',
    rows.map(({ id }) => id),
  );
  const files = await findFiles(context.db, context.organizationId, rows.flatMap(templateFileIds));
  const editors = await lastEditors(
    context.db,
    context.organizationId,
    'template',
    rows.map(({ id }) => id),
  );
  return rows.map((row) => ({
    ...templateFromRow(row, files),
    updated_at: row.updated_at,
    edited_by: editors.get(row.id) ?? null,
    poster_url: posters.get(row.id) ?? null,
    used_in: uses.get(row.id) ?? [],
    policies: entryPoliciesOf(context, 'templates'),
  }));
}

async function one(context: CallContext, id: number): Promise<AdminTemplate> {
  const row = orNotFound(await findTemplate(context.db, context.organizationId, id));
  const [template] = await asAdmin(context, [row]);
  return template!;
}

/** A saved template; the panorama is prepared for its visitors. */
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
    await updateTemplate(context, params.id, body);
    return saved(context, params.id);
  },

  readPoster: async (context, { params }) => readPosterOf(context, TEMPLATE, params.id),

  choosePoster: async (context, { params, body }) => choosePosterOf(context, TEMPLATE, params.id, body.file_id),

  removePoster: async (context, { params }) => {
    await removePosterOf(context, TEMPLATE, params.id);
    return null;
  },

  remove: async (context, { params }) => {
    await removeTemplate(context, params.id);
    return null;
  },
};
