import type { z } from 'zod';
import { mergeFields } from '../../../../engine/document/commands.ts';
import type { calls } from '../../../contract/calls.ts';
import { ApiError } from '../../../contract/errors.ts';
import { recordChange } from '../../core/changes/record-change.ts';
import { nextTimestamp } from '../../core/clock.ts';
import { copyName } from '../../core/copy-name.ts';
import { lockOrganization } from '../../core/db/for-update.ts';
import type { CallContext } from '../../core/http/call-context.ts';
import { refuseStale } from '../../core/http/stale.ts';
import { removedPosters } from '../posters/poster-files.ts';
import { putPoster, readPosterRow } from '../posters/posters-repository.ts';
import { checkTemplateFiles, checkTemplateShell } from './create-template.ts';
import { rowFromTemplate, templateFields, templateFromRow } from './template-row.ts';
import {
  deleteTemplate,
  insertTemplate,
  lockTemplate,
  updateTemplate as storeTemplate,
  usesOfTemplate,
} from './templates-repository.ts';

/**
 * Copies a template; its files are those of the original.
 * @param name name of the copy; made from the original's when left out
 * @returns id of the copy
 * @throws ApiError not_found
 */
export async function copyTemplate(context: CallContext, id: number, name?: string): Promise<number> {
  const { organizationId, clock } = context;
  return context.db.transaction().execute(async (db) => {
    const row = await lockTemplate(db, organizationId, id);
    if (!row) throw new ApiError('not_found');
    const at = nextTimestamp(clock);
    const { id: _id, ...columns } = { ...row, name: name ?? copyName(row.name), created_at: at, updated_at: at };
    const copyId = await insertTemplate(db, columns);
    const poster = await readPosterRow(db, 'template_id', id);
    const its = { subject: 'template_id', id: copyId } as const;
    if (poster) await putPoster(db, context, its, poster.kind === 'chosen' ? 'chosen' : 'drawn', poster);
    const about = { entity_id: copyId, name: columns.name, after: columns, facts: { copied_from: row.id } };
    await recordChange(db, context, { action: 'create', entity: 'template', ...about });
    return copyId;
  });
}

/** Removes a template that nothing uses. @throws ApiError not_found, or in_use naming where */
export async function removeTemplate(context: CallContext, id: number): Promise<void> {
  const { organizationId, clock } = context;
  await context.db.transaction().execute(async (db) => {
    // The organization's settings name a template without the database watching over it.
    await lockOrganization(db, organizationId);
    const row = await lockTemplate(db, organizationId, id);
    if (!row) throw new ApiError('not_found');
    const uses = await usesOfTemplate(db, organizationId, row.id);
    if (uses.length > 0) throw new ApiError('in_use', { error: ['This template is still in use.', ...uses] });
    const about = { entity_id: row.id, name: row.name, before: row, isRestorable: true };
    const records = removedPosters(db, clock, 'template_id', row.id);
    await recordChange(db, context, { action: 'delete', entity: 'template', ...about, records });
    await deleteTemplate(db, row.id);
  });
}

/**
 * Changes a template.
 * @throws ApiError not_found, stale or invalid
 */
export async function updateTemplate(
  context: CallContext,
  id: number,
  body: z.output<typeof calls.templates.update.body>,
): Promise<void> {
  const { organizationId, clock } = context;
  const { updated_at, ...fields } = body;
  await context.db.transaction().execute(async (db) => {
    const row = await lockTemplate(db, organizationId, id);
    if (!row) throw new ApiError('not_found');
    refuseStale(row.updated_at, updated_at);
    const checked = templateFields.parse(mergeFields(templateFromRow(row, new Map()), fields));
    await checkTemplateFiles(db, organizationId, checked);
    await checkTemplateShell(db, organizationId, checked, row);
    const columns = rowFromTemplate(checked);
    await storeTemplate(db, row.id, { ...columns, updated_at: nextTimestamp(clock, row.updated_at) });
    const about = { entity_id: row.id, name: checked.name, before: row, after: { ...row, ...columns } };
    await recordChange(db, context, { action: 'update', entity: 'template', ...about });
  });
}
