import type { z } from 'zod';
import type { calls } from '../../../contract/calls.ts';
import { ApiError } from '../../../contract/errors.ts';
import { refuseStale } from '../../base/answers/stale.ts';
import { isStamp } from '../../base/clock.ts';
import { cleanAhead } from '../../storage/workers/clean-ahead.ts';
import type { CallContext } from '../../store/call-context.ts';
import { changeRoom } from '../../store/rooms/change-room.ts';
import { checkRoomReferences } from '../../store/rooms/create-room.ts';
import { mayHaveNewSettings } from '../../store/rooms/log-repository.ts';
import { roomFromRow } from '../../store/rooms/room-row.ts';
import { findRoom } from '../../store/rooms/rooms-repository.ts';
import { editedRoom } from '../../store/rooms/settle-command.ts';

/**
 * Changes a space; its elements stay as they are.
 * @throws ApiError not_found, stale or invalid
 */
export async function updateRoom(
  context: CallContext,
  id: number,
  body: z.output<typeof calls.rooms.update.body>,
): Promise<void> {
  const { workers } = context;
  const { updated_at, ...fields } = body;
  const seen = await findRoom(context.db, context.organizationId, id);
  if (!seen) throw new ApiError('not_found');
  const before = { ...roomFromRow(seen, new Map()), template: null, elements: [] };
  const html = await cleanAhead(workers, (html) => editedRoom(before, fields, html));
  await changeRoom(context, id, async ({ db, row, room, commit }) => {
    // What others did to its elements meanwhile is not in the way of its settings.
    const isOlder = updated_at !== undefined && isStamp(updated_at) && updated_at < row.updated_at;
    if (!isOlder || (await mayHaveNewSettings(db, id, updated_at))) refuseStale(row.updated_at, updated_at);
    await checkRoomReferences(db, context.organizationId, editedRoom(room, fields, html), room);
    await commit([{ type: 'room.update', fields }], html);
  });
}
