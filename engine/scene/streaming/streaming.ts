import { addComponent, hasComponent, removeComponent } from 'bitecs';
import type { Element } from '../../document/element.ts';
import { traitsOf } from '../../document/traits-of.ts';
import { PLAYING } from '../media/media-state.ts';
import type { TickInput } from '../tick-input.ts';
import { inView, radiusOf } from '../view/view.ts';
import type { SceneWorld } from '../world.ts';
import { OVER, type Pool } from './streaming-state.ts';

/** Distance in units within which heavy elements are loaded in any viewing direction. */
export const NEAR_DISTANCE = 1000;
/** Distance in units by which an element is loaded before it enters its proximity sensor. */
const LEAD = 500;
/**
 * Minimum ratio of radius to distance at which a visible element is loaded. A missing model is noticeable from far
 * away; videos and pages have a placeholder panel; audio is invisible.
 */
const SHARE = { sound: Number.POSITIVE_INFINITY, model: 0.01, panel: 0.15 } as const;
/** Room time in seconds between the starts of two rounds while time runs forward. */
const INTERVAL = 0.15;
/** Maximum number of waiting elements checked per tick; larger sets take several ticks. */
const MAX_CHECKS_PER_TICK = 256;
/** Maximum number of loaded elements checked per round. */
const MAX_EVICTION_CHECKS = 64;
/** Distance in units per tick that counts as a camera jump, which checks everything at once. */
const JUMP = 250;
/** Number of elements moving in one tick that counts as a crowd. */
const CROWD = 1024;
/**
 * Distance added for a tick in which a crowd moved; larger than the validity of any cached answer of a movable
 * element.
 */
const CROWD_WAY = 2 ** 16;
/** Safety margin in units, so that rounding never makes a check late. */
const WAY_MARGIN = 0.01;

/** Whether an element's resources should be loaded: it is light, or was requested and not evicted. */
export const isNear = ({ ecs, Load }: SceneWorld, entity: number): boolean =>
  Load.near[entity] === 1 || !hasComponent(ecs, entity, Load);

/** Reads from an element whether it is heavy, and when it is needed. */
export function readLoad(world: SceneWorld, entity: number, { element, config }: Element): void {
  const { Load, streaming } = world;
  const { load } = traitsOf(element);
  // Editors need the whole room.
  if (load === undefined || world.windowless) return;
  const { autoplay, timed, proximity_sensor, proximity_sensor_distance, model_file_url, projection } = config as Record<
    string,
    unknown
  >;
  const sensor = proximity_sensor ? Number(proximity_sensor_distance) || 0 : undefined;
  // Media that starts automatically must be loaded in time, wherever the visitor is.
  const startsItself = (autoplay || timed) && sensor === undefined;
  const isEverywhere = startsItself || projection === 'equirectangular';
  Load.reach[entity] = isEverywhere ? Number.POSITIVE_INFINITY : Math.max(NEAR_DISTANCE, (sensor ?? 0) + LEAD);
  Load.share[entity] = SHARE[model_file_url ? 'model' : load];
  Load.calmTill[entity] = 0;
  streaming.due = true;
  if (hasComponent(world.ecs, entity, Load)) return;
  addComponent(world.ecs, entity, Load);
  put(world, streaming.waiting, entity);
}

/** Removes an entity from its list. */
export function forgetLoad(world: SceneWorld, entity: number): void {
  const { Load, streaming } = world;
  if (!hasComponent(world.ecs, entity, Load)) return;
  removeComponent(world.ecs, entity, Load);
  Load.near[entity] = 0;
  const at = Load.place[entity]!;
  for (const list of [streaming.waiting, streaming.players.held, streaming.models.held])
    if (list[at] === entity) take(world, list, entity);
}

function put({ Load }: SceneWorld, list: number[], entity: number): void {
  Load.place[entity] = list.push(entity) - 1;
  Load.calmTill[entity] = 0;
}

/** Swaps in the last entity: the lists are unordered. */
function take({ Load: { place } }: SceneWorld, list: number[], entity: number): void {
  const last = list.pop()!;
  if (last === entity) return;
  list[place[entity]!] = last;
  place[last] = place[entity]!;
}

/**
 * Requests heavy elements that are near the visitor or look large enough, largest first, a limited number of checks
 * per tick. Once loaded, an element stays until the limit is exceeded; then the farthest ones that aren't needed are
 * evicted.
 */
export function updateStreaming(world: SceneWorld, _: TickInput): void {
  const { streaming, moved, view } = world;
  if (moved.count > 0 || streaming.version !== world.version) streaming.due = true;
  streaming.version = world.version;
  const jumps = view.traveled - streaming.traveled > JUMP;
  advanceWay(world);
  if (streaming.waiting.length === 0) return;
  if ((jumps || streaming.next === OVER) && !begin(world, jumps)) return;
  checkWaiting(world, jumps ? streaming.waiting.length : MAX_CHECKS_PER_TICK);
  if (streaming.next < streaming.waiting.length) return;
  streaming.next = OVER;
  if (!streaming.found) return;
  evict(world, streaming.players);
  evict(world, streaming.models);
}

/** Adds the camera's movement to `way`, and invalidates the cached answers of elements that moved. */
function advanceWay({ streaming, moved, Load, view }: SceneWorld): void {
  const { count, list } = moved;
  const step = view.traveled - streaming.traveled;
  streaming.traveled = view.traveled;
  // In a crowd, invalidating each answer would take longer than checking again in turn.
  if (step >= 0 && step < CROWD_WAY && count <= CROWD) {
    streaming.way += step;
    for (let at = 0; at < count; at++) Load.calmTill[list[at]!] = 0;
  } else streaming.way += CROWD_WAY;
}

