import type { Vector } from '../../document/fields.ts';
import type { SceneWorld } from '../world.ts';

/** Marks a subtree for updating its world positions in the next tick. */
export function markMoved(world: SceneWorld, entity: number): void {
  const rank = world.ChildOf.rank[entity]!;
  world.order.dirty[rank >>> 5]! |= 1 << rank;
  world.dirty = true;
}

/** Marks a subtree for updating its full world matrices in the next tick. */
export function markTurned(world: SceneWorld, entity: number): void {
  markMoved(world, entity);
  world.Dirty.turned[entity] = 1;
  world.turned = true;
}

/**
 * Computes rotation × scale from an entity's angles (radians, Euler order XYZ) and factors, like
 * `Matrix4.makeRotationFromEuler` in three.js with scaled columns.
 */
export function writeLinear({ Transform }: SceneWorld, entity: number): void {
  const { rotation, scale, linear } = Transform;
  const at = entity * 3;
  const a = Math.cos(rotation[at]!);
  const b = Math.sin(rotation[at]!);
  const c = Math.cos(rotation[at + 1]!);
  const d = Math.sin(rotation[at + 1]!);
  const e = Math.cos(rotation[at + 2]!);
  const f = Math.sin(rotation[at + 2]!);
  const sx = scale[at]!;
  const sy = scale[at + 1]!;
  const sz = scale[at + 2]!;
  const to = entity * 9;
  linear[to] = c * e * sx;
  linear[to + 1] = (a * f + b * e * d) * sx;
  linear[to + 2] = (b * f - a * e * d) * sx;
  linear[to + 3] = -c * f * sy;
  linear[to + 4] = (a * e - b * f * d) * sy;
  linear[to + 5] = (b * e + a * f * d) * sy;
  linear[to + 6] = d * sz;
  linear[to + 7] = -b * c * sz;
  linear[to + 8] = a * c * sz;
}

/** Parts of a transform, relative to the element's parent: units, radians (Euler order XYZ), factors. */
export interface TransformFields {
  position?: Vector;
  rotation?: Vector;
  scale?: Vector;
}

/** Sets the given parts of an entity's transform. */
export function writeTransform(
  world: SceneWorld,
  entity: number,
  { position, rotation, scale }: TransformFields,
): void {
  const { Transform } = world;
  const at = entity * 3;
  if (position) {
    writeVector(Transform.position, at, position);
    markMoved(world, entity);
  }
  if (rotation) writeVector(Transform.rotation, at, rotation);
  if (scale) writeVector(Transform.scale, at, scale);
  if (!rotation && !scale) return;
  writeLinear(world, entity);
  markTurned(world, entity);
}

function writeVector(array: Float32Array | Float64Array, at: number, { x, y, z }: Vector): void {
  array[at] = x;
  array[at + 1] = y;
  array[at + 2] = z;
}

/** Writes an entity's world matrix after the last tick: 4 × 4, column-major. */
export function readMatrix(world: SceneWorld, entity: number, out: Float32Array | number[], offset = 0): void {
  const { position, linear } = world.WorldMatrix;
  const [place, at] = [entity * 3, entity * 9];
  // Unrolled: thousands are read per frame when everything moves, and a loop takes twice as long.
  out[offset] = linear[at]!;
  out[offset + 1] = linear[at + 1]!;
  out[offset + 2] = linear[at + 2]!;
  out[offset + 3] = 0;
  out[offset + 4] = linear[at + 3]!;
  out[offset + 5] = linear[at + 4]!;
  out[offset + 6] = linear[at + 5]!;
  out[offset + 7] = 0;
  out[offset + 8] = linear[at + 6]!;
  out[offset + 9] = linear[at + 7]!;
  out[offset + 10] = linear[at + 8]!;
  out[offset + 11] = 0;
  out[offset + 12] = position[place]!;
  out[offset + 13] = position[place + 1]!;
  out[offset + 14] = position[place + 2]!;
  out[offset + 15] = 1;
}
