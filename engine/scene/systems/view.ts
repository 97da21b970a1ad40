import { readPose, sphereInView } from '../camera-pose.ts';
import type { TickInput } from '../tick-input.ts';
import type { SceneWorld } from '../world.ts';

/** Takes over the camera's pose. Nothing is tested against it until something asks. */
export function view(world: SceneWorld, { camera }: TickInput): void {
  if (readPose(world.view, camera)) world.viewChanged = true;
}

/** Whether an entity's bounding sphere reaches into the camera's frustum. */
export function inView({ view, WorldMatrix, Size }: SceneWorld, entity: number): boolean {
  const { position, linear: m } = WorldMatrix;
  const at = entity * 9;
  const scale = Math.sqrt(
    Math.max(
      m[at] * m[at] + m[at + 1] * m[at + 1] + m[at + 2] * m[at + 2],
      m[at + 3] * m[at + 3] + m[at + 4] * m[at + 4] + m[at + 5] * m[at + 5],
      m[at + 6] * m[at + 6] + m[at + 7] * m[at + 7] + m[at + 8] * m[at + 8],
    ),
  );
  const to = entity * 3;
  return sphereInView(view, position[to], position[to + 1], position[to + 2], Size.radius[entity] * scale);
}
