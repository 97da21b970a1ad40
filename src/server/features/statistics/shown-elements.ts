import { flatten } from '../../../../engine/document/tree.ts';
import type { PublicRoom } from '../../../contract/entities.ts';
import type { RoomBytes } from '../rooms/room-cache.ts';

const known = new WeakMap<Buffer, ReadonlySet<number>>();

/** Ids of the elements that visitors get with a room. They are read once for as long as its bytes are cached. */
export function shownElements({ bytes }: RoomBytes): ReadonlySet<number> {
  const found = known.get(bytes);
  if (found) return found;
  const { elements } = JSON.parse(`{${bytes}`) as PublicRoom;
  const ids = new Set(flatten(elements).map(({ id }) => id));
  known.set(bytes, ids);
  return ids;
}
