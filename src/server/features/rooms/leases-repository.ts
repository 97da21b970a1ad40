import { type Clock, timestampOf } from '../../core/clock.ts';
import type { Database } from '../../core/db/database.ts';
import { takeIds } from '../../core/db/reserve-ids.ts';

interface Owner {
  clock: Clock;
  organizationId: number;
}

/** Ids in as few ranges as can be. */
function rangesOf(ids: readonly number[]): { first: number; last: number }[] {
  const ranges: { first: number; last: number }[] = [];
  for (const id of ids.toSorted((a, b) => a - b)) {
    const range = ranges.at(-1);
    if (range && range.last === id - 1) range.last = id;
    else ranges.push({ first: id, last: id });
  }
  return ranges;
}

/** Ranges that one statement writes. */
const RANGES_PER_STATEMENT = 1000;

/** Notes that elements of a room may have ids: that are new, or that its elements had before they went. */
export async function grantIds(
  db: Database,
  { clock, organizationId }: Owner,
  roomId: number,
  client: string,
  ids: readonly number[],
): Promise<void> {
  const at = timestampOf(clock.now());
  const rows = rangesOf(ids).map((range) => ({
    room_id: roomId,
    organization_id: organizationId,
    client,
    at,
    ...range,
  }));
  for (let start = 0; start < rows.length; start += RANGES_PER_STATEMENT)
    await db
      .insertInto('element_leases')
      .values(rows.slice(start, start + RANGES_PER_STATEMENT))
      .execute();
}

/** Gives a program ids for elements that it will add to a room: nothing else ever gets them. */
export async function leaseIds(
  db: Database,
  owner: Owner,
  roomId: number,
  client: string,
  count: number,
): Promise<number[]> {
  if (count === 0) return [];
  const ids = await takeIds(db, 'elements', count);
  await grantIds(db, owner, roomId, client, ids);
  return ids;
}

/**
 * The first of these ids that elements of a room may not have; undefined where they may have all. Those that are there may
 * come back in the call that removes them.
 */
export async function findForeignId(db: Database, roomId: number, ids: readonly number[]): Promise<number | undefined> {
  if (ids.length === 0) return undefined;
  const ranges = await db
    .selectFrom('element_leases')
    .select(['first', 'last'])
    .where('room_id', '=', roomId)
    .where('last', '>=', Math.min(...ids))
    .where('first', '<=', Math.max(...ids))
    .execute();
  const others = ids.filter((id) => !ranges.some(({ first, last }) => first <= id && id <= last));
  if (others.length === 0) return undefined;
  const there = await db
    .selectFrom('elements')
    .select('id')
    .where('room_id', '=', roomId)
    .where('id', 'in', others)
    .execute();
  return others.find((id) => !there.some((row) => row.id === id));
}

/** Forgets ids that were given long ago. */
export async function deleteLeasesBefore(db: Database, before: string): Promise<void> {
  await db.deleteFrom('element_leases').where('at', '<', before).execute();
}