/** Starts a round if something changed. @param isUrgent whether to ignore the interval */
function begin({ streaming, time }: SceneWorld, isUrgent: boolean): boolean {
  const since = time - streaming.lookedAt;
  if (!streaming.due || (!isUrgent && since > 0 && since < INTERVAL)) return false;
  streaming.due = false;
  streaming.found = false;
  streaming.lookedAt = time;
  streaming.next = 0;
  return true;
}

/** Checks waiting elements. @param count maximum number of checks */
function checkWaiting(world: SceneWorld, count: number): void {
  const { streaming } = world;
  const { waiting, way } = streaming;
  const { calmTill } = world.Load;
  let found: number[] | undefined;
  for (let left = count; left > 0 && streaming.next < waiting.length; left--) {
    const entity = waiting[streaming.next]!;
    if (calmTill[entity]! > way || !isWanted(world, entity)) {
      streaming.next++;
      continue;
    }
    take(world, waiting, entity);
    found ??= [];
    found.push(entity);
  }
  if (!found) return;
  streaming.found = true;
  emitNear(world, found);
}

function emitNear(world: SceneWorld, found: number[]): void {
  const { Load, streaming } = world;
  for (const entity of found) Load.size[entity] = radiusOf(world, entity) / distanceTo(world, entity);
  sortBySize(world, found);
  for (const entity of found) {
    Load.near[entity] = 1;
    put(world, (isModel(world, entity) ? streaming.models : streaming.players).held, entity);
    world.outbox.push({ type: 'element.near', element_id: world.elements[entity]!.id });
  }
}

/** Sorts entities by `Load.size`, largest first, then in document order. */
function sortBySize({ Load: { size }, ChildOf: { rank } }: SceneWorld, list: number[]): void {
  if (list.length > 1) list.sort((a, b) => size[b]! - size[a]! || rank[a]! - rank[b]!);
}

const isModel = ({ elements }: SceneWorld, entity: number): boolean =>
  traitsOf(elements[entity]!.element).load === 'model';

/**
 * Whether a loaded element must stay: it plays, is needed, or is a model that turning the camera could bring into
 * view.
 */
function isKept(world: SceneWorld, entity: number): boolean {
  const { Load, streaming } = world;
  if (isWanted(world, entity)) return true;
  if (world.Media.status[entity] === PLAYING) return true;
  if (!isModel(world, entity)) return false;
  const slack = radiusOf(world, entity) / SHARE.model - distanceTo(world, entity);
  if (!(slack >= 0)) return false;
  Load.calmTill[entity] = streaming.way + Math.min(slack - WAY_MARGIN, CROWD_WAY);
  return true;
}

/** Evicts loaded elements that aren't needed, farthest first, with a limited number of checks. */
function evict(world: SceneWorld, pool: Pool): void {
  const { Load, streaming } = world;
  const { held, most } = pool;
  const { calmTill } = Load;
  if (held.length <= most) return;
  let idle: number[] | undefined;
  for (let left = Math.min(MAX_EVICTION_CHECKS, held.length); left > 0; left--) {
    pool.next = (pool.next + 1) % held.length;
    const entity = held[pool.next]!;
    if (calmTill[entity]! > streaming.way || isKept(world, entity)) continue;
    idle ??= [];
    idle.push(entity);
  }
  if (!idle) return;
  for (const entity of idle) Load.size[entity] = distanceTo(world, entity);
  sortBySize(world, idle);
  for (const entity of idle.slice(0, held.length - most)) {
    Load.near[entity] = 0;
    take(world, held, entity);
    put(world, streaming.waiting, entity);
    world.outbox.push({ type: 'element.far', element_id: world.elements[entity]!.id });
  }
}

function distanceTo({ WorldMatrix: { position }, view }: SceneWorld, entity: number): number {
  const dx = position[entity * 3]! - view.x;
  const dy = position[entity * 3 + 1]! - view.y;
  const dz = position[entity * 3 + 2]! - view.z;
  return Math.sqrt(dx * dx + dy * dy + dz * dz);
}

/**
 * Whether an element is needed now. Also stores the value of `way` up to which the answer stays valid. Not split into
 * functions: passing fractional numbers may allocate them on the heap.
 */
function isWanted(world: SceneWorld, entity: number): boolean {
  const { Visibility, Media, WorldMatrix, Load, streaming, view } = world;
  const { calmTill } = Load;
  if (!Visibility.visible[entity]) {
    // Valid until `refreshVisibility` resets it. A loaded element may be evicted.
    calmTill[entity] = Load.near[entity] === 1 ? 0 : Number.POSITIVE_INFINITY;
    return false;
  }
  if (Media.status[entity] === PLAYING) return true;
  const { position } = WorldMatrix;
  const radius = radiusOf(world, entity);
  const dx = position[entity * 3]! - view.x;
  const dy = position[entity * 3 + 1]! - view.y;
  const dz = position[entity * 3 + 2]! - view.z;
  const square = dx * dx + dy * dy + dz * dz;
  const reach = Load.reach[entity]! + radius;
  if (square <= reach * reach) {
    calmTill[entity] = streaming.way + Math.min(reach - Math.sqrt(square) - WAY_MARGIN, CROWD_WAY);
    return true;
  }
  const share = Load.share[entity]!;
  if (radius * radius >= share * share * square) return inView(world, entity);
  // Loaded elements have further conditions; see `isKept`.
  const limit = Math.max(reach, radius / share);
  if (Load.near[entity] === 0)
    calmTill[entity] = streaming.way + Math.min(Math.sqrt(square) - limit - WAY_MARGIN, CROWD_WAY);
  return false;
}
