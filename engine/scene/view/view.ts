import type { TickInput } from '../tick-input.ts';
import type { SceneWorld } from '../world.ts';
import { readPose } from './camera-pose.ts';

/** Updates the camera's pose. Visibility is tested only on demand. */
export function view(world: SceneWorld, { camera }: TickInput): void {
  if (!readPose(world.view, camera)) return;
  world.sensors.waiting = true;
  world.streaming.due = true;
}

/** Radius of an entity's bounding sphere in room units. */
export function radiusOf({ WorldMatrix, Size }: SceneWorld, entity: number): number {
  return Size.radius[entity]! * WorldMatrix.scale[entity]!;
}

/**
 * Whether an entity's bounding sphere intersects the camera's frustum: the six-plane test in camera space. Not split
 * into functions: passing fractional numbers may allocate them on the heap, and every sensor asks.
 */
export function inView({ WorldMatrix, Size, view }: SceneWorld, entity: number): boolean {
  const { position, scale } = WorldMatrix;
  const { axes: a, slopes: s } = view;
  const radius = Size.radius[entity]! * scale[entity]!;
  const dx = position[entity * 3]! - view.x;
  const dy = position[entity * 3 + 1]! - view.y;
  const dz = position[entity * 3 + 2]! - view.z;
  const ahead = a[6]! * dx + a[7]! * dy + a[8]! * dz;
  if (ahead < view.near - radius || ahead > view.far + radius) return false;
  const right = Math.abs(a[0]! * dx + a[1]! * dy + a[2]! * dz);
  if (right * s[1]! - ahead * s[0]! > radius) return false;
  const up = Math.abs(a[3]! * dx + a[4]! * dy + a[5]! * dz);
  return up * s[3]! - ahead * s[2]! <= radius;
}
