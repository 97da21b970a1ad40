import type { Room } from '../../../../engine/document/room.ts';
import { AREA_OF_CHANGED, type Change, type ChangedEntity, type ChangeSide } from '../../../contract/entities.ts';
import { ApiError } from '../../../contract/errors.ts';
import { timestampOf } from '../../base/clock.ts';
import type { Database } from '../../base/db/database.ts';
import { isKeptAsRows, type RestoredRows, restoreRows } from '../../store/bin/restore-rows.ts';
import type { CallContext } from '../../store/call-context.ts';
import { elementFromRow, liftRows } from '../../store/elements/element-row.ts';
import { findElement } from '../../store/elements/elements-repository.ts';
import { findChange, lockChange, type StoredChange, spendChange } from '../../store/history/changes-repository.ts';
import { RESTORABLE_FOR } from '../../store/history/sweep-changes.ts';
import { withinQuotas } from '../../store/quotas/quotas.ts';
import { fillRoom } from '../../store/revisions/fill-room.ts';
import type { RemovedRoom } from '../../store/rooms/remove-room.ts';
import { restoreBranch } from '../../store/rooms/restore-elements.ts';
import { restoreRoom } from '../../store/rooms/restore-room.ts';
import { roomAt } from '../../store/rooms/room-at.ts';
import { roomFromRow } from '../../store/rooms/room-row.ts';
import { findRoom } from '../../store/rooms/rooms-repository.ts';
import { restoreShares } from '../../store/shares/share-states.ts';
import { requireRight } from '../../store/users/rights.ts';

/** A removed space, of what would bring it back. */
function removedRoom(content: string): Room {
  const { room, elements }: RemovedRoom = JSON.parse(content);
  const flat = liftRows(elements).map((element) => elementFromRow(element, new Map()));
  return { ...roomFromRow(room, new Map()), template: null, elements: flat };
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

const THINGS: Partial<Record<ChangedEntity, string>> = {
  room: 'space',
  element: 'element',
  endpoint: 'structure',
  template: 'template',
  access_token: 'access token',
  live_stream: 'live stream',
  feed: 'feed',
  feed_item: 'message',
};

/** Says why an entry brings nothing back. */
async function refuse(db: Database, organizationId: number, row: StoredChange): Promise<never> {
  const thing = THINGS[row.entity as ChangedEntity];
  if (row.action !== 'delete' || !thing)
    throw new ApiError('invalid', 'Nothing was removed here that can be restored.');
  const find = { room: findRoom, element: findElement }[row.entity as string];
  if (await find?.(db, organizationId, row.entity_id)) throw new ApiError('invalid', `This ${thing} is already there.`);
  throw new ApiError(
    'invalid',
    `This ${thing} can no longer be restored from here. If it was removed again later, use the later entry.`,
  );
}

/** A message of a visitor, which is still where it was. */
async function restoreShare(
  db: Database,
  context: CallContext,
  { entity_id: id }: StoredChange,
): Promise<RestoredRows> {
  const { found } = await restoreShares(db, context, [id]);
  if (found === 0) throw new ApiError('invalid', 'Its feed is gone. Restore the feed first.');
  return { id, roomId: null, missing: [] };
}

/**
 * Brings back what an entry of the change log removed.
 * @throws ApiError not_found, forbidden, or invalid with the reason
 */
export async function restoreChange(
  context: CallContext,
  id: number,
): Promise<RestoredRows & { entity: Change['entity'] }> {
  const { organizationId, clock, user } = context;
  const { done, ...restored } = await withinQuotas(context, ['spaces', 'structures', 'tokens'], async (db) => {
    const row = await lockChange(db, organizationId, id);
    if (!row) throw new ApiError('not_found');
    const isOver = row.at < timestampOf(clock.now() - RESTORABLE_FOR);
    if (row.content === null || row.is_restorable === 0 || isOver) return refuse(db, organizationId, row);
    const content = JSON.parse(row.content);
    const entity = row.entity as Change['entity'];
    requireRight(context, AREA_OF_CHANGED[entity], 'create');
    // An element changes a space that is there; who may only add spaces may not.
    if (entity === 'element' && !user?.policies.rooms.update) throw new ApiError('forbidden');
    const { done, ...restored } =
      entity === 'feed_item'
        ? { ...(await restoreShare(db, context, row)), done: () => undefined }
        : isKeptAsRows(entity)
          ? { ...(await restoreRows(db, context, { entity, name: row.name }, content)), done: () => undefined }
          : entity === 'room'
            ? { ...(await restoreRoom(db, context, content)), done: () => undefined }
            : await restoreBranch(db, context, content);
    await spendChange(db, row.id);
    return { ...restored, entity, done };
  });
  done();
  return restored;
}
