import { ApiError } from '../../../contract/errors.ts';
import { lockOrganization } from '../../base/db/for-update.ts';
import { keepTemplate } from '../../store/bin/removed-rows.ts';
import type { CallContext } from '../../store/call-context.ts';
import { recordChange } from '../../store/history/record-change.ts';
import { deleteTemplate, lockTemplate, usesOfTemplate } from '../../store/templates/templates-repository.ts';

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
    const content = await keepTemplate(db, clock, row);
    await deleteTemplate(db, row.id);
    const about = { entity_id: row.id, name: row.name, before: row, content };
    await recordChange(db, context, { action: 'delete', entity: 'template', ...about });
  });
}
