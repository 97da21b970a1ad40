import { type Matrix4, type PerspectiveCamera, Vector3, type WebGLRenderer } from 'three';
import { UNITS_PER_METER } from '../../document/constants.ts';

const shift = new Vector3();

/**
 * Converts a transform from meters in the reference space to units in the room. Scales only the position: a scaling
 * matrix would change the reach of lights and fog.
 * @param origin of the reference space in the room
 */
export function toRoom(place: Matrix4, origin: Matrix4): Matrix4 {
  place.setPosition(shift.setFromMatrixPosition(place).multiplyScalar(UNITS_PER_METER));
  return place.premultiply(origin);
}

/** Vertical field of view in degrees and aspect ratio of the camera that covers both eyes. */
function lensOf({ projectionMatrix: { elements: m } }: PerspectiveCamera): { fov: number; aspect: number } {
  const across = (1 + Math.abs(m[8]!)) / m[0]!;
  const up = (1 + Math.abs(m[9]!)) / m[5]!;
  return { fov: (Math.atan(up) * 360) / Math.PI, aspect: across / up };
}

/**
 * Converts the eye cameras, which the renderer has just placed in the reference space, to the room, and places the
 * stage's camera between them.
 * @param head pose of the visitor's head in this frame, in meters in the reference space
 * @param origin of the reference space in the room
 * @param lens receives the combined field of view
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
