import type { z } from 'zod';
import { roomAlone } from '../../../../engine/document/commands-between.ts';
import { changedPaths } from '../../../../engine/document/field-paths.ts';
import type { calls } from '../../../contract/calls.ts';
import { ApiError } from '../../../contract/errors.ts';
import { cleanAhead } from '../../storage/workers/clean-ahead.ts';
import type { CallContext } from '../../store/call-context.ts';
import { changeRoom } from '../../store/rooms/change-room.ts';
import { checkRoomReferences } from '../../store/rooms/create-room.ts';
import { refuseOverwriting } from '../../store/rooms/refuse-overwriting.ts';
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
    const edited = editedRoom(room, fields, html);
    const paths = Object.keys(changedPaths(roomAlone(room), roomAlone(edited)));
    await refuseOverwriting(db, row, { id: null, current: row.updated_at, seen: updated_at, paths });
    await checkRoomReferences(db, context.organizationId, edited, room);
    await commit([{ type: 'room.update', fields }], html);
  });
}
