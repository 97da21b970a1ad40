import type { Database } from '../../core/db/database.ts';
import { smallPosters } from '../posters/posters-repository.ts';

/** What lists say of a space besides its row. */
export interface RoomListFacts {
  /** Structures that show it. */
  usedIn: { id: number; name: string }[];
  /** When it or its elements were last changed, and by whom, as far as its log goes back. */
  edited: { at: string; by: string | null } | undefined;
  /** Address of its small poster. */
  poster: string | undefined;
}

/** What lists say of spaces besides their rows, by their ids. */
export async function roomListFacts(db: Database, ids: readonly number[]): Promise<ReadonlyMap<number, RoomListFacts>> {
  if (ids.length === 0) return new Map();
  const [shown, edits, posters] = await Promise.all([
    db.selectFrom('endpoints').select(['id', 'name', 'room_id', 'index']).where('room_id', 'in', ids).execute(),
    db
      .selectFrom('rooms')
      .innerJoin('room_commands', (join) =>
        join.onRef('room_commands.room_id', '=', 'rooms.id').onRef('room_commands.seq', '=', 'rooms.seq'),
      )
      .leftJoin('users', 'users.id', 'room_commands.user_id')
      .select(['rooms.id', 'room_commands.at'])
      .select(({ fn }) => fn.coalesce('users.name', 'room_commands.author_name').as('by'))
      .where('rooms.id', 'in', ids)
      .execute(),
    smallPosters(db, 'room_id', ids),
  ]);
  // A few for each space: no index would be worth their order.
  shown.sort(
    (one, other) =>
      Number(one.index > other.index) - Number(one.index < other.index) || Number(one.id) - Number(other.id),
  );
  const uses = Map.groupBy(shown, ({ room_id }) => Number(room_id));
  const last = new Map(edits.map(({ id, at, by }) => [Number(id), { at, by }]));
  return new Map(
    ids.map((id) => [
      id,
      {
        usedIn: (uses.get(id) ?? []).map(({ id, name }) => ({ id: Number(id), name })),
        edited: last.get(id),
        poster: posters.get(id),
      },
    ]),
  );
}
