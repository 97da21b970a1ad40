import { createWorld, registerComponents, type World } from 'bitecs';
import type { Element } from '../document/element.ts';
import type { Room } from '../document/room.ts';
import { type Components, createComponents } from './entities/components.ts';
import { createMarks } from './entities/reserve.ts';
import { createTransientElements, type TransientElements } from './entities/transient-elements.ts';
import type { SceneEvent } from './events/events.ts';
import { createDeadlines, type Deadlines } from './media/deadlines.ts';
import type { MotionStream } from './motion/motion.ts';
import { createPresence, type Presence } from './presence/presence.ts';
import { createProximityQueue, type ProximityQueue } from './proximity/proximity-queue.ts';
import { createStreaming, type StreamingState } from './streaming/streaming.ts';
import { type CameraView, createCameraView } from './view/camera-pose.ts';
import { createTimeQueue, type TimeQueue } from './windows/time-queue.ts';

/** Entities in the document's order, parents before children: every subtree is a range of ranks. */
export interface PreOrder {
  count: number;
  /** By rank. */
  entities: Uint32Array;
  /** By rank: the rank behind the last descendant. */
  ends: Uint32Array;
  /** A bit for each rank: whether its subtree waits for the next tick. */
  dirty: Int32Array;
}

/** What the media of a room have in common. */
interface MediaQueue {
  /** Media about which something changed, to be looked at; and for each of them when it began, in seconds. */
  woken: Uint32Array;
  startedAt: Float64Array;
  wokenCount: number;
  /** Edges of their time. */
  readonly deadlines: Deadlines;
  /** Room time of the last tick; NaN before the first. */
  time: number;
  /** Seconds that the room's time has jumped since then; 0 when it just passed. */
  jump: number;
  /** Whether it has been noticed that the visitor entered. */
  entered: boolean;
  /** Whether what begins from now on is muted. */
  muteAll: boolean;
  /** How loud everything is, from 0 to 1. */
  loudness: number;
  /** How many are muted because the browser refused to play them with sound. */
  refusals: number;
  /** Whether it has been told that some are, and not yet that none is any more. */
  offered: boolean;
  /** Entity whose media is over the whole page; 0 for none. */
  fullPage: number;
}

/** Everything that the systems of one scene share. */
export interface SceneWorld extends Components {
  readonly ecs: World;
  capacity: number;
  room: Room;
  /** UTC second of the day at room time 0. */
  dayStart: number;
  readonly seed: number;
  readonly streamSeed: number;
  readonly visitor: string | undefined;
  /** Whether windows don't count. */
  readonly windowless: boolean;
  /** Whether the visitor has entered. */
  entered: boolean;
  /** By entity. */
  readonly elements: (Element | undefined)[];
  /** Entity by element id. */
  readonly byId: Map<number, number>;
  /** Ids of elements that cannot be played and have been reported. */
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
  readonly streaming: StreamingState;
  readonly media: MediaQueue;
  /** Streams of motion capture. */
  readonly streams: MotionStream[];
  /**
   * The timed sequence: numbers of the states in which the two regions of its chart are, and the seconds last told; a
   * timer of −1 is not shown.
   */
  readonly timed: { sequence: number; popup: number; countdown: number; timer: number };
  /** Ids of what the visitor chose; 0 for nothing. */
  readonly choice: { viewPoint: number; slider: number; slide: number };
  readonly transient: TransientElements;
  readonly presence: Presence;
  version: number;
  readonly events: SceneEvent[];
  /** Events of patches, to be delivered with the next tick. */
  readonly pending: SceneEvent[];
  /** Where events go: `events` during a tick, `pending` between ticks. */
  outbox: SceneEvent[];
}

export interface SceneOptions {
  /** Source of everything that looks random and is the same in every visit; 0 unless given. */
  seed?: number;
  /** Source of what keeps caches from giving clips of an earlier visit: another one in each; 0 unless given. */
  streamSeed?: number;
  /** Reference of the visitor: positions under it are the visitor's own. */
  visitor?: string;
  /** UTC second of the day at room time 0; 0 unless given. */
  dayStart?: number;
  /**
   * Whether elements are there outside of their windows too, and all are fetched, as while a room is edited; false unless
   * given.
   */
  windowless?: boolean;
}

const FIRST_CAPACITY = 64;

/** A world without entities. */
export function createSceneWorld(
  room: Room,
  { dayStart = 0, seed = 0, streamSeed = 0, visitor, windowless = false }: SceneOptions,
): SceneWorld {
  const pending: SceneEvent[] = [];
  const ecs = createWorld();
  const components = createComponents(FIRST_CAPACITY);
  registerComponents(ecs, Object.values(components));
  return {
    ecs,
    ...components,
    capacity: FIRST_CAPACITY,
    room,
    dayStart,
    seed,
    streamSeed,
    visitor,
    windowless,
    entered: false,
    elements: [],
    byId: new Map(),
    refused: new Set(),
    order: {
      count: 0,
      entities: new Uint32Array(FIRST_CAPACITY),
      ends: new Uint32Array(FIRST_CAPACITY),
      dirty: createMarks(FIRST_CAPACITY),
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
    streaming: createStreaming(),
    media: {
      woken: new Uint32Array(FIRST_CAPACITY),
      startedAt: new Float64Array(FIRST_CAPACITY),
      wokenCount: 0,
      deadlines: createDeadlines(),
      time: Number.NaN,
      jump: 0,
      entered: false,
      muteAll: false,
      loudness: 1,
      refusals: 0,
      offered: false,
      fullPage: 0,
    },
    streams: [],
    timed: { sequence: 0, popup: 0, countdown: 0, timer: -1 },
    choice: { viewPoint: 0, slider: 0, slide: 0 },
    transient: createTransientElements(),
    presence: createPresence(),
    version: 0,
    events: [],
    pending,
    outbox: pending,
  };
}
