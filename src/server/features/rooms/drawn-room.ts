import { parseRoom, type Room } from '../../../../engine/document/room.ts';
import type { Database } from '../../core/db/database.ts';
import { findFiles } from '../media/queries.ts';
import type { Undrawn } from '../posters/poster-drawings.ts';
import { findTemplate, templateFileIds, templateFromRow } from '../templates/queries.ts';
import { publicRoom } from './public-room.ts';
import { readRoom } from './read-room.ts';
import { findRoom } from './rooms-repository.ts';

/** An empty room as a template makes it. */
async function roomOfTemplate(db: Database, organizationId: number, id: number): Promise<Room | null> {
  const row = await findTemplate(db, organizationId, id);
  if (!row) return null;
  const template = templateFromRow(row, await findFiles(db, organizationId, templateFileIds(row)));
  const { width, height, depth } = template;
  const { camera, animate } = template.config;
  const room = parseRoom({ id: 1, title: 'Template', width, height, depth, config: { camera, animate } });
  return { ...room, template_id: id, template };
}

/** What is drawn of a space or a template: as visitors get it, without what is hidden. Null where there is nothing to see. */
export async function drawnRoom(db: Database, { subject, id, organizationId }: Undrawn): Promise<Room | null> {
  if (subject === 'template_id') return roomOfTemplate(db, organizationId, id);
  const row = await findRoom(db, organizationId, id);
  if (!row) return null;
  const room = publicRoom(await readRoom(db, row));
  return room.elements.length === 0 && !room.template ? null : room;
}
