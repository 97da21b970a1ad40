import type { z } from 'zod';
import { mergeFields } from '../../../../engine/document/commands.ts';
import type { calls } from '../../../contract/calls.ts';
import { ApiError } from '../../../contract/errors.ts';
import { refuseStale } from '../../base/answers/stale.ts';
import { nextTimestamp } from '../../base/clock.ts';
import { cleanAhead, type HtmlCleaner } from '../../storage/workers/clean-ahead.ts';
import type { CallContext } from '../../store/call-context.ts';
import { recordChange } from '../../store/history/record-change.ts';
import { checkRoomReferences } from '../../store/rooms/create-room.ts';
import { columnsOfRoom, readRoomFields, roomFromRow } from '../../store/rooms/room-row.ts';
import { findRoom, lockRoom, type StoredRoom, updateRoom as storeRoom } from '../../store/rooms/rooms-repository.ts';

/**
 * Changes a space; its elements stay as they are.
 * @throws ApiError not_found, stale or invalid
 */
export async function updateRoom(
  context: CallContext,
  id: number,
  body: z.output<typeof calls.rooms.update.body>,
): Promise<void> {
  const { organizationId, clock, workers } = context;
  const { updated_at, ...changes } = body;
  const fieldsAfter = (row: StoredRoom, html: HtmlCleaner) =>
    readRoomFields(mergeFields(roomFromRow(row, new Map()), changes), html);
  const seen = await findRoom(context.db, organizationId, id);
  if (!seen) throw new ApiError('not_found');
  const html = await cleanAhead(workers, (html) => fieldsAfter(seen, html));
  await context.db.transaction().execute(async (db) => {
    const row = await lockRoom(db, organizationId, id);
    if (!row) throw new ApiError('not_found');
    refuseStale(row.updated_at, updated_at);
    const before = roomFromRow(row, new Map());
    const fields = fieldsAfter(row, html);
    await checkRoomReferences(db, organizationId, fields, before);
    const columns = columnsOfRoom(fields);
    await storeRoom(db, row.id, { ...columns, updated_at: nextTimestamp(clock, row.updated_at) });
    const about = { entity_id: row.id, room_id: row.id, name: fields.title };
    await recordChange(db, context, {
      action: 'update',
      entity: 'room',
      ...about,
      before: row,
      after: { ...row, ...columns },
    });
  });
}
