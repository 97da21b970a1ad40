import { differences, sentenceOf } from '../../../../engine/document/difference.ts';
import { MOST_CHANGES_TOLD, type Publication, type PublicationEntry } from '../../../contract/entities.ts';
import { ApiError } from '../../../contract/errors.ts';
import { timestampOf } from '../../base/clock.ts';
import type { CallContext } from '../../store/call-context.ts';
import { authorOf } from '../../store/history/author-of.ts';
import { type ListedPublication, listPublications } from '../../store/publications/publications-repository.ts';
import { readPublished } from '../../store/publications/published-rooms.ts';
import { readRoom } from '../../store/rooms/read-room.ts';
import { findRoom, type StoredRoom } from '../../store/rooms/rooms-repository.ts';

function entryOf(row: ListedPublication | undefined): PublicationEntry | null {
  if (!row || row.revision_id === null) return null;
  return {
    id: row.id,
    revision_id: row.revision_id,
    revision_name: row.revision_name ?? '',
    revision_at: row.revision_at ?? row.at,
    at: row.at,
    zone: row.zone,
    user: authorOf(row),
  };
}

/** How a space differs from a revision, as sentences. */
async function changesSince(
  { db, organizationId }: CallContext,
  room: StoredRoom,
  revisionId: number,
): Promise<string[]> {
  const published = await readPublished(db, organizationId, revisionId);
  return published ? differences(published, await readRoom(db, room)).map(sentenceOf) : [];
}

/** What is published and scheduled of a space now, whether or not what is due has been done. @throws ApiError not_found */
export async function readPublication(context: CallContext, roomId: number): Promise<Publication> {
  const { db, organizationId, clock } = context;
  const room = await findRoom(db, organizationId, roomId);
  if (!room) throw new ApiError('not_found');
  const now = timestampOf(clock.now());
  const rows = await listPublications(db, organizationId, roomId);
  const isAhead = ({ is_scheduled, at }: ListedPublication) => is_scheduled === 1 && at > now;
  const [current, ...earlier] = rows.filter((row) => !isAhead(row));
  const published = entryOf(current);
  const changes = published ? await changesSince(context, room, published.revision_id) : [];
  return {
    room_id: room.id,
    published,
    scheduled: entryOf(rows.find(isAhead)),
    past: earlier.flatMap((row) => entryOf(row) ?? []),
    changes: changes.slice(0, MOST_CHANGES_TOLD),
    changes_count: changes.length,
  };
}
