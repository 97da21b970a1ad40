import type { ProximityZone } from './events/events.ts';
import { readMatrix } from './hierarchy/transform.ts';
import { type MarkerState, readMarkers } from './markers/markers.ts';
import { type MediaState, readMediaState } from './media/media-state.ts';
import { type MotionState, readMotionState } from './motion/motion.ts';
import { phase } from './motion/pulse.ts';
import { currentZone } from './proximity/proximity.ts';
import { isSensor, ZONES } from './sensors/sensors.ts';
import { type PopupState, readPopup, readTimed, type TimedRoomState } from './timed/timed.ts';
import type { SceneWorld } from './world.ts';

/** State of one element after a tick. Numbers are rounded to four decimals. */
export interface ElementState {
  visible: boolean;
  /** World matrix, 4 × 4, column-major. */
  matrix: number[];
  /** Zone and volume of its proximity sensor. */
  zone?: ProximityZone;
  volume?: number;
  /** State of its audio or video. */
  media?: MediaState;
  /** Clip and time of motion capture. */
  motion?: MotionState;
  /** Phase of a view point's pulse, 0 to 1. */
  pulse?: number;
}

/** Snapshot of a scene after a tick: plain data that depends only on room, time, pose and moves, not on history. */
export interface SceneState {
  /** Room time in seconds. */
  time: number;
  /** By element id; feed items have negative ids. */
  elements: Record<number, ElementState>;
  /** Only in timed rooms. */
  timed?: TimedRoomState;
  /** Only in rooms with a timed pop-up. */
  popup?: PopupState;
  /** Other visitors, if any. */
  markers?: MarkerState[];
  /** The current view point: where the visit started, or the last chosen one. */
  view_point?: number;
  /** The open slider's group and the current slide. */
  slider?: { element_id: number; slide: number };
}

const round = (value: number) => Math.round(value * 10_000) / 10_000 + 0;

/** A snapshot of a world after its last tick. */
export function readState(world: SceneWorld): SceneState {
  const elements: Record<number, ElementState> = {};
  const matrix: number[] = [];
  for (const [id, entity] of world.byId) {
    if (world.presence.byId.has(id)) continue;
    readMatrix(world, entity, matrix);
    const element: ElementState = { visible: world.Visibility.visible[entity] === 1, matrix: matrix.map(round) };
    if (isSensor(world, entity)) {
      const { zone, volume } = currentZone(world, entity);
      element.zone = ZONES[zone];
      element.volume = round(volume);
    }
    const media = readMediaState(world, entity);
    if (media) element.media = { ...media, at: round(media.at), volume: round(media.volume) };
    const motion = readMotionState(world, entity);
    if (motion) element.motion = { ...motion, seconds: round(motion.seconds) };
    if (world.elements[entity]!.element === 'view_point') element.pulse = round(phase(world, entity));
    elements[id] = element;
  }
  return { time: world.time, elements, ...readRoomState(world) };
}

/** State of the room as a whole; absent parts are omitted. */
function readRoomState(world: SceneWorld): Omit<SceneState, 'time' | 'elements'> {
  const { choice } = world;
  const timed = readTimed(world);
  const popup = readPopup(world);
  const markers = readMarkers(world);
  return {
    ...(timed && { timed: { ...timed, time_left: round(timed.time_left) } }),
    ...(popup && { popup }),
    ...(markers.length > 0 && {
      markers: markers.map(({ x, y, z, heading, ...who }) => ({
        ...who,
        x: round(x),
        y: round(y),
        z: round(z),
        ...(heading !== undefined && { heading: round(heading) }),
      })),
    }),
    ...(choice.place !== 0 && { view_point: choice.place }),
    ...(choice.slider !== 0 && { slider: { element_id: choice.slider, slide: choice.slide } }),
  };
}
