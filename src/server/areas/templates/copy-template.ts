import { ApiError } from '../../../contract/errors.ts';
import { nextTimestamp } from '../../base/clock.ts';
import { copyName } from '../../base/copy-name.ts';
import type { CallContext } from '../../store/call-context.ts';
import { recordChange } from '../../store/history/record-change.ts';
import { putPoster, readPosterRow } from '../../store/posters/posters-repository.ts';
import { insertTemplate, lockTemplate } from '../../store/templates/templates-repository.ts';

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
