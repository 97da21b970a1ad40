import type { Vector } from '../../../engine/document/fields.ts';
import type { CameraPose } from '../../../engine/scene/view/camera-pose.ts';

/** How far in front of the camera its target is said to be, in units. */
const TARGET_DISTANCE = 100;

/** Where a camera is and what it looks at, in units. */
export interface CameraPlace {
  position: Vector;
  target: Vector;
}

/** The place of a camera; its target lies straight ahead. */
export function cameraPlace({ position: { x, y, z }, quaternion: q }: CameraPose): CameraPlace {
  const target = {
    x: x - 2 * (q.x * q.z + q.w * q.y) * TARGET_DISTANCE,
    y: y - 2 * (q.y * q.z - q.w * q.x) * TARGET_DISTANCE,
    z: z - (1 - 2 * (q.x * q.x + q.y * q.y)) * TARGET_DISTANCE,
  };
  return { position: { x, y, z }, target };
}
