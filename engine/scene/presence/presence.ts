import { addComponent, hasComponent, query, removeComponent } from 'bitecs';
import type { Element } from '../../document/element.ts';
import type { SceneWorld } from '../world.ts';

/** Seconds between two messages with the visitor's own position. */
const UPDATE_INTERVAL = 1;

/**
 * Subject for positions: the room's, or that of an element with `realtime`.
 * @param elementId undefined for the room
 * @returns undefined if positions aren't shared
 */
export function subjectOf(world: SceneWorld, elementId: number | undefined): string | undefined {
  if (!isShared(world, elementId)) return undefined;
  return isRoom(world, elementId) ? 'position' : `position_${elementId}`;
}

/** Whether the id refers to the room: undefined, or the room's own id. */
const isRoom = ({ room, byId }: SceneWorld, elementId: number | undefined): boolean =>
  elementId === undefined || (elementId === room.id && !byId.has(elementId));

/** Whether positions are shared under the subject of the room or of an element. */
export function isShared(world: SceneWorld, elementId: number | undefined): boolean {
  if (isRoom(world, elementId)) return Boolean(world.room.config?.realtime);
  const entity = world.byId.get(elementId!);
  return entity !== undefined && hasComponent(world.ecs, entity, world.Realtime);
}

/** Reads from the document whether an element has its own subject. */
export function readRealtime({ ecs, presence, Realtime }: SceneWorld, entity: number, element: Element): void {
  const has = Boolean(element.config.realtime);
  if (has === hasComponent(ecs, entity, Realtime)) return;
  if (has) addComponent(ecs, entity, Realtime);
  else removeComponent(ecs, entity, Realtime);
  presence.stale = true;
}

/** Sends the visitor's own position once a second after entering. */
export function presence(world: SceneWorld): void {
  const { presence, time, view } = world;
  if (presence.stale) {
    presence.elements = [...query(world.ecs, [world.Realtime])];
    presence.stale = false;
  }
  if (!world.entered || (!world.room.config?.realtime && presence.elements.length === 0)) return;
  const since = time - presence.sentAt;
  // Send immediately the first time and after going back in time.
  if (since >= 0 && since < UPDATE_INTERVAL) return;
  presence.sentAt = time;
  const { x, y, z, axes } = view;
  // Derived from the right axis, which is horizontal even if the visitor looks straight down.
  const heading = Math.atan2(0 - axes[2]!, axes[0]!);
  const send = (subject: string) => world.outbox.push({ type: 'presence.send', subject, x, y, z, heading });
  if (world.room.config?.realtime) send('position');
  for (const entity of presence.elements) {
    if (!world.Visibility.visible[entity]) continue;
    send(`position_${world.elements[entity]!.id}`);
  }
}
