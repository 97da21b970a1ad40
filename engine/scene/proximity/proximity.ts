import { query } from 'bitecs';
import { paramsOf } from '../../machines/chart-table.ts';
import { hear, isInside, isOutside } from '../../machines/proximity-state.ts';
import { proximityTable } from '../../machines/tables.ts';
import { wakeMedia } from '../media/media-state.ts';
import { MEDIA_COMMANDS, wakeSensor, ZONES } from '../sensors/sensors.ts';
import { inView } from '../view/view.ts';
import type { SceneWorld } from '../world.ts';
import { AWAKE, BUCKET_WIDTH, BUCKETS, HORIZON, UNTIL_WOKEN } from './proximity-queue.ts';

/** Seconds of room time between two looks at the sensors while time runs forwards. */
const INTERVAL = 0.15;
/** Above this share of sensors on the move, looking at all in a row costs less than choosing. */
const SWEEP_SHARE = 0.25;
/** Looks that go on sweeping after the last one that needed it, so that an unsteady crowd doesn't switch each time. */
const SWEEP_LOOKS = 30;
/** Units of slack below which falling asleep isn't worth it. */
const SLEEP_SLACK = 16;
/** Units by which sleepers wake early, so that rounding never wakes them late. */
const SLACK_MARGIN = 0.01;
/** Units of the camera's way at which counting begins anew, long before buckets outgrow small integers. */
const LONGEST_WAY = 2 ** 30;

const { next, told: tells, events, guards, row } = proximityTable;
const OUTSIDE = ZONES.indexOf('outside');
const FADING = ZONES.indexOf('fading');
const INSIDE = ZONES.indexOf('inside');

/** By what a look tells: whether it is heard from then on; null where its volume stays as it is. */
const hears = paramsOf<boolean>(proximityTable, 'hear');

/**
 * Zone and volume of every proximity sensor by its distance from the camera and by what the camera sees.
 *
 * While time runs forwards sensors are looked at every 150 ms. A jump, a standing clock and an element that appears or
 * disappears are looked at at once. A look that waits is told by a later tick; `currentZone` answers without waiting.
 */
export function proximity(world: SceneWorld): void {
  const { sensors, moved } = world;
  if (sensors.stale) renew(world);
  if (!world.viewChanged && moved.count === 0 && sensors.wokenCount === 0 && !sensors.urgent) return;
  const since = world.time - sensors.lookedAt;
  sensors.waiting = since > 0 && since < INTERVAL && !sensors.urgent;
  if (sensors.waiting) {
    const { limit } = world.Proximity;
    for (let at = 0; at < moved.count; at++) {
      const entity = moved.list[at]!;
      if (limit[entity] !== 0) wakeSensor(world, entity, false);
    }
    return;
  }
  if (sensors.unsorted) sensors.sweeping = 0;
  else if (moved.count + sensors.wokenCount > sensors.all.length * SWEEP_SHARE) sensors.sweeping = SWEEP_LOOKS;
  else if (sensors.sweeping > 0 && --sensors.sweeping === 0) sensors.unsorted = true;
  if (sensors.sweeping > 0) sweep(world);
  else choose(world);
  forgetWoken(world);
  sensors.lookedAt = world.time;
  sensors.urgent = false;
  world.viewChanged = false;
}

/** Lists the sensors anew. */
function renew(world: SceneWorld): void {
  const { sensors, ChildOf } = world;
  sensors.all = Uint32Array.from(query(world.ecs, [world.Proximity]));
  sensors.all.sort((a, b) => ChildOf.rank[a]! - ChildOf.rank[b]!);
  forgetWoken(world);
  sensors.stale = false;
  sensors.unsorted = true;
  sensors.urgent = true;
}

function forgetWoken({ sensors, Proximity }: SceneWorld): void {
  for (let at = 0; at < sensors.wokenCount; at++) Proximity.woken[sensors.woken[at]!] = 0;
  sensors.wokenCount = 0;
}

/** Looks at all sensors, one after another, and works out those that left the distances at which nothing changes. */
function sweep(world: SceneWorld): void {
  const { all } = world.sensors;
  const { position } = world.WorldMatrix;
  const { Proximity } = world;
  const { stableMin, calmTill, zone, viewed, square: squares } = Proximity;
  const { x, y, z } = world.view;
  for (let at = 0; at < all.length; at++) {
    const entity = all[at]!;
    const dx = position[entity * 3]! - x;
    const dy = position[entity * 3 + 1]! - y;
    const dz = position[entity * 3 + 2]! - z;
    const square = dx * dx + dy * dy + dz * dz;
    if (square >= stableMin[entity]! && square < calmTill[entity]!) continue;
    // Most of the others are fading and go on fading; `updateZone` would say the same, and takes longer.
    squares[entity] = square;
    const fading = zone[entity] === FADING && viewed[entity] === 0;
    if (fading && !isOutside(Proximity, entity) && !isInside(Proximity, entity)) hear(Proximity, entity);
    else updateZone(world, entity);
  }
}

