import type { TickInput } from '../tick-input.ts';
import type { SceneWorld } from '../world.ts';
import { readPose, sphereInView } from './camera-pose.ts';

/** Takes over the camera's pose. Nothing is tested against it until something asks. */
export function view(world: SceneWorld, { camera }: TickInput): void {
  if (!readPose(world.view, camera)) return;
  world.viewChanged = true;
  world.streaming.due = true;
}

/** Radius of an entity's bounding sphere in units of the room. */
export function radiusOf({ WorldMatrix, Size }: SceneWorld, entity: number): number {
  return Size.radius[entity]! * WorldMatrix.scale[entity]!;
}

/** Whether an entity's bounding sphere reaches into the camera's frustum. */
export function inView(world: SceneWorld, entity: number): boolean {
  const { position } = world.WorldMatrix;
  const at = entity * 3;
  return sphereInView(world.view, position[at]!, position[at + 1]!, position[at + 2]!, radiusOf(world, entity));
}
