import { query } from 'bitecs';
import { paramsOf } from '../../machines/chart-table.ts';
import { hear, isInside, isOutside } from '../../machines/proximity-state.ts';
import { proximityTable } from '../../machines/tables.ts';
import { wakeMedia } from '../media/media-state.ts';
import { MEDIA_COMMANDS, ZONES } from '../sensors/sensors.ts';
import { inView } from '../view/view.ts';
import type { SceneWorld } from '../world.ts';

/** Room time in seconds between two scans while time runs forward. */
const INTERVAL = 0.15;

const { next, told: tells, events, guards, row } = proximityTable;
const OUTSIDE = ZONES.indexOf('outside');
const FADING = ZONES.indexOf('fading');
const INSIDE = ZONES.indexOf('inside');

/** By index of a step's commands: whether the sensor is audible from then on; null if its volume doesn't change. */
const hears = paramsOf<boolean>(proximityTable, 'hear');

/**
 * Updates the zone and volume of every proximity sensor from its distance to the camera and from what the camera sees.
 *
 * While time runs forward, all sensors are scanned every 150 ms if anything moved. After a jump, with a stopped clock,
 * and when an element appears or disappears, they are scanned at once. `currentZone` answers between scans.
 */
export function proximity(world: SceneWorld): void {
  const { sensors } = world;
  if (sensors.stale) listSensors(world);
  if (world.moved.count > 0) sensors.waiting = true;
  if (!sensors.waiting && !sensors.urgent) return;
  const since = world.time - sensors.scannedAt;
  if (since > 0 && since < INTERVAL && !sensors.urgent) return;
  scan(world);
  sensors.scannedAt = world.time;
  sensors.waiting = false;
  sensors.urgent = false;
}

function listSensors(world: SceneWorld): void {
  const { sensors, ChildOf } = world;
  sensors.all = Uint32Array.from(query(world.ecs, [world.Proximity]));
  sensors.all.sort((a, b) => ChildOf.rank[a]! - ChildOf.rank[b]!);
  sensors.stale = false;
  sensors.urgent = true;
}

function scan(world: SceneWorld): void {
  const { Proximity } = world;
  const { all } = world.sensors;
  const { position } = world.WorldMatrix;
  const { x, y, z } = world.view;
  const { zone, viewed, square } = Proximity;
  for (let at = 0; at < all.length; at++) {
    const entity = all[at]!;
    const dx = position[entity * 3]! - x;
    const dy = position[entity * 3 + 1]! - y;
    const dz = position[entity * 3 + 2]! - z;
    square[entity] = dx * dx + dy * dy + dz * dz;
    // Fast path: most sensors stay in their zone, where `updateZone` would have no effect.
    if (zone[entity] === OUTSIDE) {
      if (isOutside(Proximity, entity)) continue;
    } else if (viewed[entity] === 0 && !isOutside(Proximity, entity)) {
      const inside = isInside(Proximity, entity);
      if (inside && zone[entity] === INSIDE) continue;
      if (!inside && zone[entity] === FADING) {
        hear(Proximity, entity);
        continue;
      }
    }
    updateZone(world, entity);
  }
}

/** Stores the squared distance; returning a fractional number may allocate it on the heap. */
function measure({ WorldMatrix, view, Proximity }: SceneWorld, entity: number): void {
  const { position } = WorldMatrix;
  const dx = position[entity * 3]! - view.x;
  const dy = position[entity * 3 + 1]! - view.y;
  const dz = position[entity * 3 + 2]! - view.z;
  Proximity.square[entity] = dx * dx + dy * dy + dz * dz;
}

/** Takes one step of a sensor's chart. */
function updateZone(world: SceneWorld, entity: number): void {
  const { Proximity } = world;
  const place = Proximity.zone[entity]! * row + outcomesOf(world, entity);
  const zone = next[place]!;
  const told = tells[place]!;
  const heard = hears[told];
  if (heard === true) hear(Proximity, entity);
  else if (heard === false) Proximity.volume[entity] = 0;
  if (MEDIA_COMMANDS[told] !== null) Proximity.told[entity] = told;
  if (Proximity.zone[entity] !== zone) enter(world, entity, zone);
}

/** The event "look" with the outcomes of the chart's guards: once one decides, the others aren't evaluated. */
function outcomesOf(world: SceneWorld, entity: number): number {
  const { Proximity } = world;
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

/** Zone (index into `ZONES`) and volume of a sensor at the last tick's pose, even before the next scan. */
export function currentZone(world: SceneWorld, entity: number): { zone: number; volume: number } {
  const { Proximity, sensors } = world;
  const held = { zone: Proximity.zone[entity]!, volume: Proximity.volume[entity]! };
  if (!sensors.waiting) return held;
  measure(world, entity);
  const place = held.zone * row + outcomesOf(world, entity);
  const heard = hears[tells[place]!];
  if (heard) hear(Proximity, entity);
  const volume = heard ? Proximity.volume[entity]! : 0;
  Proximity.volume[entity] = held.volume;
  return { zone: next[place]!, volume: heard === null ? held.volume : volume };
}
