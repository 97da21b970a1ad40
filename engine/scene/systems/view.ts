import { readPose, sphereInView } from '../camera-pose.ts';
import type { TickInput } from '../tick-input.ts';
import type { SceneWorld } from '../world.ts';

/** Takes over the camera's pose. Nothing is tested against it until something asks. */
export function view(world: SceneWorld, { camera }: TickInput): void {
  if (!readPose(world.view, camera)) return;
  world.viewChanged = true;
  world.loads.due = true;
}

/** Radius of an entity's bounding sphere in units of the room. */
export function radiusOf({ WorldMatrix: { linear: m }, Size }: SceneWorld, entity: number): number {
  const at = entity * 9;
  const scale = Math.sqrt(
    Math.max(
      m[at] * m[at] + m[at + 1] * m[at + 1] + m[at + 2] * m[at + 2],
      m[at + 3] * m[at + 3] + m[at + 4] * m[at + 4] + m[at + 5] * m[at + 5],
      m[at + 6] * m[at + 6] + m[at + 7] * m[at + 7] + m[at + 8] * m[at + 8],
    ),
  );
  return Size.radius[entity] * scale;
}

/** Whether an entity's bounding sphere reaches into the camera's frustum. */
export function inView(world: SceneWorld, entity: number): boolean {
  const { position } = world.WorldMatrix;
  const at = entity * 3;
  return sphereInView(world.view, position[at], position[at + 1], position[at + 2], radiusOf(world, entity));
}
