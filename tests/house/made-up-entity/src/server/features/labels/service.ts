import type { z } from 'zod';
import type { calls } from '../../../contract/calls.ts';
import { MAX_LABELS } from '../../../contract/entities.ts';
import { ApiError } from '../../../contract/errors.ts';
import { lockOrganization } from '../../core/db/for-update.ts';
import type { CallContext } from '../../core/http/call-context.ts';
import { countLabels, type LabelRow, labelRows } from './queries.ts';

/** @throws ApiError quota at the limit */
export async function createLabel(
  context: CallContext,
  body: z.output<typeof calls.labels.create.body>,
): Promise<LabelRow> {
  const { organizationId } = context;
  return context.db.transaction().execute(async (db) => {
    await lockOrganization(db, organizationId);
    if ((await countLabels(db, organizationId)) >= MAX_LABELS)
      throw new ApiError('quota', `There are ${MAX_LABELS} labels already. Remove one first.`);
    return labelRows.create(db, context, body);
  });
}

/** @throws ApiError not_found or stale */
export async function updateLabel(
  context: CallContext,
  id: number,
  { updated_at: seen, ...fields }: z.output<typeof calls.labels.update.body>,
): Promise<LabelRow> {
  return context.db.transaction().execute((db) => labelRows.update(db, context, id, { seen, values: () => fields }));
}

/** @throws ApiError not_found */
export async function removeLabel(context: CallContext, id: number): Promise<void> {
  await context.db.transaction().execute((db) => labelRows.remove(db, context, id));
}
