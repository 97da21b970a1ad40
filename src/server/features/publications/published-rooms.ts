import type { Room } from '../../../../engine/document/room.ts';
import type { Database } from '../../core/db/database.ts';
import { prepared } from '../../core/db/prepared.ts';
import { fillRoom } from '../revisions/fill-room.ts';
import type { RoomBytes, RoomCache, Side } from '../rooms/room-cache.ts';
import { readRevisionRoom } from './published-facts.ts';
import type { ShownState } from './shown-state.ts';

const versionQuery = prepared((db, organizationId: number, roomId: number, revisionId: number) =>
  db
    .selectFrom('publications')
    .innerJoin('rooms', 'rooms.id', 'publications.room_id')
    .leftJoin('templates', 'templates.id', 'publications.template_id')
    .select(['rooms.touches', 'templates.updated_at'])
    .where('publications.organization_id', '=', organizationId)
    .where('publications.room_id', '=', roomId)
    .where('publications.revision_id', '=', revisionId)
    .limit(1),
);

/** Names what a published revision is at the moment: the same as long as what it is filled with stays as it is. */
export async function publishedVersion(
  db: Database,
  organizationId: number,
  roomId: number,
  revisionId: number,
): Promise<string | undefined> {
  const [row] = await versionQuery(db, organizationId, roomId, revisionId);
  return row && `${row.touches} ${row.updated_at}`;
}

/** A published revision as a document: with its template, files and live streams as they are today. */
export async function readPublished(
  db: Database,
  organizationId: number,
  revisionId: number,
): Promise<Room | undefined> {
  const room = await readRevisionRoom(db, organizationId, revisionId);
  return room && fillRoom(db, organizationId, room);
}

/**
 * What visitors see of a room, as bytes. A revision never changes, so what is cached of a published one outlives every
 * edit of the room: only what it is filled with can make it read again.
 */
export async function findShownRoom(
  { db, roomCache }: { db: Database; roomCache: RoomCache },
  organizationId: number,
  { roomId, revisionId }: ShownState,
  side: Exclude<Side, 'admin'>,
): Promise<RoomBytes | undefined> {
  if (revisionId === null) return roomCache.find(db, organizationId, roomId, side);
  // The version is read before the document: what is cached under it can be newer than it, never older.
  const version = await publishedVersion(db, organizationId, roomId, revisionId);
  if (version === undefined) return undefined;
  return roomCache.findOther(`revision ${revisionId}`, version, side, () =>
    readPublished(db, organizationId, revisionId),
  );
}
