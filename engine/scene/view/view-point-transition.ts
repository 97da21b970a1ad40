import type { Vector } from '../../document/fields.ts';

/** Where a camera stands and what it looks at, in units of the room. */
export interface CameraAim {
  position: Vector;
  target: Vector;
}

const between = (a: Vector, b: Vector, part: number): Vector => ({
  x: a.x + (b.x - a.x) * part,
  y: a.y + (b.y - a.y) * part,
  z: a.z + (b.z - a.z) * part,
});

/**
 * Part of its way that a gliding camera has made, from 0 to 1: 1 − (1 − d)^(60 t), the exponential approach that makes
 * the part d of what is left in each sixtieth of a second, whatever the frame rate.
 * @param damping d, from 0 to 1; lower is slower
 * @param elapsedSeconds t since the start of the glide; below 0 counts as 0
 */
export function dampedPart(damping: number, elapsedSeconds: number): number {
  const d = Math.min(Math.max(damping, 0), 1);
  return 1 - (1 - d) ** (60 * Math.max(0, elapsedSeconds));
}

/**
 * Where a camera is on its glide to a view point; see `dampedPart`. The glide never quite ends: within some hundredths
 * of a unit it may be taken as done.
 * @param from aim at the start of the glide
 * @param to aim of the view point, as the event `view_point` gives it
 */
export function dampedPose(from: CameraAim, to: CameraAim, damping: number, elapsedSeconds: number): CameraAim {
  const part = dampedPart(damping, elapsedSeconds);
  return { position: between(from.position, to.position, part), target: between(from.target, to.target, part) };
}
