import { VIEW_POINT_DAMPING } from '../../document/constants.ts';
import type { Element } from '../../document/element.ts';
import type { Vector } from '../../document/fields.ts';
import { directionOf, isPlace, placesOf } from '../../document/places.ts';
import type { Room } from '../../document/room.ts';
import type { TickInput } from '../tick-input.ts';
import type { Arrival } from '../visitor-input.ts';
import { refreshVisibility } from '../windows/visibility.ts';
import type { SceneWorld } from '../world.ts';

/** Distance in units of the point to look at in a direction. */
const SIGHT = 100;

/**
 * Moves the visitor between view points and shows the elements of the current one. Runs after `hierarchy`, which places
 * view points inside groups, and before everything that depends on visibility.
 */
export function places(world: SceneWorld, { input }: TickInput): void {
  const { choice, byId } = world;
  if (world.tick === 1 && choice.place !== 0) {
    if (isOpen(world, choice.place)) announcePlace(world);
    else setPlace(world, 0);
  } else if (choice.place !== 0 && !byId.has(choice.place)) leaveRemoved(world);
  if (!input) return;
  for (const each of input) {
    if (each.type === 'go_to') goTo(world, each.element_id, each.arrival, each.at_once);
    else if (each.type === 'camera.reset') {
      setPlace(world, startOf(world));
      world.outbox.push({ type: 'camera_reset' });
    }
  }
}

/** Reads the view points that an entity is limited to. */
export function readPlaces(world: SceneWorld, entity: number, element: Element): void {
  if (hasLimit(element) || isPanoramaVideo(world, element)) world.placed.add(entity);
  else world.placed.delete(entity);
  world.Visibility.here[entity] = isHere(world, element) ? 1 : 0;
}

/** Rooms of earlier versions have no limits. */
const hasLimit = ({ visible_at }: Element): boolean => visible_at?.length > 0;

const isPanoramaVideo = ({ transient }: SceneWorld, { id }: Element): boolean =>
  transient.video.elements.some((video) => video.id === id);

/** Removes an entity's limit. */
export function forgetPlaces(world: SceneWorld, entity: number): void {
  world.placed.delete(entity);
}

/**
 * While no view point is current, editors see all limited elements and visitors none. The template's video gives way to
 * the panoramas of view points.
 */
function isHere(world: SceneWorld, element: Element): boolean {
  const { choice, windowless, room } = world;
  if (isPanoramaVideo(world, element)) return !room.elements.some((each) => each.id === choice.place && isPlace(each));
  if (!hasLimit(element)) return true;
  return choice.place === 0 ? windowless : element.visible_at.includes(choice.place);
}

function isOpen({ byId, elements, Visibility }: SceneWorld, id: number): boolean {
  const entity = byId.get(id);
  return entity !== undefined && elements[entity]!.element === 'view_point' && Visibility.visible[entity] === 1;
}

/** The view point where visits start; 0 if there is none or it is hidden. */
function startOf(world: SceneWorld): number {
  const start = world.windowless ? null : (world.room as Partial<Room>).config?.start_view_point_id;
  return start && isOpen(world, start) ? start : 0;
}

/** Without its panorama, the visitor would stand in an empty room: goes to the start, or to the first place. */
function leaveRemoved(world: SceneWorld): void {
  const { choice, room } = world;
  const next = choice.inPanorama
    ? startOf(world) || (placesOf(room.elements).find(({ id }) => isOpen(world, id))?.id ?? 0)
    : 0;
  if (next === 0) setPlace(world, 0);
  else goTo(world, next);
}

function goTo(world: SceneWorld, id: number, arrival?: Arrival, atOnce = false): void {
  if (!isOpen(world, id)) return;
  const entity = world.byId.get(id)!;
  const element = world.elements[entity]!;
  if (element.element !== 'view_point') return;
  const { position: all } = world.WorldMatrix;
  const position = { x: all[entity * 3]!, y: all[entity * 3 + 1]!, z: all[entity * 3 + 2]! };
  world.outbox.push({
    type: 'view_point',
    element_id: id,
    position,
    target: targetOf(element, position, arrival),
    damping: element.config.damping_factor ?? VIEW_POINT_DAMPING,
    ...(typeof arrival === 'object' && arrival?.fov && { fov: arrival.fov }),
    ...(atOnce && { at_once: true as const }),
  });
  setPlace(world, id);
}

/** The point to look at on arrival; null to keep the direction. */
function targetOf(
  element: Extract<Element, { element: 'view_point' }>,
  position: Vector,
  arrival: Arrival,
): Vector | null {
  if (arrival === 'keep') return null;
  if (arrival) {
    const { x, y, z } = directionOf(arrival.heading, arrival.pitch);
    return { x: position.x + x * SIGHT, y: position.y + y * SIGHT, z: position.z + z * SIGHT };
  }
  const { arrival_view, target_position } = element.config;
  if (isPlace(element) && arrival_view === 'keep') return null;
  // Rooms are also played without validation.
  return { x: target_position?.x ?? 0, y: target_position?.y ?? 0, z: target_position?.z ?? 0 };
}

function setPlace(world: SceneWorld, id: number): void {
  const { choice, elements, Visibility } = world;
  const entity = world.byId.get(id);
  choice.inPanorama = entity !== undefined && isPlace(elements[entity]!);
  if (choice.place === id) return;
  choice.place = id;
  world.version++;
  const turned = [...world.placed].filter((each) => isHere(world, elements[each]!) !== (Visibility.here[each] === 1));
  // All at once: elements inside a group would appear for a moment otherwise.
  for (const each of turned) Visibility.here[each] = 1 - Visibility.here[each]!;
  for (const each of turned) refreshVisibility(world, each);
  announcePlace(world);
}

function announcePlace({ choice, byId, elements, outbox }: SceneWorld): void {
  const entity = byId.get(choice.place);
  choice.inPanorama = entity !== undefined && isPlace(elements[entity]!);
  outbox.push({ type: 'place.changed', element_id: choice.place || null });
}
