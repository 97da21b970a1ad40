import { wakeMedia } from '../media/media-state.ts';
import { wakeSensor } from '../sensors/sensors.ts';
import type { SceneWorld } from '../world.ts';

/** Updates `visible` of an entity and its subtree, and emits the changes. */
export function refreshVisibility(world: SceneWorld, entity: number): void {
  const { visible } = world.Visibility;
  const { entities, ends } = world.order;
  const first = world.ChildOf.rank[entity]!;
  const end = ends[first]!;
  for (let at = first; at < end; at++) {
    const each = entities[at]!;
    const now = visibleNow(world, each);
    if (now === visible[each]) {
      // An unchanged entity leaves its whole subtree unchanged.
      at = ends[at]! - 1;
      continue;
    }
    visible[each] = now;
    world.version++;
    wakeSensor(world, each);
    wakeMedia(world, each);
    world.Load.calmTill[each] = 0;
    world.outbox.push({
      type: now ? 'element.shown' : 'element.hidden',
      element_id: world.elements[each]!.id,
    });
  }
}

/** 1 if neither the document, its window, the current view point nor an ancestor group hides the entity; 0 otherwise. */
export function visibleNow({ Visibility, ChildOf }: SceneWorld, entity: number): 0 | 1 {
  const { hidden, open, here, visible } = Visibility;
  return open[entity] && here[entity] && !hidden[entity] && visible[ChildOf.parent[entity]!] ? 1 : 0;
}
