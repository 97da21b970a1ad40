import { type Ray, Raycaster, Vector2, Vector3 } from 'three';
import type { Stage } from '../../stage/stage.ts';

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

/** Minimum distance in pixels between a label and the edge of the canvas. */
const MARGIN = 8;

/** Width in pixels of the canvas covered by an open window on its right, as set by the page. */
export const coveredOf = (surface: HTMLElement): number =>
  Number.parseFloat(getComputedStyle(surface).getPropertyValue('--covered')) || 0;

/**
 * Horizontal center of a label in pixels from the left of the canvas: as close to `x` as possible while fully visible
 * next to what covers the canvas.
 * @param surface element that the canvas fills
 * @param half half the label's width in pixels
 */
export function middleOfLabel(surface: HTMLElement, x: number, half: number): number {
  const free = surface.clientWidth - coveredOf(surface);
  const edge = Math.min(half + MARGIN, free / 2);
  return Math.min(free - edge, Math.max(edge, x));
}
