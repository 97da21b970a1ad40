import type { Element } from '../../document/element.ts';
import { TRAITS } from '../../document/element-traits.ts';
import { markMoved, markTurned } from '../hierarchy/transform.ts';
import { readLimit } from '../sensors/sensors.ts';
import { refreshVisibility, visibleNow } from '../windows/visibility.ts';
import type { SceneWorld } from '../world.ts';
import { despawn, spawn } from './spawn.ts';
import { transientElementsIn } from './transient-elements.ts';

/** What `arrange` found that differs from the entities as they were, each in the order of the document. */
export interface Arrangement {
  added: number[];
  reparented: number[];
  /** Ids of elements whose entities are gone. */
  removed: number[];
}

/**
 * Brings the entities in line with the world's document: spawns those that are missing, drops those that are left
 * over, and numbers all in pre-order: the document's, and transient ones. Elements that cannot be played are left out with everything in them, and reported.
 */
export function arrange(world: SceneWorld): Arrangement {
  const found: Arrangement = { added: [], reparented: [], removed: [] };
  const seen = new Set<number>();
  const waiting = world.order.entities
    .slice(0, world.order.count)
    .filter((_, rank) => world.order.dirty[rank >>> 5]! & (1 << rank));
  world.order.count = 0;
  place(world, world.room.elements, 0, seen, found);
  place(world, world.transient.markers, 0, seen, found);
  for (const [id, entity] of world.byId) {
    if (seen.has(entity)) continue;
    found.removed.push(id);
    world.byId.delete(id);
    despawn(world, entity);
  }
  world.order.dirty.fill(0);
  for (const entity of waiting) if (world.elements[entity]) markMoved(world, entity);
  for (const entity of found.reparented) {
    markTurned(world, entity);
    refreshVisibility(world, entity);
  }
  for (const entity of found.added) {
    markTurned(world, entity);
    world.Visibility.visible[entity] = visibleNow(world, entity);
    readLimit(world, entity);
  }
  if (found.added.length > 0 || found.removed.length > 0) world.sensors.stale = true;
  return found;
}

function place(
  world: SceneWorld,
  elements: readonly Element[] | undefined,
  parent: number,
  seen: Set<number>,
  found: Arrangement,
): void {
  for (const element of elements ?? []) {
    const known = world.byId.get(element?.id);
    if (!playable(element) || (known !== undefined && seen.has(known))) {
      refuseElement(world, element);
      continue;
    }
    const entity = known ?? spawn(world, element);
    seen.add(entity);
    const { order, ChildOf } = world;
    const rank = order.count++;
    order.entities[rank] = entity;
    ChildOf.rank[entity] = rank;
    if (known === undefined) found.added.push(entity);
    else if (ChildOf.parent[entity] !== parent) found.reparented.push(entity);
    ChildOf.parent[entity] = parent;
    world.elements[entity] = element;
    place(world, element.children, entity, seen, found);
    place(world, transientElementsIn(world, element), entity, seen, found);
    // Spawning may have replaced the arrays.
    world.order.ends[rank] = world.order.count;
  }
}

const playable = (element: Element | null | undefined) =>
  typeof element?.id === 'number' &&
  Object.hasOwn(TRAITS, element.element) &&
  element.config !== null &&
  typeof element.config === 'object';

/** Says once for each element that it cannot be played. */
function refuseElement(world: SceneWorld, element: Element | null | undefined): void {
  const id = typeof element?.id === 'number' ? element.id : 0;
  if (world.refused.has(id)) return;
  world.refused.add(id);
  world.outbox.push({ type: 'error', element_id: id, message: 'Invalid element' });
}
