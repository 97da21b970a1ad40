import { nextTimestamp } from '../../base/clock.ts';
import type { CallContext } from '../../store/call-context.ts';
import { updateElement } from '../../store/elements/elements-repository.ts';
import { recordElement } from '../../store/elements/record-element.ts';
import { withElement } from '../../store/rooms/edit-elements.ts';

/** Hides an element from visitors, or shows it to them again. @throws ApiError not_found */
export async function hideElement(context: CallContext, id: number, hidden: number): Promise<void> {
  await withElement(context, id, async (db, row) => {
    await updateElement(db, row.id, { hidden, updated_at: nextTimestamp(context.clock, row.updated_at) });
    await recordElement(db, context, 'update', { before: row, after: { ...row, hidden } });
  });
}
