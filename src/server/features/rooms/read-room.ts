import { DAY } from '../../../../engine/document/constants.ts';
import type { Room } from '../../../../engine/document/room.ts';
import type { Clock } from '../../core/clock.ts';
import type { Database } from '../../core/db/database.ts';
import { findRoomFiles } from '../media/queries.ts';
import { findTemplate, templateFileIds, templateFromRow } from '../templates/queries.ts';
import { elementFromRow } from './element-row.ts';
import { listElements } from './elements-repository.ts';
import { fillLiveStreams } from './fill-live-streams.ts';
import { roomFromRow } from './room-row.ts';
import type { StoredRoom } from './rooms-repository.ts';

/** A stored room as a document: its elements, its template, and every file with its address. */
export async function readRoom(db: Database, row: StoredRoom): Promise<Room> {
  const { organization_id, template_id } = row;
  const template = template_id === null ? undefined : await findTemplate(db, organization_id, template_id);
  const files = await findRoomFiles(db, organization_id, row.id, [
    ...(template ? templateFileIds(template) : []),
    JSON.parse(row.config).realtime_file_id,
  ]);
  const flat = (await listElements(db, row.id)).map((element) => elementFromRow(element, files));
  return {
    ...roomFromRow(row, files),
    template: template ? templateFromRow(template, files) : null,
    elements: await fillLiveStreams(db, organization_id, flat),
  };
}

/** The clock that travels with a room: now, and the edges of the day, in seconds since 1970. */
export function timestamps(clock: Clock): Record<`timestamp_${'current' | 'start_of_day' | 'end_of_day'}`, number> {
  const current = clock.now() / 1000;
  const start = Math.floor(current / DAY) * DAY;
  return { timestamp_current: current, timestamp_start_of_day: start, timestamp_end_of_day: start + DAY };
}
