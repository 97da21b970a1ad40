import type { Room } from '../../../../engine/document/room.ts';
import type { Database } from '../../core/db/database.ts';
import { findFiles } from '../media/queries.ts';
import { withFile } from '../rooms/element-row.ts';
import { fillLiveStreams } from '../rooms/fill-live-streams.ts';
import { findTemplate, templateFileIds, templateFromRow } from '../templates/queries.ts';

/** A document of a revision as a room is read: with its template, its files and their addresses, as they are today. */
export async function fillRoom(db: Database, organizationId: number, room: Room): Promise<Room> {
  const { config, template_id } = room;
  const template = template_id === null ? undefined : await findTemplate(db, organizationId, template_id);
  const ids = [config.realtime_file_id, ...room.elements.map(({ file_id }) => file_id)];
  const files = await findFiles(db, organizationId, [...ids, ...(template ? templateFileIds(template) : [])]);
  const marker = config.realtime_file_id === null ? null : (files.get(config.realtime_file_id) ?? null);
  const elements = room.elements.map((element) => withFile(element, files));
  return {
    ...room,
    config: { ...config, realtime_file: marker, ...(marker && { realtime_file_url: marker.url }) },
    template: template ? templateFromRow(template, files) : null,
    elements: await fillLiveStreams(db, organizationId, elements),
  };
}