/** Looks at the sensors whose answer may have changed. */
function choose(world: SceneWorld): void {
  const { sensors, view, moved, Proximity } = world;
  let way = Math.floor(view.traveled / BUCKET_WIDTH);
  if (sensors.unsorted || way - sensors.bucket >= BUCKETS - HORIZON || view.traveled > LONGEST_WAY) {
    if (view.traveled > LONGEST_WAY) view.traveled = way = 0;
    chooseAmongAll(world, way);
    return;
  }
  if (world.viewChanged) {
    wakeSleepers(world, way);
    lookAtAwake(world);
  }
  // Awake ones have just been looked at if the camera moved.
  for (let at = 0; at < moved.count; at++) {
    const entity = moved.list[at]!;
    // Without a limit it is no sensor, or one that is not there: asking bitecs makes a mixed room's tick 15 % slower.
    if (Proximity.limit[entity] !== 0 && !(world.viewChanged && Proximity.awake[entity])) attend(world, entity);
  }
  for (let at = 0; at < sensors.wokenCount; at++) attend(world, sensors.woken[at]!);
}

function chooseAmongAll(world: SceneWorld, way: number): void {
  const { sensors, Proximity } = world;
  const { all } = sensors;
  sensors.heads.fill(0);
  sensors.bucket = way + 1;
  sensors.awakeCount = 0;
  sensors.unsorted = false;
  for (let at = 0; at < all.length; at++) {
    const entity = all[at]!;
    Proximity.bucket[entity] = -1;
    Proximity.awake[entity] = 0;
    attend(world, entity);
  }
}

function wakeSleepers(world: SceneWorld, way: number): void {
  const { sensors, Proximity } = world;
  const { bucket, next } = Proximity;
  const first = sensors.bucket;
  sensors.bucket = way + 1;
  for (let each = first; each <= way; each++) {
    const slot = each & (BUCKETS - 1);
    let entity = sensors.heads[slot];
    sensors.heads[slot] = 0;
    while (entity) {
      const following = next[entity];
      bucket[entity] = -1;
      attend(world, entity);
      entity = following;
    }
  }
}

function lookAtAwake(world: SceneWorld): void {
  const { sensors, Proximity } = world;
  const list = sensors.awake;
  let kept = 0;
  for (let at = 0; at < sensors.awakeCount; at++) {
    const entity = list[at]!;
    if (!fade(world, entity) && sleep(world, entity, lookAt(world, entity))) Proximity.awake[entity] = 0;
    else list[kept++] = entity;
  }
  sensors.awakeCount = kept;
}

/** As in `sweep`. @returns false when the sensor does not just go on fading */
function fade(world: SceneWorld, entity: number): boolean {
  const { Proximity } = world;
  if (Proximity.zone[entity] !== FADING || Proximity.viewed[entity] === 1) return false;
  measure(world, entity);
  if (isOutside(Proximity, entity) || isInside(Proximity, entity)) return false;
  hear(Proximity, entity);
  return true;
}

/** Looks at a sensor, and keeps it awake if its answer may change any moment. */
function attend(world: SceneWorld, entity: number): void {
  const { sensors, Proximity } = world;
  const bucket = lookAt(world, entity);
  if (Proximity.awake[entity] || sleep(world, entity, bucket)) return;
  Proximity.awake[entity] = 1;
  sensors.awake[sensors.awakeCount++] = entity;
}

/**
 * Puts a sensor to sleep until the camera's way reaches a bucket, or for good with `UNTIL_WOKEN`.
 * @returns false when it cannot sleep
 */
function sleep({ sensors, Proximity }: SceneWorld, entity: number, bucket: number): boolean {
  if (bucket === UNTIL_WOKEN) return true;
  if (bucket === AWAKE) return false;
  const until = Proximity.bucket[entity]!;
  // It sleeps already: waking too early does no harm, waking too late would.
  if (until !== -1) return until <= bucket;
  const slot = bucket & (BUCKETS - 1);
  Proximity.bucket[entity] = bucket;
  Proximity.next[entity] = sensors.heads[slot]!;
  sensors.heads[slot] = entity;
  return true;
}

