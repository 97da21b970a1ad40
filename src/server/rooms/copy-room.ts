import { ApiError } from '../../contract/errors.ts';
import { nextStamp } from '../clock.ts';
import { storeElements } from '../elements/copy-elements.ts';
import { elementFromRow } from '../elements/element-row.ts';
import { listElements } from '../elements/elements-repository.ts';
import { remapRoomConfig } from '../elements/remap.ts';
import { inTreeOrder } from '../elements/tree.ts';
import type { Services } from '../services.ts';
import { columnsOfRoom, roomFromRow } from './room-row.ts';
import { insertRoom, lockRoom, updateRoom } from './rooms-repository.ts';

/** What a copy's title ends with. */
const SUFFIX = ' (copy)';
/** Most characters of a title. */
const LONGEST = 255;

const copyName = (name: string) => name.slice(0, LONGEST - SUFFIX.length).toWellFormed() + SUFFIX;

/**
 * Copies a room with its elements. Links and light targets inside it point into the copy.
 * @returns id of the copy
 * @throws ApiError not_found
 */
export async function copyRoom(
  { db: database, clock }: Pick<Services, 'db' | 'clock'>,
  organizationId: number,
  id: number,
): Promise<number> {
  return database.transaction().execute(async (db) => {
    const row = await lockRoom(db, organizationId, id);
    if (!row) throw new ApiError('not_found');
    const { id: _id, version: _version, ...room } = roomFromRow(row, new Map());
    const at = nextStamp(clock);
    const copy = { ...room, title: copyName(room.title), name: copyName(room.name) };
    const copyId = await insertRoom(db, {
      ...columnsOfRoom(copy),
      organization_id: organizationId,
      created_at: at,
      updated_at: at,
    });
    const rows = await listElements(db, row.id);
    const ranks = new Map(rows.map((element) => [element.id, element.order_rank]));
    const elements = inTreeOrder(rows).map((element) => elementFromRow(element, new Map()));
    const destination = { organizationId, roomId: copyId, at };
    const ids = await storeElements(db, destination, elements, (element) => ranks.get(element.id)!);
    await updateRoom(db, copyId, columnsOfRoom({ ...copy, config: remapRoomConfig(copy.config, ids) }));
    return copyId;
  });
}
