import { deleteWorld } from 'bitecs';
import type { Element } from '../document/element.ts';
import type { Room } from '../document/room.ts';
import { arrange } from './entities/order.ts';
import type { ProximityZone, SceneEvent } from './events/events.ts';
import { readMatrix, type TransformFields, writeTransform } from './hierarchy/transform.ts';
import { type MarkerLook, readLook } from './markers/markers.ts';
import { type MediaState, readMediaState, volumeNow } from './media/media-state.ts';
import { type MotionState, readMotionState } from './motion/motion.ts';
import { phase } from './motion/pulse.ts';
import { isSensor, ZONES } from './sensors/sensors.ts';
import { readState, type SceneState } from './state.ts';
import { isNear } from './streaming/streaming.ts';
import { runTick } from './tick.ts';
import type { TickInput } from './tick-input.ts';
import { createSceneWorld, type SceneOptions, type SceneWorld } from './world.ts';

export type { SceneEvent } from './events/events.ts';
export type { MediaState } from './media/media-state.ts';
export type { MotionState } from './motion/motion.ts';
export type { SceneState } from './state.ts';
export type { TickInput } from './tick-input.ts';
export type { CameraPose } from './view/camera-pose.ts';
export type { VisitorInput } from './visitor-input.ts';
export type { SceneOptions } from './world.ts';

/** A room being played. Entities are numbers that stay an element's own until it is removed. */
export interface Scene {
  /** The document, with the edits that the scene has taken over. */
  readonly room: Room;
  /** Brings everything to a time and a camera pose: forwards, backwards, or the same time again. */
  tick(input: TickInput): void;
  /** What edits since the tick before, and then the last tick itself brought. The next tick uses the array again. */
  readonly events: readonly SceneEvent[];
  /** Moves, turns or scales an element in its parent, from the next tick on. The document does not change. */
  setTransform(entity: number, transform: TransformFields): void;
  /** Moves an element in its parent, from the next tick on; units. The fast way for what moves all the time. */
  setPosition(entity: number, x: number, y: number, z: number): void;
  /** Entity of an element; undefined when there is none. */
  entityOf(elementId: number): number | undefined;
  /** Element of an entity as it stands in the document; undefined when the entity has none. */
  elementOf(entity: number): Element | undefined;
  /** Entities whose world matrix changed in the last tick: the first `count` of `list`. */
  readonly moved: { readonly list: Uint32Array; readonly count: number };
  /** Whether an element is there: not hidden, its window open, and all groups that hold it visible. */
  isVisible(entity: number): boolean;
  /** Whether what an element needs is to be there: always for what is light, since `element.near` for what is heavy. */
  isNear(entity: number): boolean;
  /** Writes an element's world matrix after the last tick: 4 × 4, column-major, 16 numbers from `offset` on. */
  worldMatrix(entity: number, out: Float32Array | number[], offset?: number): void;
  /** Zone of a proximity sensor when it was last told; undefined for other elements. */
  zone(entity: number): ProximityZone | undefined;
  /** Volume from 0 to 1 that an element's proximity sensor leaves, to be read each tick; 1 without a sensor. */
  volume(entity: number): number;
  /** An element's sound or video as it is now: what a player that has just been made begins with. */
  media(entity: number): MediaState | undefined;
  /**
   * Volume from 0 to 100 at which an element's player is to play, to be read each tick while it plays: the visitor's
   * volume, times what its proximity sensor leaves of it.
   */
  mediaVolume(entity: number): number;
  /** Clip of a motion and seconds since it began; undefined for what is no motion or stands still. */
  motion(entity: number): MotionState | undefined;
  /**
   * How far a view point's pulse, or a model's animation of `seconds`, has come: from 0 to below 1, by the room's time.
   */
  phase(entity: number, seconds?: number): number;
  /** How another visitor's marker is to be drawn, by its element id; null for what is no marker. */
  markerLook(elementId: number): MarkerLook | null;
  /** Grows whenever a tick or a patch changed anything that is drawn. */
  readonly version: number;
  /** A snapshot after the last tick. */
  state(): SceneState;
  /** Disposes of everything; the scene is not used again. */
  dispose(): void;
}

/**
 * Starts to play a room. Elements that cannot be played are left out with everything in them; the first tick reports
 * them as `error` events. Elements with a window are not visible before the first tick tells the time.
 * @param room the document; not changed
 */
export function createScene(room: Room, options: SceneOptions = {}): Scene {
  return playWorld(createSceneWorld(room, options));
}

/** The worlds that scenes play, for who edits them. */
export const worlds = new WeakMap<Scene, SceneWorld>();

/** Plays what is to come in a world that has no entities yet. */
export function playWorld(world: SceneWorld): Scene {
  arrange(world);
  // These never become other objects; only their arrays do.
  const { Transform, ChildOf, order, Proximity } = world;
  // Room and version are written, not computed: an object literal with getters is slow to call anything on.
  const scene = {
    room: world.room,
    version: world.version,
    events: world.events,
    moved: world.moved,
    tick(input: TickInput) {
      runTick(world, input);
      scene.version = world.version;
    },
    setTransform(entity: number, transform: TransformFields) {
      if (world.elements[entity]) writeTransform(world, entity, transform);
    },
    setPosition(entity: number, x: number, y: number, z: number) {
      const { position } = Transform;
      const at = entity * 3;
      position[at] = x;
      position[at + 1] = y;
      position[at + 2] = z;
      const rank = ChildOf.rank[entity]!;
      order.dirty[rank >>> 5]! |= 1 << rank;
      world.dirty = true;
    },
    entityOf: (elementId: number) => world.byId.get(elementId),
    elementOf: (entity: number) => world.elements[entity],
    isVisible: (entity: number) => world.Visibility.visible[entity] === 1,
    isNear: (entity: number) => isNear(world, entity),
    worldMatrix: (entity: number, out: Float32Array | number[], offset?: number) =>
      readMatrix(world, entity, out, offset),
    zone: (entity: number) => (isSensor(world, entity) ? ZONES[Proximity.zone[entity]!] : undefined),
    volume: (entity: number) => (isSensor(world, entity) ? Proximity.volume[entity]! : 1),
    media: (entity: number) => readMediaState(world, entity),
    mediaVolume: (entity: number) => volumeNow(world, entity),
    motion: (entity: number) => readMotionState(world, entity),
    phase: (entity: number, seconds?: number) => phase(world, entity, seconds),
    markerLook: (elementId: number) => readLook(world, elementId),
    state: () => readState(world),
    dispose() {
      deleteWorld(world.ecs);
      world.byId.clear();
      world.elements.length = 0;
      world.events.length = 0;
      world.pending.length = 0;
    },
  };
  worlds.set(scene, world);
  return scene;
}
