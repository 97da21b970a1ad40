import type { Database } from '../../core/db/database.ts';

/** Elements that are shown or hidden at a time of day, at a fixed offset from UTC. */
const fixedTimes = (db: Database, organizationId: number) =>
  db
    .selectFrom('elements')
    .where('organization_id', '=', organizationId)
    .where((where) =>
      where.or([where('body', 'like', '%"start_time":"__:__"%'), where('body', 'like', '%"end_time":"__:__"%')]),
    )
    .where('body', 'not like', '%"time_zone":"%');

/** Ids of the rooms that hold elements with times at a fixed offset. */
export async function roomsWithFixedTimes(db: Database, organizationId: number): Promise<number[]> {
  const rows = await fixedTimes(db, organizationId).select('room_id').distinct().orderBy('room_id').execute();
  return rows.map(({ room_id }) => room_id);
}

/** Elements of some rooms with times at a fixed offset, `limit` at most. */
export async function elementsWithFixedTimes(
  db: Database,
  organizationId: number,
  roomIds: readonly number[],
  limit: number,
) {
  if (roomIds.length === 0) return [];
  return fixedTimes(db, organizationId)
    .where('room_id', 'in', roomIds)
    .where('hidden', '=', 0)
    .select(['id', 'room_id', 'element', 'name'])
    .orderBy('id')
    .limit(limit)
    .execute();
}
