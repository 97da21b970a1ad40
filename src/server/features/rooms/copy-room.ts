import { remapRoomConfig } from '../../../../engine/document/remap.ts';
import { ApiError } from '../../../contract/errors.ts';
import { recordChange } from '../../core/changes/record-change.ts';
import { nextTimestamp } from '../../core/clock.ts';
import { copyName } from '../../core/copy-name.ts';
import type { CallContext } from '../../core/http/call-context.ts';
import { withinQuotas } from '../../core/limits/quotas.ts';
import { putPoster, readPosterRow } from '../posters/posters-repository.ts';
import { storeElements } from './copy-elements.ts';
import { elementFromRow } from './element-row.ts';
import { listElements } from './elements-repository.ts';
import { columnsOfRoom, roomFromRow } from './room-row.ts';
import { insertRoom, lockRoom, updateRoom } from './rooms-repository.ts';

/**
 * Copies a room with its elements. Links and light targets inside it point into the copy.
 * @returns id of the copy
 * @throws ApiError not_found
 */
export async function copyRoom(context: CallContext, id: number): Promise<number> {
  const { organizationId, clock } = context;
  return withinQuotas(context, ['spaces'], async (db) => {
    const row = await lockRoom(db, organizationId, id);
    if (!row) throw new ApiError('not_found');
    const { id: _id, version: _version, ...room } = roomFromRow(row, new Map());
    const at = nextTimestamp(clock);
    const copy = { ...room, title: copyName(room.title), name: copyName(room.name) };
    const copyId = await insertRoom(db, {
      ...columnsOfRoom(copy),
      organization_id: organizationId,
      created_at: at,
      updated_at: at,
    });
    const rows = await listElements(db, row.id);
    const elements = rows.map((element) => elementFromRow(element, new Map()));
    const destination = { organizationId, roomId: copyId, at };
    const ids = await storeElements(db, destination, elements);
    const columns = columnsOfRoom({ ...copy, config: remapRoomConfig(copy.config, ids) });
    await updateRoom(db, copyId, columns);
    const poster = await readPosterRow(db, 'room_id', row.id);
    const its = { subject: 'room_id', id: copyId } as const;
    if (poster) await putPoster(db, context, its, poster.kind === 'chosen' ? 'chosen' : 'drawn', poster);
    // The elements are those of the original: only their number is noted.
    await recordChange(db, context, {
      action: 'create',
      entity: 'room',
      entity_id: copyId,
      room_id: copyId,
      name: copy.title,
      seq: 0,
      after: { ...columns, copied_from: row.id, elements: elements.length },
    });
    return copyId;
  });
}
