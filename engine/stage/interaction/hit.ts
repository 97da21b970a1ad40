import type { Object3D, Vector3 } from 'three';

/** The first raycast hit. */
export interface Hit {
  /** The element's root object, with its id in `userData`. */
  object: Object3D;
  /** The mesh that was hit, and the point in room space. */
  mesh: Object3D;
  point: Vector3;
  /** Distance along the ray in units. */
  distance: number;
}
