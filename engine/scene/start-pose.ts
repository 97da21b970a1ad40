import type { Room } from '../document/room.ts';
import type { CameraPose } from './scene.ts';

const ASPECT = 16 / 9;

/** A rotation by yaw to the left, then pitch upwards; radians. */
export function quaternionOf(yaw: number, pitch: number): CameraPose['quaternion'] {
  const [sy, cy, sx, cx] = [Math.sin(yaw / 2), Math.cos(yaw / 2), Math.sin(pitch / 2), Math.cos(pitch / 2)];
  return { x: cy * sx, y: sy * cx, z: -sy * sx, w: cy * cx };
}

/** The initial pose of a visitor. */
export function startPose({ config, angle }: Room): CameraPose {
  const { camera } = config;
  const target = camera.angle ?? angle;
  const { position, fov, near, far } = camera;
  let { y: yaw, x: pitch } = camera.rotation;
  if (target) {
    const [dx, dy, dz] = [target.x - position.x, target.y - position.y, target.z - position.z];
    [yaw, pitch] = [Math.atan2(-dx, -dz), Math.atan2(dy, Math.hypot(dx, dz))];
  }
  return { position, quaternion: quaternionOf(yaw, pitch), fov, aspect: ASPECT, near, far };
}
