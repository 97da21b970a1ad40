import { deleteWorld } from 'bitecs';
import type { Element } from '../document/element.ts';
import type { Room } from '../document/room.ts';
import { createSceneWorld } from './create-world.ts';
import { arrange } from './entities/order.ts';
import type { ProximityZone, SceneEvent } from './events/events.ts';
import { readMatrix, type TransformFields, writeTransform } from './hierarchy/transform.ts';
import { type MarkerLook, type MarkerState, readLook, readMarkers } from './markers/markers.ts';
import { type MediaState, readMediaState, volumeNow } from './media/media-state.ts';
import { type MotionState, readMotionState } from './motion/motion.ts';
import { phase } from './motion/pulse.ts';
import { isSensor, ZONES } from './sensors/sensors.ts';
import { readState, type SceneState } from './state.ts';
import { isNear } from './streaming/streaming.ts';
import { runTick } from './tick.ts';
import type { TickInput } from './tick-input.ts';
import type { SceneOptions, SceneWorld } from './world.ts';

export type { SceneEvent } from './events/events.ts';
export type { MediaState } from './media/media-state.ts';
export type { MotionState } from './motion/motion.ts';
export type { SceneState } from './state.ts';
export type { TickInput } from './tick-input.ts';
export type { CameraPose } from './view/camera-pose.ts';
export type { VisitorInput } from './visitor-input.ts';
export type { SceneOptions } from './world.ts';

/** A room being played. Entities are numbers that identify an element until it is removed. */
export interface Scene {
  /** The document, including edits applied to the scene. */
  readonly room: Room;
  /** Updates everything to a time and camera pose: forwards, backwards, or the same time again. */
  tick(input: TickInput): void;
  /** Events of edits since the previous tick, then of the last tick. The array is reused by the next tick. */
  readonly events: readonly SceneEvent[];
  /**
   * Moves, rotates or scales an element relative to its parent from the next tick on, without changing the document.
   */
  setTransform(entity: number, transform: TransformFields): void;
  /** Moves an element relative to its parent from the next tick on, in units. Fast path for continuous movement. */
  setPosition(entity: number, x: number, y: number, z: number): void;
  /** Entity of an element; undefined if there is none. */
  entityOf(elementId: number): number | undefined;
  /** The document's element for an entity; undefined if there is none. */
  elementOf(entity: number): Element | undefined;
  /** Entities whose world matrix changed in the last tick: the first `count` of `list`. */
  readonly moved: { readonly list: Uint32Array; readonly count: number };
  /** The items of feeds, which aren't part of the document. */
  feedElements(): Element[];
  /** Whether an element is visible: not hidden, its window open, at the current view point, and all its ancestor groups visible. */
  isVisible(entity: number): boolean;
  /**
   * Whether an element's resources should be loaded: always for light elements, from `element.near` on for heavy
   * ones.
   */
  isNear(entity: number): boolean;
  /** Limits the loaded elements to what a device can hold: players and pages, and models. */
  hold(limits: { players: number; models: number }): void;
  /** Writes an element's world matrix after the last tick: 4 × 4, column-major, 16 numbers starting at `offset`. */
  worldMatrix(entity: number, out: Float32Array | number[], offset?: number): void;
  /** Zone of a proximity sensor as last reported; undefined for other elements. */
  zone(entity: number): ProximityZone | undefined;
  /** Volume factor of an element's proximity sensor from 0 to 1, to be read each tick; 1 without a sensor. */
  volume(entity: number): number;
  /** Current state of an element's media, for initializing its player. */
  media(entity: number): MediaState | undefined;
  /**
   * Volume for an element's player from 0 to 100, to be read each tick while it plays: the visitor's volume × sensor
   * volume × gain of the file, which may exceed 100.
   */
  mediaVolume(entity: number): number;
  /** Clip of a motion and seconds since it started; undefined if the element isn't an animated motion. */
  motion(entity: number): MotionState | undefined;
  /** Phase (0 to 1, exclusive) of a view point's pulse or of a model animation that lasts `seconds`, by room time. */
  phase(entity: number, seconds?: number): number;
  /** Appearance of another visitor's marker by element id; null for other elements. */
  markerLook(elementId: number): MarkerLook | null;
  /** Id of the current view point; 0 for none. */
  readonly place: number;
  /** Other visitors as their markers show them after the last tick. */
  markers(): MarkerState[];
  /** Increases whenever a tick or a patch changes anything visible. */
  readonly version: number;
  /** A snapshot after the last tick. */
  state(): SceneState;
  /** Frees all resources; the scene can't be used afterwards. */
  dispose(): void;
}

/**
 * Creates a scene. Invalid elements are skipped with their subtrees and reported as `error` events by the first tick.
 * Elements with a window are invisible until the first tick provides the time.
 * @param room the document; not changed
 */
export function createScene(room: Room, options: SceneOptions = {}): Scene {
  return playWorld(createSceneWorld(room, options));
}

/** The world of each scene, for applying edits. */
export const worlds = new WeakMap<Scene, SceneWorld>();

/** Creates the scene of a world without entities. */
export function playWorld(world: SceneWorld): Scene {
  arrange(world);
  for (const { id } of world.transient.video.elements) world.outbox.push({ type: 'element.added', element_id: id });
  // These objects are never replaced; only their arrays are.
  const { Transform, ChildOf, order, Proximity } = world;
  // Plain properties: calls on an object literal with getters are slow.
  const scene = {
    room: world.room,
    version: world.version,
    place: world.choice.place,
    events: world.events,
    moved: world.moved,
    tick(input: TickInput) {
      runTick(world, input);
      scene.version = world.version;
      scene.place = world.choice.place;
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
    feedElements: () => [...world.transient.feeds.values()].flatMap(({ elements }) => elements),
    isVisible: (entity: number) => world.Visibility.visible[entity] === 1,
    isNear: (entity: number) => isNear(world, entity),
    hold({ players, models }: { players: number; models: number }) {
      world.streaming.players.most = players;
      world.streaming.models.most = models;
    },
    worldMatrix: (entity: number, out: Float32Array | number[], offset?: number) =>
      readMatrix(world, entity, out, offset),
    zone: (entity: number) => (isSensor(world, entity) ? ZONES[Proximity.zone[entity]!] : undefined),
    volume: (entity: number) => (isSensor(world, entity) ? Proximity.volume[entity]! : 1),
    media: (entity: number) => readMediaState(world, entity),
    mediaVolume: (entity: number) => volumeNow(world, entity),
    motion: (entity: number) => readMotionState(world, entity),
    phase: (entity: number, seconds?: number) => phase(world, entity, seconds),
    markerLook: (elementId: number) => readLook(world, elementId),
    markers: () => readMarkers(world),
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
