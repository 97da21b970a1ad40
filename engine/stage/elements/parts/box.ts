import type { Vector } from '../../../document/fields.ts';

/** Default side of the box for models without any size, in units. */
const SIDE = 200;

/** The box to fit a model into: missing sides are unlimited; if all are missing, the box is a cube. */
export function boxOf({ width, height, depth }: Record<'width' | 'height' | 'depth', number | null>): Vector {
  const unset = width === null && height === null && depth === null;
  const side = (value: number | null) => value ?? (unset ? SIDE : Number.POSITIVE_INFINITY);
  return { x: side(width), y: side(height), z: side(depth) };
}
