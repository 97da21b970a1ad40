import { addComponent, hasComponent, removeComponent } from 'bitecs';
import type { Element } from '../../document/element.ts';
import { traitsOf } from '../../document/traits-of.ts';
import { PLAYING } from '../media/media-state.ts';
import type { TickInput } from '../tick-input.ts';
import { inView, radiusOf } from '../view/view.ts';
import type { SceneWorld } from '../world.ts';

/** Units within which what is heavy is fetched, whichever way the visitor looks. */
export const NEAR_DISTANCE = 1000;
/** Units by which it is fetched before its proximity sensor notices the visitor. */
const LEAD = 500;
/**
 * How large something in view must look to be fetched: its radius as a part of its distance. A model that is missing is
 * missed from afar; a film or page has a panel that stands for it; a sound is not seen at all.
 */
const SHARE = { sound: Number.POSITIVE_INFINITY, model: 0.01, panel: 0.15 } as const;
/** Sounds, films, broadcasts and pages that are held while others are fetched: browsers have some dozens only. */
export const MOST_HELD = 24;
/** Models that are held while others are fetched. */
export const MOST_MODELS = 48;
/** Seconds of room time between the beginnings of two rounds while time runs forwards. */
const INTERVAL = 0.15;
/** Elements that a tick looks at: a crowd is gone through over several. */
const LOOKED_AT_PER_TICK = 256;
/** Of what is held, those that a round looks at. */
const HELD_AT_ONCE = 64;
/** Units that the camera travels in one tick when it jumps; everything is looked at then. */
const JUMP = 250;
/** Elements that move in one tick from which on they are a crowd. */
const CROWD = 1024;
/** Where a round stands that is over. */
const OVER = -1;
/** Way that a tick counts for when a crowd moved, which is not measured; no answer of a movable element lasts for so long. */
const CROWD_WAY = 2 ** 16;
/** Units by which elements are looked at early, so that rounding never makes it late. */
const WAY_MARGIN = 0.01;

/** What is held of one kind. */
interface Pool {
  readonly held: number[];
  /** Of that as much as may be held while others are fetched. */
  readonly most: number;
  /** Place in `held` that was looked at last. */
  next: number;
}

/**
 * What is heavy: what is not fetched, and what is. Each has the Load component; lists tell them apart, since a round goes
 * on through one over many ticks while entities change from one to the other.
 */
export interface StreamingState {
  readonly waiting: number[];
  /** What plays or is a page, and models. */
  readonly players: Pool;
  readonly models: Pool;
  /** Whether something changed since the last round began, at what room time that was, and which version it saw. */
  due: boolean;
  lookedAt: number;
  version: number;
  /** Place in `waiting` that this round looks at next, and whether it has found something. */
  next: number;
  found: boolean;
  /** Units that the camera had traveled at the last tick. */
  traveled: number;
  /** The way by which answers are kept: the camera's, and `CROWD_WAY` for each tick in which a crowd moved. */
  way: number;
}

export const createStreaming = (): StreamingState => ({
  waiting: [],
  players: { held: [], most: MOST_HELD, next: 0 },
  models: { held: [], most: MOST_MODELS, next: 0 },
  due: true,
  lookedAt: Number.NaN,
  version: -1,
  next: OVER,
  found: false,
  traveled: Number.NEGATIVE_INFINITY,
  way: 0,
});

/** Whether what an element needs is to be there: it is light, or its visitor came near enough and not too far since. */
export const isNear = ({ ecs, Load }: SceneWorld, entity: number): boolean =>
  Load.near[entity] === 1 || !hasComponent(ecs, entity, Load);

/** Takes from an element whether it is heavy, and from where on it is needed. */
export function readLoad(world: SceneWorld, entity: number, { element, config }: Element): void {
  const { Load, streaming } = world;
  const { load } = traitsOf(element);
  // Whoever edits a room works on all of it.
  if (load === undefined || world.windowless) return;
  const { autoplay, timed, proximity_sensor, proximity_sensor_distance, model_file_url } = config as Record<
    string,
    unknown
  >;
  const sensor = proximity_sensor ? Number(proximity_sensor_distance) || 0 : undefined;
  // What begins by itself must be there when its moment comes, wherever the visitor is.
  const begins = (autoplay || timed) && sensor === undefined;
  Load.reach[entity] = begins ? Number.POSITIVE_INFINITY : Math.max(NEAR_DISTANCE, (sensor ?? 0) + LEAD);
  Load.share[entity] = SHARE[model_file_url ? 'model' : load];
  Load.calmTill[entity] = 0;
  streaming.due = true;
  if (hasComponent(world.ecs, entity, Load)) return;
  addComponent(world.ecs, entity, Load);
  put(world, streaming.waiting, entity);
}

