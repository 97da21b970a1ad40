import { wakeMedia } from '../media/media-state.ts';
import { wakeSensor } from '../sensors/sensors.ts';
import type { SceneWorld } from '../world.ts';

/** Brings `visible` of an entity and of everything in it up to date, and says what came and what went. */
export function refreshVisibility(world: SceneWorld, entity: number): void {
  const { visible } = world.Visibility;
  const { entities, ends } = world.order;
  const first = world.ChildOf.rank[entity]!;
  const end = ends[first]!;
  for (let at = first; at < end; at++) {
    const each = entities[at]!;
    const now = visibleNow(world, each);
    if (now === visible[each]) {
      // What stays as it is leaves everything in it as it is.
      at = ends[at]! - 1;
      continue;
    }
    visible[each] = now;
    world.version++;
    wakeSensor(world, each, true);
    wakeMedia(world, each);
    world.Load.calmTill[each] = 0;
    world.outbox.push({
      type: now ? 'element.shown' : 'element.hidden',
      element_id: world.elements[each]!.id,
    });
  }
}

/** 1 when neither the document, nor its window, nor a group that holds it hides an entity; 0 otherwise. */
export function visibleNow({ Visibility, ChildOf }: SceneWorld, entity: number): 0 | 1 {
  const { hidden, open, visible } = Visibility;
  return open[entity] && !hidden[entity] && visible[ChildOf.parent[entity]!] ? 1 : 0;
}
