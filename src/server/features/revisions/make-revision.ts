import type { Room } from '../../../../engine/document/room.ts';
import { MAX_REVISIONS, type RevisionKind } from '../../../contract/entities.ts';
import { ApiError } from '../../../contract/errors.ts';
import { nextTimestamp } from '../../core/clock.ts';
import type { Database } from '../../core/db/database.ts';
import type { CallContext } from '../../core/http/call-context.ts';
import { findFiles } from '../media/queries.ts';
import type { StoredRoom } from '../rooms/queries.ts';
import { fillLiveStreams } from '../rooms/read-room.ts';
import { withFile } from '../rooms/rows.ts';
import { findTemplate, templateFileIds, templateFromRow } from '../templates/queries.ts';
import { countNamed, forgetOldest, insertRevision, listRevisions, packRoom } from './queries.ts';

/** The document of a revision as a readable room: with its template, files and their current URLs. */
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

/**
 * Enforces the limit on named revisions of a space.
 * @throws ApiError invalid
 */
export async function checkNamed(db: Database, roomId: number): Promise<void> {
  if ((await countNamed(db, roomId)) >= MAX_REVISIONS.named)
    throw new ApiError('invalid', {
      name: [`A space can have at most ${MAX_REVISIONS.named} named revisions. Remove one first.`],
    });
}

/**
 * Saves a revision of a locked space.
 * @returns its id; that of the newest revision if an unnamed one would be identical
 * @throws ApiError invalid if there are too many named ones, too_large
 */
export async function makeRevision(
  db: Database,
  { organizationId, clock, user }: CallContext,
  row: StoredRoom,
  kind: RevisionKind,
  name = '',
): Promise<number> {
  const packed = await packRoom(db, row);
  const [newest] = await listRevisions(db, organizationId, row.id);
  if (kind === 'named') await checkNamed(db, row.id);
  else if (newest?.hash === packed.hash) return newest.id;
  const at = nextTimestamp(clock, newest?.created_at);
  const about = { organization_id: organizationId, room_id: row.id, user_id: user?.userId ?? null };
  const id = await insertRevision(db, { ...about, ...packed, kind, name, created_at: at, updated_at: at });
  if (kind !== 'named') await forgetOldest(db, row.id);
  return id;
}
