import type { Vector } from '../../document/fields.ts';

/** Default side of the box for models without any size, in units. */
const SIDE = 200;

/** The box to fit a model into: missing sides are unlimited; if all are missing, the box is a cube. */
export function boxOf({ width, height, depth }: Record<'width' | 'height' | 'depth', number | null>): Vector {
  const unset = width === null && height === null && depth === null;
  const side = (value: number | null) => value ?? (unset ? SIDE : Number.POSITIVE_INFINITY);
  return { x: side(width), y: side(height), z: side(depth) };
}

/** The factor by which something is scaled to fit a box, in all directions alike. */
export const fitFactor = (size: Vector, box: Vector): number =>
  Math.min(...[box.x / size.x, box.y / size.y, box.z / size.z].filter(Number.isFinite));

/** The longest diagonal that a model fitted into a box may have. */
export function diagonalOf(box: Vector): number {
  const sides = [box.x, box.y, box.z].filter(Number.isFinite);
  // Unlimited sides are assumed to be as long as the others.
  return Math.hypot(...sides) * Math.sqrt(3 / sides.length);
}
