import type { Room } from '../../../../engine/document/room.ts';
import type { ChangeSide } from '../../../contract/entities.ts';
import { ApiError } from '../../../contract/errors.ts';
import { timestampOf } from '../../base/clock.ts';
import type { CallContext } from '../../store/call-context.ts';
import { elementFromRow } from '../../store/elements/element-row.ts';
import { treeOf } from '../../store/elements/tree.ts';
import { findChange, type StoredChange } from '../../store/history/changes-repository.ts';
import { RESTORABLE_FOR } from '../../store/history/sweep-changes.ts';
import { fillRoom } from '../../store/revisions/fill-room.ts';
import type { RemovedRoom } from '../../store/rooms/remove-room.ts';
import { roomAt } from '../../store/rooms/room-at.ts';
import { roomFromRow } from '../../store/rooms/room-row.ts';

/** A removed space, of what would bring it back. */
function removedRoom(content: string): Room {
  const { room, elements }: RemovedRoom = JSON.parse(content);
  const flat = elements.map((element) => elementFromRow(element, new Map()));
  return { ...roomFromRow(room, new Map()), template: null, elements: treeOf(flat) };
}

/** The document of a state; null where the space was not there, undefined where it is not known. */
async function documentOf(
  { db, organizationId }: CallContext,
  { entity, action, room_id, seq, content }: StoredChange,
  side: ChangeSide,
): Promise<Room | null | undefined> {
  if (entity === 'room' && action === 'delete') {
    if (side === 'after') return null;
    return content === null ? undefined : removedRoom(content);
  }
  if (seq === null || room_id === null) return undefined;
  const place = side === 'before' ? seq - 1 : seq;
  // The space as it was added is the first one.
  if (place < 0) return null;
  return (await roomAt(db, organizationId, room_id, place)) ?? undefined;
}

/**
 * The space before or after a change of it, or of one of its elements.
 * @returns null where it was not there
 * @throws ApiError not_found where the change is none of a space, or the state is no longer known
 */
export async function readRoomOf(context: CallContext, id: number, side: ChangeSide): Promise<Room | null> {
  const { db, clock, organizationId } = context;
  const change = await findChange(db, organizationId, id);
  if (!change) throw new ApiError('not_found');
  const isOver = change.at < timestampOf(clock.now() - RESTORABLE_FOR);
  const document = isOver ? undefined : await documentOf(context, change, side);
  if (document === undefined) throw new ApiError('not_found', 'How the space was then is no longer known.');
  return document && fillRoom(db, organizationId, document);
}
