import { type Matrix4, type PerspectiveCamera, Vector3, type WebGLRenderer } from 'three';
import { UNITS_PER_METER } from '../../document/constants.ts';

const shift = new Vector3();

/**
 * Turns a place in meters, in the visitor's space, into one in units in the room. Only lengths grow, no axis: a matrix
 * that scales would have lights and fog reach elsewhere.
 * @param origin where the middle of the visitor's space is in the room
 */
export function toRoom(place: Matrix4, origin: Matrix4): Matrix4 {
  place.setPosition(shift.setFromMatrixPosition(place).multiplyScalar(UNITS_PER_METER));
  return place.premultiply(origin);
}

/** What a camera sees that holds the views of both eyes: vertical angle in degrees, and width by height. */
function lensOf({ projectionMatrix: { elements: m } }: PerspectiveCamera): { fov: number; aspect: number } {
  const across = (1 + Math.abs(m[8]!)) / m[0]!;
  const up = (1 + Math.abs(m[9]!)) / m[5]!;
  return { fov: (Math.atan(up) * 360) / Math.PI, aspect: across / up };
}

/**
 * Puts the cameras of both eyes into the room, where the renderer has just written how they stand in the visitor's space;
 * and the stage's own camera between them.
 * @param head the visitor's head in this frame, in meters in the visitor's space
 * @param origin where the middle of that space is in the room
 * @param lens told what the two see together
 */
export function placeEyes(
  { xr }: WebGLRenderer,
  camera: PerspectiveCamera,
  head: Matrix4,
  origin: Matrix4,
  lens: { fov: number; aspect: number },
): void {
  const both = xr.getCamera();
  for (const eye of [both, ...both.cameras]) toRoom(eye.matrix, origin);
  xr.updateCamera(camera);
  toRoom(head, origin).decompose(camera.position, camera.quaternion, camera.scale);
  camera.updateMatrixWorld(true);
  Object.assign(lens, lensOf(camera));
}
