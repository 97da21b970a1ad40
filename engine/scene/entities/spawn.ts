import { addComponent, addEntity, hasComponent, removeEntity } from 'bitecs';
import type { Element } from '../../document/element.ts';
import { markTurned, writeLinear } from '../hierarchy/transform.ts';
import { forgetMedia, readMedia } from '../media/media-state.ts';
import { forgetMotion, readMotion } from '../motion/motion.ts';
import { readPulse } from '../motion/pulse.ts';
import { forgetPlaces, readPlaces } from '../places/places.ts';
import { readRealtime } from '../presence/presence.ts';
import { readSensor } from '../sensors/sensors.ts';
import { forgetLoad, readLoad } from '../streaming/streaming.ts';
import { forgetWindow, readWindow } from '../windows/windows.ts';
import type { SceneWorld } from '../world.ts';
import { reserve } from './reserve.ts';

/** Side length assumed for missing dimensions, in units; affects only the bounding sphere. */
const DEFAULT_SIDE = 200;

/** Rank of unranked entities: past every array, so that marking one dirty by mistake has no effect. */
const UNRANKED = 2 ** 32 - 1;

const finite = (value: unknown, fallback: number): number =>
  typeof value === 'number' && Number.isFinite(value) ? value : fallback;

/**
 * Creates an entity for an element, without its children and without a rank.
 * @returns the entity
 */
export function spawn(world: SceneWorld, element: Element): number {
  const { ecs } = world;
  const entity = addEntity(ecs);
  reserve(world, entity);
  for (const component of [
    world.Transform,
    world.WorldMatrix,
    world.ChildOf,
    world.Dirty,
    world.Visibility,
    world.Size,
  ])
    addComponent(ecs, entity, component);
  world.byId.set(element.id, entity);
  world.elements[entity] = element;
  world.Visibility.visible[entity] = 0;
  readTransform(world, entity, element);
  describe(world, entity, element);
  return entity;
}

/** Reads an entity's transform from its element. */
export function readTransform(world: SceneWorld, entity: number, element: Element): void {
  const { Transform } = world;
  const at = entity * 3;
  Transform.position[at] = finite(element.position_x, 0);
  Transform.position[at + 1] = finite(element.position_y, 0);
  Transform.position[at + 2] = finite(element.position_z, 0);
  Transform.rotation[at] = finite(element.rotation_x, 0);
  Transform.rotation[at + 1] = finite(element.rotation_y, 0);
  Transform.rotation[at + 2] = finite(element.rotation_z, 0);
  Transform.scale[at] = finite(element.scale_x, 1);
  Transform.scale[at + 1] = finite(element.scale_y, 1);
  Transform.scale[at + 2] = finite(element.scale_z, 1);
  writeLinear(world, entity);
  markTurned(world, entity);
}

/** Reads everything but the transform from an element, adding and removing components as needed. */
export function describe(world: SceneWorld, entity: number, element: Element): void {
  world.Visibility.hidden[entity] = element.hidden ? 1 : 0;
  const { width, height, depth } = element;
  world.Size.radius[entity] =
    Math.hypot(finite(width, DEFAULT_SIDE), finite(height, DEFAULT_SIDE), finite(depth, DEFAULT_SIDE)) / 2;
  readWindow(world, entity, element);
  readPlaces(world, entity, element);
  readSensor(world, entity, element);
  readLoad(world, entity, element);
  readMedia(world, entity, element);
  readMotion(world, entity, element);
  readPulse(world, entity, element);
  readRealtime(world, entity, element);
}

/** Removes an entity; bitecs may reuse its number. */
export function despawn(world: SceneWorld, entity: number): void {
  if (hasComponent(world.ecs, entity, world.Window)) forgetWindow(world, entity);
  forgetPlaces(world, entity);
  forgetLoad(world, entity);
  forgetMedia(world, entity);
  forgetMotion(world, entity);
  if (hasComponent(world.ecs, entity, world.Realtime)) world.presence.stale = true;
  world.Visibility.visible[entity] = 0;
  world.Proximity.distance[entity] = 0;
  world.Proximity.limit[entity] = 0;
  world.Dirty.turned[entity] = 0;
  world.Pulse.period[entity] = 0;
  world.Pulse.animated[entity] = 0;
  world.elements[entity] = undefined;
  world.ChildOf.parent[entity] = 0;
  world.ChildOf.rank[entity] = UNRANKED;
  removeEntity(world.ecs, entity);
}
