import type { SceneWorld } from '../world.ts';
import { growComponents } from './components.ts';

/** A bit per rank, plus one spare word so that a scan can start past the last rank. */
export const createMarks = (capacity: number) => new Int32Array((capacity >>> 5) + 2);

/** Grows every array indexed by entity so that the entity fits. */
export function reserve(world: SceneWorld, entity: number): void {
  if (entity < world.capacity) return;
  const to = Math.max(world.capacity * 2, entity + 1);
  const { Transform, WorldMatrix, ChildOf, Dirty, Size, Visibility, Window } = world;
  const { Proximity, Load, Media, Timed, Realtime, Pulse, Marker } = world;
  const moving = { Transform, WorldMatrix, ChildOf, Dirty, Size, Visibility, Window };
  growComponents({ ...moving, Proximity, Load, Media, Timed, Realtime, Pulse, Marker }, world.capacity, to);
  const grown = (old: Uint32Array) => {
    const bigger = new Uint32Array(to);
    bigger.set(old);
    return bigger;
  };
  world.order.entities = grown(world.order.entities);
  world.order.ends = grown(world.order.ends);
  world.moved.list = grown(world.moved.list);
  world.media.woken = grown(world.media.woken);
  world.media.startedAt = new Float64Array(to);
  const { dirty } = world.order;
  world.order.dirty = createMarks(to);
  world.order.dirty.set(dirty);
  world.capacity = to;
}
