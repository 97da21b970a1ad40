import { cleanNow } from '../../core/files/workers/clean-ahead.ts';
import type { CallContext } from '../../core/http/call-context.ts';
import { changeRoomOf } from './change-room.ts';

/** Removes an element with everything below it; the change log keeps it for a while. @throws ApiError not_found */
export async function removeElement(context: CallContext, id: number): Promise<void> {
  await changeRoomOf(context, id, ({ commit }) => commit([{ type: 'element.remove', id }], cleanNow));
}