/**
 * Looks at a sensor.
 * @returns the bucket of the camera's way before which the answer cannot change while the sensor stands still
 */
function lookAt(world: SceneWorld, entity: number): number {
  const { Proximity, view } = world;
  measure(world, entity);
  const square = Proximity.square[entity]!;
  if (!(square >= Proximity.stableMin[entity]! && square < Proximity.calmTill[entity]!)) updateZone(world, entity);
  const from = Proximity.stableMin[entity]!;
  const till = Proximity.calmTill[entity]!;
  if (from === till) return AWAKE;
  if (from === 0 && till === Number.POSITIVE_INFINITY) return UNTIL_WOKEN;
  const away = Math.sqrt(square);
  const slack = till === Number.POSITIVE_INFINITY ? away - Math.sqrt(from) : Math.sqrt(till) - away;
  if (!(slack >= SLEEP_SLACK)) return AWAKE;
  const until = view.traveled + Math.min(slack - SLACK_MARGIN, HORIZON * BUCKET_WIDTH);
  return Math.floor(until / BUCKET_WIDTH);
}

/** Notes how far a sensor is: written, because a broken number that is handed back may be put on the heap. */
function measure({ WorldMatrix, view, Proximity }: SceneWorld, entity: number): void {
  const { position } = WorldMatrix;
  const dx = position[entity * 3]! - view.x;
  const dy = position[entity * 3 + 1]! - view.y;
  const dz = position[entity * 3 + 2]! - view.z;
  Proximity.square[entity] = dx * dx + dy * dy + dz * dz;
}

/** Has a sensor's chart take a look, and works out between which distances the next ones change nothing. */
function updateZone(world: SceneWorld, entity: number): void {
  const { Proximity } = world;
  const place = Proximity.zone[entity]! * row + outcomesOf(world, entity);
  const zone = next[place]!;
  const told = tells[place]!;
  const heard = hears[told];
  if (heard === true) hear(Proximity, entity);
  else if (heard === false) Proximity.volume[entity] = 0;
  if (MEDIA_COMMANDS[told] !== null) Proximity.told[entity] = told;
  Proximity.stableMin[entity] = zone === OUTSIDE ? Proximity.limit[entity]! * Proximity.limit[entity]! : 0;
  Proximity.calmTill[entity] = 0;
  if (zone === OUTSIDE) Proximity.calmTill[entity] = Number.POSITIVE_INFINITY;
  // Where the view counts, a turn of the camera may change the answer too.
  else if (zone === INSIDE && Proximity.viewed[entity] === 0)
    Proximity.calmTill[entity] = Proximity.inner[entity]! * Proximity.inner[entity]!;
  if (Proximity.zone[entity] !== zone) enter(world, entity, zone);
}

/** Measures a sensor's distance, and asks the guards of its chart: after one that decides, none of the others. */
function outcomesOf(world: SceneWorld, entity: number): number {
  const { Proximity } = world;
  measure(world, entity);
  const look = Proximity.viewed[entity] === 0 ? events.look + guards.isAudioOnly : events.look;
  if (isOutside(Proximity, entity)) return look + guards.isOutside;
  if (Proximity.viewed[entity] === 1 && !inView(world, entity)) return look + guards.isOutOfView;
  return isInside(Proximity, entity) ? look + guards.isInside : look;
}

function enter(world: SceneWorld, entity: number, zone: number): void {
  const { Proximity, elements, outbox } = world;
  Proximity.zone[entity] = zone;
  wakeMedia(world, entity);
  const element_id = elements[entity]!.id;
  outbox.push({ type: 'proximity', element_id, zone: ZONES[zone]!, volume: Proximity.volume[entity]! });
}

/**
 * Zone (index into `ZONES`) and volume that a sensor has at the last tick's pose, also while a look waits for its
 * 150 ms. Changes nothing.
 */
export function currentZone(world: SceneWorld, entity: number): { zone: number; volume: number } {
  const { Proximity, sensors } = world;
  const held = { zone: Proximity.zone[entity]!, volume: Proximity.volume[entity]! };
  if (!sensors.waiting) return held;
  const place = held.zone * row + outcomesOf(world, entity);
  const heard = hears[tells[place]!];
  if (heard) hear(Proximity, entity);
  const volume = heard ? Proximity.volume[entity]! : 0;
  Proximity.volume[entity] = held.volume;
  return { zone: next[place]!, volume: heard === null ? held.volume : volume };
}
