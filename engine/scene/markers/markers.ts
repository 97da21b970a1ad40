import { addComponent } from 'bitecs';
import { arrange } from '../entities/order.ts';
import { announce, markerElement, takeId } from '../entities/transient-elements.ts';
import { markMoved, markTurned, writeLinear } from '../hierarchy/transform.ts';
import { isShared, subjectOf } from '../presence/presence.ts';
import type { TickInput } from '../tick-input.ts';
import type { PresenceInput, VisitorInput } from '../visitor-input.ts';
import type { SceneWorld } from '../world.ts';
import { tintOf } from './tint-of.ts';

/** Duration of a marker's move to the visitor's latest position, in seconds. */
const TWEEN_DURATION = 0.95;
/** Seconds after which a silent visitor's marker is removed, and a margin for late messages. */
const TIMEOUT = 4;
const TIMEOUT_MARGIN = 1;
/** Maximum number of markers in a room; later visitors get none. */
const MAX_MARKERS = 1000;
/** Maximum length of a name; longer ones are truncated. */
const MAX_NAME_LENGTH = 40;
const TWO_PI = 2 * Math.PI;

/** Another visitor, under one subject. */
export interface MarkerState {
  subject: string;
  ref: string;
  /** Position of the marker, in room units. */
  x: number;
  y: number;
  z: number;
  /** Heading in radians counterclockwise from −z; absent if unknown. */
  heading?: number;
  /** Text of the label; absent without one. */
  name?: string;
}

/** Appearance of a marker: its label, its color byte, and whether its heading is known. */
export interface MarkerLook {
  name: string;
  tint: number;
  faces: boolean;
}

/**
 * Markers of other visitors: created with the first position, moved smoothly from each position to the next, and
 * removed after a timeout. Runs before `hierarchy`, so that marker positions match this tick's time.
 */
export function markers(world: SceneWorld, { input }: TickInput): void {
  const { presence } = world;
  if (input) {
    addMarkers(world, input);
    for (const each of input) if (each.type === 'presence') updateMarker(world, each);
  }
  if (presence.byId.size === 0) return;
  const { transient, time, Marker } = world;
  const list = transient.markers;
  for (let index = list.length - 1; index >= 0; index--) {
    const { id } = list[index]!;
    const entity = world.byId.get(id)!;
    // Time went back before the last sighting: count it as now.
    if (time < Marker.seen[entity]!) Marker.seen[entity] = time;
    if (time - Marker.seen[entity]! < TIMEOUT + TIMEOUT_MARGIN && isShared(world, presence.byId.get(id)!.owner))
      glide(world, entity);
    else leave(world, index, id);
  }
  if (presence.gone) {
    announce(world, arrange(world));
    presence.gone = false;
  }
}

function markerKeyOf(subject: string, ref: string): string {
  return `${subject}/${ref}`;
}

const isPlace = ({ x, y, z }: PresenceInput) => Number.isFinite(x) && Number.isFinite(y) && Number.isFinite(z);

/** Creates markers for new visitors, in one batch because each `arrange` walks the whole room. */
function addMarkers(world: SceneWorld, input: readonly VisitorInput[]): void {
  const { presence, transient } = world;
  const added: PresenceInput[] = [];
  for (const each of input) {
    if (each.type !== 'presence' || each.ref === world.visitor || !isPlace(each)) continue;
    const subject = subjectOf(world, each.element_id);
    if (subject === undefined || presence.byKey.has(markerKeyOf(subject, each.ref))) continue;
    if (transient.markers.length >= MAX_MARKERS) break;
    const id = takeId(transient);
    transient.markers.push(markerElement(id, each.ref));
    presence.byKey.set(markerKeyOf(subject, each.ref), id);
    presence.byId.set(id, { subject, ref: each.ref, owner: each.element_id, name: undefined, tint: undefined });
    added.push(each);
  }
  if (added.length === 0) return;
  arrange(world);
  for (const newcomer of added) {
    const { ref, element_id } = newcomer;
    const subject = subjectOf(world, element_id)!;
    const id = presence.byKey.get(markerKeyOf(subject, ref))!;
    const entity = world.byId.get(id)!;
    addComponent(world.ecs, entity, world.Marker);
    world.Marker.faces[entity] = 0;
    world.Marker.turned[entity] = 0;
    put(world, entity, newcomer);
    world.outbox.push({ type: 'marker.added', element_id: id, subject, ref });
  }
}

function updateMarker(world: SceneWorld, seen: PresenceInput): void {
  const { presence, Marker, time } = world;
  const subject = subjectOf(world, seen.element_id);
  const id = subject === undefined ? undefined : presence.byKey.get(markerKeyOf(subject, seen.ref));
  if (id === undefined || !isPlace(seen)) return;
  const entity = world.byId.get(id)!;
  updateLabel(world, id, seen);
  Marker.seen[entity] = time;
  // A repeated position doesn't restart the move.
  if (isCurrentTarget(world, entity, seen)) return;
  place(world, entity);
  if (seen.at_once) put(world, entity, seen);
  else aim(world, entity, seen);
}

