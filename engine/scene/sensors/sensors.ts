import { addComponent, hasComponent, removeComponent } from 'bitecs';
import { FADE_ZONE, PROXIMITY_DISTANCE } from '../../document/constants.ts';
import type { Element } from '../../document/element.ts';
import { paramsOf } from '../../machines/chart-table.ts';
import { type ProximityCommand, readInner } from '../../machines/proximity-state.ts';
import { proximityTable } from '../../machines/tables.ts';
import type { SceneWorld } from '../world.ts';

/** Zones by the number that the Proximity component holds: the states of the chart. */
export const ZONES = proximityTable.states;

/** What the media of a sensor is told, by the number that the Proximity component holds; null for nothing. */
export const MEDIA_COMMANDS = paramsOf<ProximityCommand>(proximityTable, 'media');

/** Whether an entity has a proximity sensor. */
export const isSensor = ({ ecs, Proximity }: SceneWorld, entity: number): boolean =>
  hasComponent(ecs, entity, Proximity);

/** Takes an element's proximity sensor from the document. */
export function readSensor(world: SceneWorld, entity: number, { config }: Element): void {
  const { ecs, Proximity } = world;
  const had = isSensor(world, entity);
  const has = Boolean(config.proximity_sensor);
  if (!had && !has) return;
  const { proximity_sensor_distance: distance } = config;
  const reach = Math.max(0, Number.isFinite(distance) ? distance : PROXIMITY_DISTANCE);
  Proximity.distance[entity] = has ? reach : 0;
  const viewed = config.proximity_sensor_audio_only ? 0 : 1;
  // What an audio-only one told its media means something else to others: the chart begins anew.
  if (!had || !has || viewed !== Proximity.viewed[entity]) {
    Proximity.zone[entity] = 0;
    Proximity.told[entity] = 0;
    Proximity.volume[entity] = 0;
  }
  Proximity.viewed[entity] = viewed;
  if (had && has) {
    wakeSensor(world, entity, true);
    return;
  }
  if (has) addComponent(ecs, entity, Proximity);
  else removeComponent(ecs, entity, Proximity);
  readLimit(world, entity);
  world.sensors.stale = true;
}

/**
 * Has a sensor looked at again, silent while it is not visible; other entities are left alone.
 * @param urgent whether it cannot wait for the next look
 */
export function wakeSensor(world: SceneWorld, entity: number, urgent: boolean): void {
  const { Proximity, sensors } = world;
  if (!isSensor(world, entity)) return;
  readLimit(world, entity);
  if (urgent) sensors.urgent = true;
  if (Proximity.woken[entity]) return;
  Proximity.woken[entity] = 1;
  sensors.woken[sensors.wokenCount++] = entity;
}

/** Has a sensor reach as far as its distance and its visibility let it, from the next look on. */
export function readLimit({ Proximity, Visibility }: SceneWorld, entity: number): void {
  Proximity.stableMin[entity] = Proximity.calmTill[entity] = 0;
  Proximity.limit[entity] = Visibility.visible[entity] ? Proximity.distance[entity]! : 0;
  readInner(Proximity, entity, FADE_ZONE);
}
