import { Matrix4, type PerspectiveCamera, Vector3 } from 'three';
import type { ImageSize } from '../../document/small-copy.ts';

/** Maximum magnification of an image before a larger size is loaded. */
export const MAX_MAGNIFICATION = 1.3;
/** Maximum ratio of image width to displayed width before a smaller size is loaded. */
const MAX_REDUCTION = 2;
/** Minimum viewing distance in units considered: closer up, single pixels fill the screen. */
const MIN_DISTANCE = 10;

const inverse = new Matrix4();
const nearest = new Vector3();

/** From where images are seen. */
export interface Viewpoint {
  /** Position of the camera in units. */
  eye: Vector3;
  /** Pixels per unit at a distance of one unit. */
  perUnit: number;
}

/** @param pixels height of the canvas */
export const viewpointOf = (camera: PerspectiveCamera, pixels: number): Viewpoint => ({
  eye: camera.getWorldPosition(new Vector3()),
  perUnit: pixels / (2 * Math.tan((camera.getEffectiveFOV() * Math.PI) / 360)),
});

interface Sides {
  width: number;
  height: number;
}

/**
 * Maximum displayed width of an image in pixels from the camera's position, in any direction: visitors turn faster than
 * images load.
 * @param world matrix of the image, which is centered at the origin in the xy plane
 * @param sides of the image in local units
 */
export function seenWidth({ eye, perUnit }: Viewpoint, world: Matrix4, sides: Sides): number {
  nearest.copy(eye).applyMatrix4(inverse.copy(world).invert());
  nearest.x = Math.min(Math.max(nearest.x, -sides.width / 2), sides.width / 2);
  nearest.y = Math.min(Math.max(nearest.y, -sides.height / 2), sides.height / 2);
  nearest.z = 0;
  const distance = Math.max(eye.distanceTo(nearest.applyMatrix4(world)), MIN_DISTANCE);
  return (nearest.setFromMatrixColumn(world, 0).length() * sides.width * perUnit) / distance;
}

/** At least `seenWidth`, and quicker. */
export function maxSeenWidth({ eye, perUnit }: Viewpoint, { elements }: Matrix4, { width, height }: Sides): number {
  const across = Math.hypot(elements[0], elements[1], elements[2]) * width;
  const up = Math.hypot(elements[4], elements[5], elements[6]) * height;
  const center = Math.hypot(elements[12] - eye.x, elements[13] - eye.y, elements[14] - eye.z);
  return (across * perUnit) / Math.max(center - (across + up) / 2, MIN_DISTANCE);
}

/** Maximum displayed length in pixels of the diagonal of an object around its origin. @param diagonal in local units */
export function seenDiagonal({ eye, perUnit }: Viewpoint, world: Matrix4, diagonal: number): number {
  const across = world.getMaxScaleOnAxis() * diagonal;
  const distance = nearest.setFromMatrixPosition(world).distanceTo(eye);
  return (across * perUnit) / Math.max(distance - across / 2, MIN_DISTANCE);
}

/**
 * Index of the image size to load.
 * @param sizes smallest first
 * @param seen displayed width in pixels
 * @param current index of the loaded size, kept unless another one is clearly better
 */
export function sizeFor(sizes: readonly ImageSize[], seen: number, current?: number): number {
  const enough = (width: number) => {
    const index = sizes.findIndex((size) => size.width * MAX_MAGNIFICATION >= width);
    return index < 0 ? sizes.length - 1 : index;
  };
  const wanted = enough(seen);
  if (current === undefined || wanted >= current) return wanted;
  return Math.min(enough(seen * MAX_REDUCTION), current);
}
