import type { z } from 'zod';
import { mergeFields } from '../../../../engine/document/commands.ts';
import type { calls } from '../../../contract/calls.ts';
import { ApiError } from '../../../contract/errors.ts';
import { refuseStale } from '../../base/answers/stale.ts';
import { nextTimestamp } from '../../base/clock.ts';
import type { CallContext } from '../../store/call-context.ts';
import { recordChange } from '../../store/history/record-change.ts';
import { checkTemplateFiles, checkTemplateShell } from '../../store/templates/create-template.ts';
import { rowFromTemplate, templateFields, templateFromRow } from '../../store/templates/template-row.ts';
import { lockTemplate, updateTemplate as storeTemplate } from '../../store/templates/templates-repository.ts';

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
