import { addComponent } from 'bitecs';
import { announce, markerElement, takeId } from '../entities/guests.ts';
import { arrange } from '../entities/order.ts';
import { markMoved } from '../hierarchy/transform.ts';
import { isShared, subjectOf } from '../presence/presence.ts';
import type { TickInput } from '../tick-input.ts';
import type { VisitorInput } from '../visitor-input.ts';
import type { SceneWorld } from '../world.ts';

/** Seconds in which a marker glides to where its visitor was last seen. */
const TWEEN = 0.95;
/** Seconds after which a visitor who is not seen any more is gone, and a margin for what comes late. */
const UNSEEN = 4;
const MARGIN = 1;
/** Most markers in one room; who comes behind them has none. */
const MAX_MARKERS = 1000;

type Seen = Extract<VisitorInput, { type: 'presence' }>;

/** Another visitor, under one subject. */
export interface MarkerState {
  subject: string;
  ref: string;
  /** Where its marker is, in units of the room. */
  x: number;
  y: number;
  z: number;
}

/**
 * Markers of other visitors: they come with the first position, glide from each to the next, and go when their visitor
 * was not seen for a while. It stands before `hierarchy`, so that a marker is where the time of this tick has it.
 */
export function markers(world: SceneWorld, { input }: TickInput): void {
  const { presence } = world;
  if (input) {
    admit(world, input);
    for (const each of input) if (each.type === 'presence') see(world, each);
  }
  if (presence.byId.size === 0) return;
  const { guests, time, Marker } = world;
  const list = guests.markers;
  for (let index = list.length - 1; index >= 0; index--) {
    const { id } = list[index];
    const entity = world.byId.get(id)!;
    // Back before it was seen: that was now.
    if (time < Marker.seen[entity]) Marker.seen[entity] = time;
    if (time - Marker.seen[entity] < UNSEEN + MARGIN && isShared(world, presence.byId.get(id)!.owner))
      glide(world, entity);
    else leave(world, index);
  }
  if (presence.gone) {
    announce(world, arrange(world));
    presence.gone = false;
  }
}

function keyOf(subject: string, ref: string): string {
  return `${subject}/${ref}`;
}

const isPlace = ({ x, y, z }: Seen) => Number.isFinite(x) && Number.isFinite(y) && Number.isFinite(z);

/** Makes markers of those who are seen for the first time: all at once, since each arrangement walks the whole room. */
function admit(world: SceneWorld, input: readonly VisitorInput[]): void {
  const { presence, guests } = world;
  const newcomers: Seen[] = [];
  for (const each of input) {
    if (each.type !== 'presence' || each.ref === world.visitor || !isPlace(each)) continue;
    const subject = subjectOf(world, each.element_id);
    if (subject === undefined || presence.byKey.has(keyOf(subject, each.ref))) continue;
    if (guests.markers.length >= MAX_MARKERS) break;
    const id = takeId(guests);
    guests.markers.push(markerElement(id, each.ref));
    presence.byKey.set(keyOf(subject, each.ref), id);
    presence.byId.set(id, { subject, ref: each.ref, owner: each.element_id });
    newcomers.push(each);
  }
  if (newcomers.length === 0) return;
  arrange(world);
  for (const { ref, element_id, x, y, z } of newcomers) {
    const subject = subjectOf(world, element_id)!;
    const id = presence.byKey.get(keyOf(subject, ref))!;
    const entity = world.byId.get(id)!;
    addComponent(world.ecs, entity, world.Marker);
    world.Marker.begun[entity] = Number.NEGATIVE_INFINITY;
    put(world, entity, x, y, z);
    world.outbox.push({ type: 'marker.added', element_id: id, subject, ref });
  }
}

function see(world: SceneWorld, seen: Seen): void {
  const { presence, Marker, time } = world;
  const { ref, x, y, z, element_id } = seen;
  const subject = subjectOf(world, element_id);
  const id = subject === undefined ? undefined : presence.byKey.get(keyOf(subject, ref));
  if (id === undefined || !isPlace(seen)) return;
  const entity = world.byId.get(id)!;
  const { position } = world.Transform;
  place(world, entity);
  for (let axis = 0; axis < 3; axis++) Marker.from[entity * 3 + axis] = position[entity * 3 + axis];
  Marker.to[entity * 3] = x;
  Marker.to[entity * 3 + 1] = y;
  Marker.to[entity * 3 + 2] = z;
  Marker.begun[entity] = time;
  Marker.seen[entity] = time;
}

function put({ Marker, Transform }: SceneWorld, entity: number, x: number, y: number, z: number): void {
  for (const array of [Marker.from, Marker.to, Transform.position]) {
    array[entity * 3] = x;
    array[entity * 3 + 1] = y;
    array[entity * 3 + 2] = z;
  }
}

/** Puts a marker where it is at this time. */
function place({ Marker, Transform, time }: SceneWorld, entity: number): void {
  const part = Math.min(Math.max(0, (time - Marker.begun[entity]) / TWEEN), 1);
  for (let at = entity * 3; at < entity * 3 + 3; at++)
    Transform.position[at] = part === 1 ? Marker.to[at] : Marker.from[at] + (Marker.to[at] - Marker.from[at]) * part;
}

function glide(world: SceneWorld, entity: number): void {
  const { Transform } = world;
  const at = entity * 3;
  const { position } = Transform;
  const x = position[at];
  const y = position[at + 1];
  const z = position[at + 2];
  place(world, entity);
  if (position[at] !== x || position[at + 1] !== y || position[at + 2] !== z) markMoved(world, entity);
}

function leave(world: SceneWorld, index: number): void {
  const { presence, guests, outbox } = world;
  const [{ id }] = guests.markers.splice(index, 1);
  const { subject, ref } = presence.byId.get(id)!;
  presence.byKey.delete(keyOf(subject, ref));
  outbox.push({ type: 'marker.removed', element_id: id, subject, ref });
  presence.gone = true;
}

/** Every marker as it is after a tick, in the order in which they came. */
export function readMarkers(world: SceneWorld): MarkerState[] {
  return world.guests.markers.map(({ id }) => {
    const { subject, ref } = world.presence.byId.get(id)!;
    const at = world.byId.get(id)! * 3;
    const { position } = world.WorldMatrix;
    return { subject, ref, x: position[at], y: position[at + 1], z: position[at + 2] };
  });
}
