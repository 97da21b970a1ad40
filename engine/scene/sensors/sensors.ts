import { addComponent, hasComponent, removeComponent } from 'bitecs';
import { FADE_ZONE, PROXIMITY_DISTANCE } from '../../document/constants.ts';
import type { Element } from '../../document/element.ts';
import { paramsOf } from '../../machines/chart-table.ts';
import { type ProximityCommand, readInner } from '../../machines/proximity-state.ts';
import { proximityTable } from '../../machines/tables.ts';
import type { SceneWorld } from '../world.ts';

/** Zones by index in the Proximity component: the states of the chart. */
export const ZONES = proximityTable.states;

/** Media commands of a sensor by index in the Proximity component; null for none. */
export const MEDIA_COMMANDS = paramsOf<ProximityCommand>(proximityTable, 'media');

export const isSensor = ({ ecs, Proximity }: SceneWorld, entity: number): boolean =>
  hasComponent(ecs, entity, Proximity);

/** Reads an element's proximity sensor from the document. */
export function readSensor(world: SceneWorld, entity: number, { config }: Element): void {
  const { ecs, Proximity } = world;
  const had = isSensor(world, entity);
  const has = Boolean(config.proximity_sensor);
  if (!had && !has) return;
  const { proximity_sensor_distance: distance } = config;
  const reach = Math.max(0, Number.isFinite(distance) ? distance : PROXIMITY_DISTANCE);
  Proximity.distance[entity] = has ? reach : 0;
  const viewed = config.proximity_sensor_audio_only ? 0 : 1;
  // Commands differ between audio-only sensors and others, so the chart restarts.
  if (!had || !has || viewed !== Proximity.viewed[entity]) {
    Proximity.zone[entity] = 0;
    Proximity.told[entity] = 0;
    Proximity.volume[entity] = 0;
  }
  Proximity.viewed[entity] = viewed;
  if (had && has) {
    wakeSensor(world, entity);
    return;
  }
  if (has) addComponent(ecs, entity, Proximity);
  else removeComponent(ecs, entity, Proximity);
  readLimit(world, entity);
  world.sensors.stale = true;
}

/** Scans the sensors at the next tick because this one moved, appeared or disappeared; does nothing for other entities. */
export function wakeSensor(world: SceneWorld, entity: number): void {
  if (!isSensor(world, entity)) return;
  readLimit(world, entity);
  world.sensors.urgent = true;
}

/** Updates a sensor's effective distance, which is 0 while it is invisible. */
export function readLimit({ Proximity, Visibility }: SceneWorld, entity: number): void {
  Proximity.limit[entity] = Visibility.visible[entity] ? Proximity.distance[entity]! : 0;
  readInner(Proximity, entity, FADE_ZONE);
}
