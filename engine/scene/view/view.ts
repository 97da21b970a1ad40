import type { TickInput } from '../tick-input.ts';
import type { SceneWorld } from '../world.ts';
import { readPose, sphereInView } from './camera-pose.ts';

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

/** Whether an entity's bounding sphere intersects the camera's frustum. */
export function inView(world: SceneWorld, entity: number): boolean {
  const { position } = world.WorldMatrix;
  const at = entity * 3;
  return sphereInView(world.view, position[at]!, position[at + 1]!, position[at + 2]!, radiusOf(world, entity));
}
