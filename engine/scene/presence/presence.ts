import { addComponent, hasComponent, query, removeComponent } from 'bitecs';
import type { Element } from '../../document/element.ts';
import type { SceneWorld } from '../world.ts';

/** Seconds between two messages with the visitor's own position. */
const UPDATE_INTERVAL = 1;

/** Whose marker it is: its subject, its visitor, and the element whose subject it is. */
export interface MarkedVisitor {
  subject: string;
  ref: string;
  owner: number | undefined;
  name: string | undefined;
  tint: number | undefined;
}

/** What is known of other visitors' markers. */
export interface Presence {
  /** Ids of markers by subject and reference of their visitor. */
  readonly byKey: Map<string, number>;
  /** By id of the marker. */
  readonly byId: Map<number, MarkedVisitor>;
  /** Entities with a subject of their own, and whether some came or went since they were listed. */
  elements: readonly number[];
  stale: boolean;
  /** Whether markers have gone whose entities are still there. */
  gone: boolean;
  /** Room time of the last message; NaN before the first. */
  sentAt: number;
}

/** None yet. */
export function createPresence(): Presence {
  return { byKey: new Map(), byId: new Map(), elements: [], stale: false, gone: false, sentAt: Number.NaN };
}

/**
 * Subject under which positions travel: the room's, or that of an element with `realtime`.
 * @param elementId undefined for the room
 * @returns undefined where positions are not shown
 */
export function subjectOf(world: SceneWorld, elementId: number | undefined): string | undefined {
  if (!isShared(world, elementId)) return undefined;
  return isRoom(world, elementId) ? 'position' : `position_${elementId}`;
}

/** Whether a subject is the room's own: it names no element, or the room by its number. */
const isRoom = ({ room, byId }: SceneWorld, elementId: number | undefined): boolean =>
  elementId === undefined || (elementId === room.id && !byId.has(elementId));

/** Whether positions under the room's subject, or under that of an element, are shown. */
export function isShared(world: SceneWorld, elementId: number | undefined): boolean {
  if (isRoom(world, elementId)) return Boolean(world.room.config?.realtime);
  const entity = world.byId.get(elementId!);
  return entity !== undefined && hasComponent(world.ecs, entity, world.Realtime);
}

/** Takes from the document whether an element has a subject of its own. */
export function readRealtime({ ecs, presence, Realtime }: SceneWorld, entity: number, element: Element): void {
  const has = Boolean(element.config.realtime);
  if (has === hasComponent(ecs, entity, Realtime)) return;
  if (has) addComponent(ecs, entity, Realtime);
  else removeComponent(ecs, entity, Realtime);
  presence.stale = true;
}

/** Sends the visitor's own position every second, once the visitor has entered. */
export function presence(world: SceneWorld): void {
  const { presence, time, view } = world;
  if (presence.stale) {
    presence.elements = [...query(world.ecs, [world.Realtime])];
    presence.stale = false;
  }
  if (!world.entered || (!world.room.config?.realtime && presence.elements.length === 0)) return;
  const since = time - presence.sentAt;
  // Back in time, and for the first time, at once.
  if (since >= 0 && since < UPDATE_INTERVAL) return;
  presence.sentAt = time;
  const { x, y, z, axes } = view;
  // From what is to its right, which is level even where the visitor looks straight down.
  const heading = Math.atan2(0 - axes[2]!, axes[0]!);
  const send = (subject: string) => world.outbox.push({ type: 'presence.send', subject, x, y, z, heading });
  if (world.room.config?.realtime) send('position');
  for (const entity of presence.elements) {
    if (!world.Visibility.visible[entity]) continue;
    send(`position_${world.elements[entity]!.id}`);
  }
}
