import { FADE_ZONE } from '../../../engine/document/constants.ts';
import type { Room } from '../../../engine/document/room.ts';
import type { CameraView } from '../../../engine/scene/view/camera-pose.ts';
import { mixedRoom } from '../../../fixtures/make/make-rooms.ts';
import { ALWAYS } from './work.ts';

/**
 * A room with all features, as a document and as plain numbers. In each tick, a second passes and the camera moves;
 * time windows open and close; animated models are queried for their phase and offset by it; world positions are
 * computed under rotated groups; every sensor gets its zone and volume, half of them only in view; and timed media
 * follow the room time.
 */
export interface MixedWork {
  room: Room;
  count: number;
  /** Index of the parent group, −1 at the top. */
  parent: Int32Array;
  x: Float64Array;
  y: Float64Array;
  z: Float64Array;
  /** Rotation around y in radians. */
  turn: Float64Array;
  /** Half the diagonal in units. */
  radius: Float64Array;
  /** Time window in seconds of the day; from 0 to `ALWAYS` without one. */
  from: Float64Array;
  till: Float64Array;
  /** Radius of the sensor, 0 without one; inner radius of its fade; and whether it requires being in view. */
  outer: Float64Array;
  inner: Float64Array;
  viewed: Uint8Array;
  /** Duration of timed media in seconds, 0 for other elements; and whether it loops. */
  length: Float64Array;
  loops: Uint8Array;
  animated: Uint8Array;
}

/** Seconds of an animated model's clip, and its offset in units at the end. */
export const CLIP = 7;
export const SHIFT = 10;

/** The elements of one run. */
export function createMixedWork(count: number): MixedWork {
  const room = mixedRoom(count);
  const array = () => new Float64Array(count);
  const work: MixedWork = {
    room,
    count,
    parent: new Int32Array(count).fill(-1),
    x: array(),
    y: array(),
    z: array(),
    turn: array(),
    radius: array(),
    from: array(),
    till: array().fill(ALWAYS),
    outer: array(),
    inner: array(),
    viewed: new Uint8Array(count),
    length: array(),
    loops: new Uint8Array(count),
    animated: new Uint8Array(count),
  };
  for (const element of room.elements) {
    const i = element.id - 1;
    const { config, visible_between: window, width, height, depth } = element;
    if (element.parent_element_id) work.parent[i] = element.parent_element_id - 1;
    work.x[i] = element.position_x;
    work.y[i] = element.position_y;
    work.z[i] = element.position_z;
    work.turn[i] = element.rotation_y;
    work.radius[i] = Math.hypot(width ?? 0, height ?? 0, depth ?? 0) / 2;
    if (window) {
      work.from[i] = window.from;
      work.till[i] = window.till;
    }
    if (config.proximity_sensor) {
      work.outer[i] = config.proximity_sensor_distance;
      work.inner[i] = Math.max(0, work.outer[i] - FADE_ZONE);
      work.viewed[i] = config.proximity_sensor_audio_only ? 0 : 1;
    }
    const isMedia = element.element === 'audio' || element.element === 'video' || element.element === 'native_video';
    if (isMedia && element.config.timed) {
      work.length[i] = element.file?.duration ?? 0;
      work.loops[i] = element.config.loop ? 1 : 0;
    }
    work.animated[i] = element.element === 'model' && element.config.animate ? 1 : 0;
  }
  return work;
}

/** Position of the camera in a tick: back and forth through the room, looking along −z. */
export const mixedCameraX = (tick: number) => Math.sin(tick / 90) * 800;
export const mixedCameraZ = (tick: number) => Math.cos(tick / 240) * 2800;

/** Lens of the bench's camera. */
export const LENS = {
  quaternion: { x: 0, y: 0, z: 0, w: 1 },
  fov: 50,
  aspect: 16 / 9,
  near: 0.1,
  far: 6000,
};

/** Contribution of an element to the checksum that contestants must agree on. */
export const weigh = (volume: number, visible: number, x: number, at: number) =>
  volume + visible + x * 1e-3 + at * 1e-3;

/**
 * Whether a sphere intersects the frustum of the baselines: the six-plane test in camera space.
 * @param x center in the room, like `y` and `z`
 * @param radius in units
 */
export function sphereInView(view: CameraView, x: number, y: number, z: number, radius: number): boolean {
  const { axes: a, slopes: s } = view;
  const dx = x - view.x;
  const dy = y - view.y;
  const dz = z - view.z;
  const ahead = a[6]! * dx + a[7]! * dy + a[8]! * dz;
  if (ahead < view.near - radius || ahead > view.far + radius) return false;
  const right = Math.abs(a[0]! * dx + a[1]! * dy + a[2]! * dz);
  if (right * s[1]! - ahead * s[0]! > radius) return false;
  const up = Math.abs(a[3]! * dx + a[4]! * dy + a[5]! * dz);
  return up * s[3]! - ahead * s[2]! <= radius;
}
