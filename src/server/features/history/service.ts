import type { Room } from '../../../../engine/document/room.ts';
import { AREA_OF_CHANGED, type ChangedEntity, type ChangeSide } from '../../../contract/entities.ts';
import { ApiError } from '../../../contract/errors.ts';
import { findChange, lockChange, RESTORABLE_FOR, type StoredChange } from '../../core/changes/change-log.ts';
import { recordChange } from '../../core/changes/record-change.ts';
import { listRecords, readRecord } from '../../core/changes/records.ts';
import { hasRecords } from '../../core/changes/revert.ts';
import { timestampOf } from '../../core/clock.ts';
import type { Database } from '../../core/db/database.ts';
import { lockOrganization } from '../../core/db/for-update.ts';
import type { CallContext, SignedInContext } from '../../core/http/call-context.ts';
import { withinQuotas } from '../../core/limits/quotas.ts';
import { isPlacesUpdate, undoPlacesUpdate } from '../blocks/update-places.ts';
import { revertBatch } from '../reverting/kinds.ts';
import { fillRoom } from '../revisions/make-revision.ts';
import { findElement } from '../rooms/elements-repository.ts';
import { findRoom } from '../rooms/queries.ts';
import { roomAt } from '../rooms/read-room.ts';
import { type RemovedRoom, roomOfRows } from '../rooms/remove-room.ts';
import { isTranslationEntry, undoTranslations } from '../translation-files/undo.ts';
import { requireRight } from '../users/rights.ts';

/** The document at a side of a change; null if the space did not exist, undefined if it is unknown. */
async function documentOf(
  { db, organizationId }: CallContext,
  { id, entity, action, room_id, seq }: StoredChange,
  side: ChangeSide,
): Promise<Room | null | undefined> {
  if (entity === 'room' && action === 'delete') {
    if (side === 'after') return null;
    for await (const head of listRecords(db, organizationId, { entry: id })) {
      if (head.kind !== 'rooms') continue;
      const { content } = await readRecord(db, head);
      return roomOfRows(content as typeof content & RemovedRoom);
    }
    return undefined;
  }
  if (seq === null || room_id === null) return undefined;
  const place = side === 'before' ? seq - 1 : seq;
  // The space as it was added is the first state.
  if (place < 0) return null;
  return (await roomAt(db, organizationId, room_id, place)) ?? undefined;
}

/**
 * Reads the space before or after a change of it or of one of its elements.
 * @returns null if it did not exist
 * @throws ApiError not_found if the change is not of a space, or the state is no longer stored
 */
export async function readRoomOf(context: CallContext, id: number, side: ChangeSide): Promise<Room | null> {
  const { db, clock, organizationId } = context;
  const change = await findChange(db, organizationId, id);
  if (!change) throw new ApiError('not_found');
  const isOver = change.at < timestampOf(clock.now() - RESTORABLE_FOR);
  const document = isOver ? undefined : await documentOf(context, change, side);
  if (document === undefined)
    throw new ApiError('not_found', 'The previous state of the space is no longer available.');
  return document && fillRoom(db, organizationId, document);
}

const THINGS: Partial<Record<ChangedEntity, string>> = {
  room: 'space',
  element: 'element',
  endpoint: 'structure',
  template: 'template',
  block: 'block',
  access_token: 'access token',
  live_stream: 'live stream',
  feed: 'feed',
  feed_item: 'message',
};

/** Throws the reason why an entry can't be restored. */
async function refuse(db: Database, organizationId: number, row: StoredChange): Promise<never> {
  const thing = THINGS[row.entity as ChangedEntity];
  if (row.action !== 'delete' || !thing) throw new ApiError('invalid', 'This entry has nothing to restore.');
  const find = { room: findRoom, element: findElement }[row.entity as string];
  if (await find?.(db, organizationId, row.entity_id)) throw new ApiError('invalid', `This ${thing} already exists.`);
  throw new ApiError(
    'invalid',
    `This ${thing} can't be restored from this entry. If it was removed again later, use the later entry.`,
  );
}

/**
 * Undoes an update of an access token.
 * @throws ApiError invalid if it was undone already; stale if the token has changed since
 */
async function undoUpdate(db: Database, context: SignedInContext, row: StoredChange) {
  const { organizationId } = context;
  const { id, entity_id, name, batch } = row;
  if (batch === null || !(await hasRecords(db, organizationId, { batch }))) return refuse(db, organizationId, row);
  const entity = row.entity as ChangedEntity;
  const { missing, done } = await revertBatch(
    db,
    context,
    { batch },
    {
      onChanged: 'refuse',
      note: (_record, of) =>
        recordChange(db, context, { action: 'restore', entity: of, entity_id, name, facts: { undone: id } }),
    },
  );
  return { entity, id: entity_id, roomId: null, missing, done };
}

/**
 * Restores the removed entity of a change log entry, or undoes a change of an access token, of translations, or an update of a
 * block's places.
 * @throws ApiError not_found, forbidden, or invalid with the reason
 */
export async function restoreChange(
  context: SignedInContext,
  id: number,
): Promise<{ entity: ChangedEntity; id: number; roomId: number | null; missing: string[] }> {
  const { organizationId, clock, user } = context;
  const { done, ...restored } = await withinQuotas(context, ['spaces', 'structures', 'tokens'], async (db) => {
    await lockOrganization(db, organizationId);
    const row = await lockChange(db, organizationId, id);
    if (!row) throw new ApiError('not_found');
    const isOver = row.at < timestampOf(clock.now() - RESTORABLE_FOR);
    if (row.entity === 'access_token' && row.action === 'update' && !isOver) return undoUpdate(db, context, row);
    if (isPlacesUpdate(row) && !isOver) {
      requireRight(context, 'rooms', 'update');
      const undone = await undoPlacesUpdate(db, context, row);
      return { entity: 'room' as ChangedEntity, id: row.entity_id, roomId: row.entity_id, ...undone };
    }
    if (isTranslationEntry(row) && !isOver) {
      await undoTranslations(db, context, row);
      const { entity_id, room_id: roomId } = row;
      return { entity: row.entity as ChangedEntity, id: entity_id, roomId, missing: [], done: () => {} };
    }
    if (row.is_restorable === 0 || isOver) return refuse(db, organizationId, row);
    const entity = row.entity as ChangedEntity;
    requireRight(context, AREA_OF_CHANGED[entity], 'create');
    // Restoring an element edits its space; the right to add spaces isn't enough.
    if (entity === 'element' && !user.policies.rooms.update) throw new ApiError('forbidden');
    let count = 0;
    const reverted = await revertBatch(
      db,
      context,
      { entry: id },
      {
        onChanged: 'skip',
        note: async (_record, of, done) => {
          if (of === entity) count += done;
        },
      },
    );
    const { missing, restored = { id: row.entity_id, roomId: null }, done } = reverted;
    const about = { entity_id: row.entity_id, room_id: restored.roomId, name: row.name };
    const facts = { restored: count, ...(missing.length > 0 && { missing }) };
    if (count > 0) await recordChange(db, context, { action: 'restore', entity, ...about, facts });
    return { ...restored, entity, missing, done };
  });
  done();
  return restored;
}
