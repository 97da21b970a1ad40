import type { Vector } from '../../../document/fields.ts';

/** Side of the box that a model fills where none is set, in units. */
const SIDE = 200;

/** The box that a model fills: sides that are not set leave it free, and none at all make a cube. */
export function boxOf({ width, height, depth }: Record<'width' | 'height' | 'depth', number | null>): Vector {
  const unset = width === null && height === null && depth === null;
  const side = (value: number | null) => value ?? (unset ? SIDE : Number.POSITIVE_INFINITY);
  return { x: side(width), y: side(height), z: side(depth) };
}
