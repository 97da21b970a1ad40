import { openDatabase } from '../../src/server/core/db/database.ts';

/** Rooms and elements that are there without the entry that was written with them, or the other way round. */
export async function halfMade(folder: string, url: string | undefined): Promise<string[]> {
  const db = openDatabase({ url, folder });
  try {
    const rooms = await db.selectFrom('rooms').select('id').execute();
    const noted = await db
      .selectFrom('changes')
      .select('entity_id')
      .where('entity', '=', 'room')
      .where('action', '=', 'create')
      .execute();
    const removed = await db
      .selectFrom('changes')
      .select('entity_id')
      .where('entity', '=', 'room')
      .where('action', '=', 'delete')
      .execute();
    const gone = new Set(removed.map(({ entity_id }) => entity_id));
    const wanted = new Set(noted.map(({ entity_id }) => entity_id).filter((id) => !gone.has(id)));
    const there = new Set(rooms.map(({ id }) => id));
    return [
      ...[...there].filter((id) => !wanted.has(id)).map((id) => `room ${id} has no entry`),
      ...[...wanted].filter((id) => !there.has(id)).map((id) => `room ${id} has an entry only`),
    ];
  } finally {
    await db.destroy();
  }
}
