import { createWorld, type World } from 'bitecs';
import type { Element } from '../document/element.ts';
import type { Room } from '../document/room.ts';
import { type CameraView, createCameraView } from './camera-pose.ts';
import { type Components, createComponents, growComponents } from './components.ts';
import type { SceneEvent } from './events.ts';
import { createProximityQueue, type ProximityQueue } from './proximity-queue.ts';
import { createTimeQueue, type TimeQueue } from './time-queue.ts';

/** Entities in the document's order, parents before children: every subtree is a range of ranks. */
export interface PreOrder {
  count: number;
  /** By rank. */
  entities: Uint32Array;
  /** By rank: the rank behind the last descendant. */
  ends: Uint32Array;
  /** By rank: whether its subtree waits for the next tick; and the same bytes four at a time. */
  dirty: Uint8Array;
  dirtyFours: Uint32Array;
}

/** Everything that the systems of one scene share. */
export interface SceneWorld extends Components {
  readonly ecs: World;
  capacity: number;
  room: Room;
  /** UTC second of the day at room time 0. */
  readonly dayStart: number;
  /** By entity. */
  readonly elements: (Element | undefined)[];
  /** Entity by element id. */
  readonly byId: Map<number, number>;
  /** Ids of elements that can't be played and have been reported. */
  readonly refused: Set<number>;
  readonly order: PreOrder;
  /** Whether any entity is dirty, and whether any of these changed more than its position. */
  dirty: boolean;
  turned: boolean;
  readonly moved: { list: Uint32Array; count: number };
  /** Room time in seconds; NaN before the first tick. */
  time: number;
  tick: number;
  readonly edges: TimeQueue;
  /** Room time up to which `edges` have passed; NaN when every window must be looked at. */
  edgesAt: number;
  readonly view: CameraView;
  /** Whether the pose changed since sensors were last looked at. */
  viewChanged: boolean;
  readonly sensors: ProximityQueue;
  version: number;
  readonly events: SceneEvent[];
  /** Events of patches, to be delivered with the next tick. */
  readonly pending: SceneEvent[];
  /** Where events go: `events` during a tick, `pending` between ticks. */
  outbox: SceneEvent[];
}

const FIRST_CAPACITY = 64;

function createMarks(capacity: number) {
  const dirtyFours = new Uint32Array(Math.ceil(capacity / 4));
  return { dirty: new Uint8Array(dirtyFours.buffer), dirtyFours };
}

/** A world without entities. */
export function createSceneWorld(room: Room, dayStart: number): SceneWorld {
  const pending: SceneEvent[] = [];
  return {
    ecs: createWorld(),
    ...createComponents(FIRST_CAPACITY),
    capacity: FIRST_CAPACITY,
    room,
    dayStart,
    elements: [],
    byId: new Map(),
    refused: new Set(),
    order: {
      count: 0,
      entities: new Uint32Array(FIRST_CAPACITY),
      ends: new Uint32Array(FIRST_CAPACITY),
      ...createMarks(FIRST_CAPACITY),
    },
    dirty: false,
    turned: false,
    moved: { list: new Uint32Array(FIRST_CAPACITY), count: 0 },
    time: Number.NaN,
    tick: 0,
    edges: createTimeQueue(),
    edgesAt: Number.NaN,
    view: createCameraView(),
    viewChanged: false,
    sensors: createProximityQueue(FIRST_CAPACITY),
    version: 0,
    events: [],
    pending,
    outbox: pending,
  };
}

/** Makes room for an entity in every array that entities index. */
export function reserve(world: SceneWorld, entity: number): void {
  if (entity < world.capacity) return;
  const to = Math.max(world.capacity * 2, entity + 1);
  const { Transform, WorldMatrix, ChildOf, Dirty, Size, Visibility, Window, Proximity } = world;
  growComponents({ Transform, WorldMatrix, ChildOf, Dirty, Size, Visibility, Window, Proximity }, world.capacity, to);
  const grown = (old: Uint32Array) => {
    const bigger = new Uint32Array(to);
    bigger.set(old);
    return bigger;
  };
  world.order.entities = grown(world.order.entities);
  world.order.ends = grown(world.order.ends);
  world.moved.list = grown(world.moved.list);
  world.sensors.woken = grown(world.sensors.woken);
  world.sensors.awake = grown(world.sensors.awake);
  const { dirty } = world.order;
  Object.assign(world.order, createMarks(to));
  world.order.dirty.set(dirty);
  world.capacity = to;
}
