import type { Vector } from '../../../engine/document/fields.ts';
import type { CameraPose } from '../../../engine/scene/view/camera-pose.ts';

/** Distance from the camera to its target, in units. */
const TARGET_DISTANCE = 100;

/** Camera position and target, in units. */
export interface CameraPlace {
  position: Vector;
  target: Vector;
}

/** The camera's position, with the target straight ahead. */
export function cameraPlace({ position: { x, y, z }, quaternion: q }: CameraPose): CameraPlace {
  const target = {
    x: x - 2 * (q.x * q.z + q.w * q.y) * TARGET_DISTANCE,
    y: y - 2 * (q.y * q.z - q.w * q.x) * TARGET_DISTANCE,
    z: z - (1 - 2 * (q.x * q.x + q.y * q.y)) * TARGET_DISTANCE,
  };
  return { position: { x, y, z }, target };
}
