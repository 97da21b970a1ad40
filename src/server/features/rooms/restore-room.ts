import { remapRoomConfig } from '../../../../engine/document/remap.ts';
import type { RoomConfig } from '../../../../engine/document/room-config.ts';
import { ApiError } from '../../../contract/errors.ts';
import { recordChange } from '../../core/changes/record-change.ts';
import { nextTimestamp } from '../../core/clock.ts';
import type { Database } from '../../core/db/database.ts';
import { lockOrganization } from '../../core/db/for-update.ts';
import type { CallContext } from '../../core/http/call-context.ts';
import { findFiles } from '../media/queries.ts';
import { hasPosterFile } from '../posters/poster-files.ts';
import { putPoster } from '../posters/posters-repository.ts';
import { findTemplate } from '../templates/queries.ts';
import type { RemovedRoom } from './remove-room.ts';
import { putBack, type Restored } from './restore-elements.ts';
import { findRoom, insertRoom, updateRoom } from './rooms-repository.ts';

/** Points the structures that showed the room to it again, if they show nothing since. Gives those. */
async function pointBack(
  db: Database,
  { organizationId, clock }: CallContext,
  roomId: number,
  endpoints: readonly number[],
): Promise<number[]> {
  if (endpoints.length === 0) return [];
  const rows = await db
    .updateTable('endpoints')
    .set({ room_id: roomId, updated_at: nextTimestamp(clock) })
    .where('organization_id', '=', organizationId)
    .where('id', 'in', endpoints)
    .where('room_id', 'is', null)
    .returning('id')
    .execute();
  return rows.map(({ id }) => id);
}

/**
 * Restores a removed room with its elements, under the same ids. What it used and is gone is left out and named.
 * @throws ApiError invalid when it is there already
 */
export async function restoreRoom(db: Database, context: CallContext, content: RemovedRoom): Promise<Restored> {
  const { organizationId, clock } = context;
  const { room, elements, endpoints, files } = content;
  await lockOrganization(db, organizationId);
  if (await findRoom(db, organizationId, room.id)) throw new ApiError('invalid', 'This space is already there.');
  const missing: string[] = [];
  const template = room.template_id === null ? null : await findTemplate(db, organizationId, room.template_id);
  if (template === undefined) missing.push(`Template ${content.template ?? room.template_id}`);
  const config: RoomConfig = JSON.parse(room.config);
  const marker = config.realtime_file_id ?? null;
  if (marker !== null && !(await findFiles(db, organizationId, [marker])).has(marker)) {
    missing.push(`File ${files[marker] ?? marker}`);
    config.realtime_file_id = null;
  }
  await insertRoom(db, {
    ...room,
    template_id: template?.id ?? null,
    config: JSON.stringify(config),
    // Caches of the room have an earlier count.
    revision: room.revision + 1,
    touches: room.touches + 1,
    updated_at: nextTimestamp(clock, room.updated_at),
  });
  const { poster } = content;
  if (poster) {
    // One that was removed before 0.13.0 has no file.
    const { kind, file_id = null, small, large } = poster;
    const source = { file_id, small, large };
    const its = { subject: 'room_id', id: room.id } as const;
    if (file_id === null || (await hasPosterFile(db, organizationId, file_id)))
      await putPoster(db, context, its, kind === 'chosen' ? 'chosen' : 'drawn', source);
  }
  if (elements.length > 0) {
    const put = await putBack(db, context, elements, files);
    missing.push(...put.missing);
    if (put.ids.size > 0) await updateRoom(db, room.id, { config: JSON.stringify(remapRoomConfig(config, put.ids)) });
  }
  const endpoint_ids = await pointBack(db, context, room.id, endpoints);
  const after = {
    title: room.title,
    elements: elements.length,
    endpoint_ids,
    ...(missing.length > 0 && { missing: [...new Set(missing)] }),
  };
  const about = { entity_id: room.id, room_id: room.id, name: room.title, seq: room.seq };
  await recordChange(db, context, { action: 'restore', entity: 'room', ...about, after });
  return { id: room.id, roomId: room.id, missing: [...new Set(missing)] };
}
