import { type Ray, Raycaster, Vector2, Vector3 } from 'three';
import type { Stage } from '../stage/stage.ts';

const caster = new Raycaster();
const spot = new Vector2();

/** A point of the page in pixels. */
export type PagePoint = Pick<MouseEvent, 'clientX' | 'clientY'>;

/**
 * Casts a ray from the camera through a page point.
 * @param raycaster receives the ray, which is also returned
 */
export function rayThrough({ canvas, camera }: Stage, { clientX, clientY }: PagePoint, raycaster = caster): Ray {
  const { left, top, width, height } = canvas.getBoundingClientRect();
  spot.set(((clientX - left) / width) * 2 - 1, 1 - ((clientY - top) / height) * 2);
  raycaster.setFromCamera(spot, camera);
  return raycaster.ray;
}

const projected = new Vector3();

/** Projects a point in the room to page pixels. */
export function seenAt({ canvas, camera }: Stage, point: Vector3, out = new Vector2()): Vector2 {
  const { left, top, width, height } = canvas.getBoundingClientRect();
  projected.copy(point).project(camera);
  return out.set(left + ((projected.x + 1) / 2) * width, top + ((1 - projected.y) / 2) * height);
}

/** Whether a camera is orthographic. */
const isFlat = ({ projectionMatrix }: Stage['camera']): boolean => projectionMatrix.elements[15] === 1;

/** Height of the view in units at a point's distance. */
export function unitsHigh({ camera }: Stage, point: Vector3): number {
  const depth = isFlat(camera) ? 1 : camera.position.distanceTo(point);
  return (2 * depth) / camera.projectionMatrix.elements[5]!;
}

/** Direction from a point in the room to the viewer. */
export function towardsEye({ camera }: Stage, point: Vector3, out: Vector3): Vector3 {
  if (isFlat(camera)) return out.set(0, 0, 1).applyQuaternion(camera.quaternion);
  return out.copy(camera.position).sub(point).normalize();
}

/** Scale of a sprite with constant screen size. @param scale for perspective, at one unit's distance */
export function spriteScale({ camera }: Stage, scale: number): number {
  if (!isFlat(camera)) return scale;
  const high = 2 / camera.projectionMatrix.elements[5]!;
  return (scale * high) / (2 * Math.tan((camera.fov * Math.PI) / 360));
}
