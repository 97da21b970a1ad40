import type { PublicRoom } from '../../../contract/entities.ts';
import type { RoomBytes } from '../rooms/room-cache.ts';

const known = new WeakMap<Buffer, ReadonlySet<number>>();

type Branch = { id: number; children?: readonly Branch[] };

function* idsIn(elements: readonly Branch[]): Generator<number> {
  for (const { id, children } of elements) {
    yield id;
    if (children) yield* idsIn(children);
  }
}

/** Ids of the elements that visitors get with a room. They are read once for as long as its bytes are cached. */
export function shownElements({ bytes }: RoomBytes): ReadonlySet<number> {
  const found = known.get(bytes);
  if (found) return found;
  const { elements } = JSON.parse(`{${bytes}`) as PublicRoom;
  const ids = new Set(idsIn(elements));
  known.set(bytes, ids);
  return ids;
}
