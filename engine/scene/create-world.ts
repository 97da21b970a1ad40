import { createWorld, registerComponents } from 'bitecs';
import type { Room } from '../document/room.ts';
import { createComponents } from './entities/components.ts';
import { createMarks } from './entities/reserve.ts';
import type { SceneEvent } from './events/events.ts';
import { createDeadlines } from './media/deadlines.ts';
import { createStreaming } from './streaming/streaming-state.ts';
import { createCameraView } from './view/camera-pose.ts';
import { createTimeQueue } from './windows/time-queue.ts';
import type { SceneOptions, SceneWorld } from './world.ts';

const INITIAL_CAPACITY = 64;

/** The view point where visits start; 0 for none. */
function startPlace({ config, elements }: Partial<Room>): number {
  // Rooms are also played without validation.
  const start = config?.start_view_point_id;
  const isThere = start && elements?.some(({ id, element }) => id === start && element === 'view_point');
  return isThere ? start : 0;
}

/** Creates a world without entities. */
export function createSceneWorld(
  room: Room,
  { epoch = 0, seed = 0, streamSeed = 0, visitor, windowless = false }: SceneOptions,
): SceneWorld {
  const pending: SceneEvent[] = [];
  const ecs = createWorld();
  const components = createComponents(INITIAL_CAPACITY);
  registerComponents(ecs, Object.values(components));
  return {
    ecs,
    ...components,
    capacity: INITIAL_CAPACITY,
    room,
    epoch,
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
      entities: new Uint32Array(INITIAL_CAPACITY),
      ends: new Uint32Array(INITIAL_CAPACITY),
      dirty: createMarks(INITIAL_CAPACITY),
    },
    dirty: false,
    turned: false,
    moved: { list: new Uint32Array(INITIAL_CAPACITY), count: 0 },
    time: Number.NaN,
    tick: 0,
    edges: createTimeQueue(),
    zoned: new Set(),
    edgesAt: Number.NaN,
    view: createCameraView(),
    sensors: { all: new Uint32Array(0), stale: true, waiting: false, urgent: false, scannedAt: Number.NaN },
    streaming: createStreaming(),
    media: {
      woken: new Uint32Array(INITIAL_CAPACITY),
      startedAt: new Float64Array(INITIAL_CAPACITY),
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
    choice: { place: windowless ? 0 : startPlace(room), inPanorama: false, slider: 0, slide: 0 },
    placed: new Set(),
    transient: { nextId: -1, feeds: new Map(), markers: [], video: { of: [], elements: [] } },
    presence: { byKey: new Map(), byId: new Map(), elements: [], stale: false, gone: false, sentAt: Number.NaN },
    version: 0,
    events: [],
    pending,
    outbox: pending,
  };
}