/** Drops what is not there any more. */
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

/** The last takes its place: none of the lists has an order. */
function take({ Load: { place } }: SceneWorld, list: number[], entity: number): void {
  const last = list.pop()!;
  if (last === entity) return;
  list[place[entity]!] = last;
  place[last] = place[entity]!;
}

/**
 * Says what is to be fetched from now on, of what a tick looks at, what looks largest first: what is heavy comes when the
 * visitor is near, or sees it large enough. Once fetched it stays, unless too much is held: then what is farthest goes,
 * which is not needed.
 */
export function updateStreaming(world: SceneWorld, _: TickInput): void {
  const { streaming, moved, view } = world;
  if (moved.count > 0 || streaming.version !== world.version) streaming.due = true;
  streaming.version = world.version;
  const jumps = view.traveled - streaming.traveled > JUMP;
  passWay(world);
  if (streaming.waiting.length === 0) return;
  if ((jumps || streaming.next === OVER) && !begin(world, jumps)) return;
  look(world, jumps ? streaming.waiting.length : LOOKED_AT_PER_TICK);
  if (streaming.next < streaming.waiting.length) return;
  streaming.next = OVER;
  if (!streaming.found) return;
  evict(world, streaming.players);
  evict(world, streaming.models);
}

/** Notes how far the camera came, and takes their answers from those that moved. */
function passWay({ streaming, moved, Load, view }: SceneWorld): void {
  const { count, list } = moved;
  const step = view.traveled - streaming.traveled;
  streaming.traveled = view.traveled;
  // Of a crowd, each for itself would take longer than to look at those anew whose turn it is.
  if (step >= 0 && step < CROWD_WAY && count <= CROWD) {
    streaming.way += step;
    for (let at = 0; at < count; at++) Load.calmTill[list[at]!] = 0;
  } else streaming.way += CROWD_WAY;
}

/** Begins a round, if there is a reason to. @param isUrgent whether it may follow the last one at once */
function begin({ streaming, time }: SceneWorld, isUrgent: boolean): boolean {
  const since = time - streaming.lookedAt;
  if (!streaming.due || (!isUrgent && since > 0 && since < INTERVAL)) return false;
  streaming.due = false;
  streaming.found = false;
  streaming.lookedAt = time;
  streaming.next = 0;
  return true;
}

/** Looks at some of what waits. @param count how many at most */
function look(world: SceneWorld, count: number): void {
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
  tell(world, found);
}

function tell(world: SceneWorld, found: number[]): void {
  const { Load, streaming } = world;
  for (const entity of found) Load.size[entity] = radiusOf(world, entity) / distanceTo(world, entity);
  sortBySize(world, found);
  for (const entity of found) {
    Load.near[entity] = 1;
    put(world, (isModel(world, entity) ? streaming.models : streaming.players).held, entity);
    world.outbox.push({ type: 'element.near', element_id: world.elements[entity]!.id });
  }
}

/** Sorts entities by their size in `Load`, the greatest first; equal ones as the document has them. */
function sortBySize({ Load: { size }, ChildOf: { rank } }: SceneWorld, list: number[]): void {
  if (list.length > 1) list.sort((a, b) => size[b]! - size[a]! || rank[a]! - rank[b]!);
}

const isModel = ({ elements }: SceneWorld, entity: number): boolean =>
  traitsOf(elements[entity]!.element).load === 'model';

/** Whether what is held stays: what plays or is needed, and models that would be missed at the next turn of the head. */
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

/** Evicts what is held and not needed, the farthest first; looks at a few at a time. */
function evict(world: SceneWorld, pool: Pool): void {
  const { Load, streaming } = world;
  const { held, most } = pool;
  const { calmTill } = Load;
  if (held.length <= most) return;
  let idle: number[] | undefined;
  for (let left = Math.min(HELD_AT_ONCE, held.length); left > 0; left--) {
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
 * Whether an element is needed now; notes the way up to which it surely is, or surely is not. Written in one piece:
 * broken numbers that are handed from function to function may be put on the heap.
 */
function isWanted(world: SceneWorld, entity: number): boolean {
  const { Visibility, Media, WorldMatrix, Load, streaming, view } = world;
  const { calmTill } = Load;
  if (!Visibility.visible[entity]) {
    // Until it is shown, which `refreshVisibility` tells. What is held may go.
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
  // What is held has not been checked as a model.
  const limit = Math.max(reach, radius / share);
  if (Load.near[entity] === 0)
    calmTill[entity] = streaming.way + Math.min(Math.sqrt(square) - limit - WAY_MARGIN, CROWD_WAY);
  return false;
}
