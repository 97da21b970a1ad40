import { cleanNow } from '../../storage/workers/clean-ahead.ts';
import type { CallContext } from '../../store/call-context.ts';
import { changeRoomOf } from '../../store/rooms/change-room.ts';

/** Hides an element from visitors, or shows it to them again. @throws ApiError not_found */
export async function hideElement(context: CallContext, id: number, hidden: boolean): Promise<void> {
  await changeRoomOf(context, id, ({ commit }) =>
    commit([{ type: 'element.update', id, fields: { hidden } }], cleanNow),
  );
}
