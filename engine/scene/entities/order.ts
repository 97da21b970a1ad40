import type { Element } from '../../document/element.ts';
import { TRAITS } from '../../document/element-traits.ts';
import { markMoved, markTurned } from '../hierarchy/transform.ts';
import { readLimit } from '../sensors/sensors.ts';
import { refreshVisibility, visibleNow } from '../windows/visibility.ts';
import type { SceneWorld } from '../world.ts';
import { despawn, spawn } from './spawn.ts';
import { panoramaVideo, transientElementsIn } from './transient-elements.ts';

/** Differences found by `arrange`, each in document order. */
export interface Arrangement {
  added: number[];
  reparented: number[];
  /** Ids of elements whose entities were removed. */
  removed: number[];
}

/**
 * Reconciles entities with the document: spawns missing ones, despawns leftover ones, and ranks all (document and
 * transient elements) in pre-order. Invalid elements are skipped with their subtrees and reported.
 */
export function arrange(world: SceneWorld): Arrangement {
  const found: Arrangement = { added: [], reparented: [], removed: [] };
  const seen = new Set<number>();
  const waiting = world.order.entities
    .slice(0, world.order.count)
    .filter((_, rank) => world.order.dirty[rank >>> 5]! & (1 << rank));
  world.order.count = 0;
  place(world, world.room.elements, 0, seen, found);
  place(world, panoramaVideo(world), 0, seen, found);
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

/** Numbers elements in pre-order: a list in the order of its tree. */
function place(
  world: SceneWorld,
  elements: readonly Element[] | undefined,
  top: number,
  seen: Set<number>,
  found: Arrangement,
): void {
  /** The groups that contain the next element, with their entities, outermost first. */
  const open: { element: Element; entity: number }[] = [];
  const close = (): void => {
    const { element, entity } = open.pop()!;
    place(world, transientElementsIn(world, element), entity, seen, found);
    // Spawning may have replaced the arrays.
    world.order.ends[world.ChildOf.rank[entity]!] = world.order.count;
  };
  /** What cannot be played, with everything in it. */
  const left = new Set<number | null>();
  for (const element of elements ?? []) {
    const above = element?.parent_element_id ?? null;
    const known = world.byId.get(element?.id);
    const isLeft = left.has(above);
    const isTwice = known !== undefined && seen.has(known);
    if (isLeft || isTwice || !playable(element)) {
      if (!isLeft) refuseElement(world, element);
      if (element && !isTwice) left.add(element.id);
      continue;
    }
    if (top === 0) while (open.length > 0 && open.at(-1)!.element.id !== above) close();
    const parent = open.at(-1)?.entity ?? top;
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
    open.push({ element, entity });
    if (top !== 0) close();
  }
  while (open.length > 0) close();
}

const playable = (element: Element | null | undefined) =>
  typeof element?.id === 'number' &&
  Object.hasOwn(TRAITS, element.element) &&
  element.config !== null &&
  typeof element.config === 'object';

/** Reports an invalid element, once per id. */
function refuseElement(world: SceneWorld, element: Element | null | undefined): void {
  const id = typeof element?.id === 'number' ? element.id : 0;
  if (world.refused.has(id)) return;
  world.refused.add(id);
  world.outbox.push({ type: 'error', element_id: id, message: 'Invalid element' });
}
