import { cleanNow } from '../../core/files/workers/clean-ahead.ts';
import type { CallContext } from '../../core/http/call-context.ts';
import { changeRoomOf } from './change-room.ts';

/** Hides an element from visitors, or shows it to them again. @throws ApiError not_found */
export async function hideElement(context: CallContext, id: number, hidden: boolean): Promise<void> {
  await changeRoomOf(context, id, ({ commit }) =>
    commit([{ type: 'element.update', id, fields: { hidden } }], cleanNow),
  );
}