/** Updates a visitor's name and color. */
function updateLabel(world: SceneWorld, id: number, { name, tint }: PresenceInput): void {
  const who = world.presence.byId.get(id)!;
  const label = name?.slice(0, MAX_NAME_LENGTH);
  if (who.name === label && who.tint === tint) return;
  who.name = label;
  who.tint = tint;
  world.version++;
}

const isHeading = (heading: number | undefined): heading is number => Number.isFinite(heading);

/** The equivalent angle within half a turn of another. */
const nearest = (angle: number, to: number) => angle - TWO_PI * Math.round((angle - to) / TWO_PI);

/** Whether a marker already moves to this position and turns to this heading. */
function isCurrentTarget({ Marker }: SceneWorld, entity: number, { x, y, z, heading }: PresenceInput): boolean {
  const { to, turnTo, faces } = Marker;
  const at = entity * 3;
  const goes = to[at] === Math.fround(x) && to[at + 1] === Math.fround(y) && to[at + 2] === Math.fround(z);
  if (!isHeading(heading)) return goes;
  return goes && faces[entity] === 1 && Math.abs(nearest(heading, turnTo[entity]!) - turnTo[entity]!) < 1e-5;
}

/** Starts a move from the marker's current position and heading. */
function aim({ Marker, Transform, time }: SceneWorld, entity: number, { x, y, z, heading }: PresenceInput): void {
  const at = entity * 3;
  for (let axis = at; axis < at + 3; axis++) Marker.from[axis] = Transform.position[axis]!;
  Marker.to[at] = x;
  Marker.to[at + 1] = y;
  Marker.to[at + 2] = z;
  const turn = nearest(Transform.rotation[at + 1]!, 0);
  const aimed = isHeading(heading) ? nearest(heading, turn) : turn;
  // A marker without a known heading doesn't animate the turn.
  Marker.turnFrom[entity] = Marker.faces[entity] === 1 ? turn : aimed;
  Marker.turnTo[entity] = aimed;
  if (isHeading(heading)) Marker.faces[entity] = 1;
  Marker.begun[entity] = time;
}

/** Moves a marker without animation. */
function put(world: SceneWorld, entity: number, seen: PresenceInput): void {
  const { Marker } = world;
  aim(world, entity, seen);
  for (let axis = entity * 3; axis < entity * 3 + 3; axis++) Marker.from[axis] = Marker.to[axis]!;
  Marker.turnFrom[entity] = Marker.turnTo[entity]!;
  Marker.begun[entity] = Number.NEGATIVE_INFINITY;
}

const between = (from: number, to: number, part: number) => (part === 1 ? to : from + (to - from) * part);

/** Sets a marker's transform for the current time. */
function place({ Marker, Transform, time }: SceneWorld, entity: number): void {
  const part = Math.min(Math.max(0, (time - Marker.begun[entity]!) / TWEEN_DURATION), 1);
  for (let at = entity * 3; at < entity * 3 + 3; at++)
    Transform.position[at] = between(Marker.from[at]!, Marker.to[at]!, part);
  Transform.rotation[entity * 3 + 1] = between(Marker.turnFrom[entity]!, Marker.turnTo[entity]!, part);
}

function glide(world: SceneWorld, entity: number): void {
  const { Marker } = world;
  const { position, rotation } = world.Transform;
  const at = entity * 3;
  const x = position[at];
  const y = position[at + 1];
  const z = position[at + 2];
  place(world, entity);
  if (position[at] !== x || position[at + 1] !== y || position[at + 2] !== z) markMoved(world, entity);
  if (rotation[at + 1] === Marker.turned[entity]) return;
  Marker.turned[entity] = rotation[at + 1]!;
  writeLinear(world, entity);
  markTurned(world, entity);
}

function leave(world: SceneWorld, index: number, id: number): void {
  const { presence, transient, outbox } = world;
  transient.markers.splice(index, 1);
  const { subject, ref } = presence.byId.get(id)!;
  presence.byKey.delete(markerKeyOf(subject, ref));
  outbox.push({ type: 'marker.removed', element_id: id, subject, ref });
  presence.gone = true;
}

/** Every marker after the last tick, in order of creation. */
export function readMarkers(world: SceneWorld): MarkerState[] {
  const { Marker, Transform } = world;
  return world.transient.markers.map(({ id }) => {
    const { subject, ref, name } = world.presence.byId.get(id)!;
    const entity = world.byId.get(id)!;
    const at = entity * 3;
    const { position } = world.WorldMatrix;
    const turn = Transform.rotation[at + 1]!;
    return {
      subject,
      ref,
      x: position[at]!,
      y: position[at + 1]!,
      z: position[at + 2]!,
      ...(Marker.faces[entity] === 1 && { heading: turn - TWO_PI * Math.floor(turn / TWO_PI) }),
      ...(name !== undefined && { name }),
    };
  });
}

/** Appearance of a marker; null for other elements. */
export function readLook(world: SceneWorld, id: number): MarkerLook | null {
  const who = world.presence.byId.get(id);
  const entity = world.byId.get(id);
  if (!who || entity === undefined) return null;
  const { name = '', tint = tintOf(who.ref) } = who;
  return { name, tint, faces: world.Marker.faces[entity] === 1 };
}
