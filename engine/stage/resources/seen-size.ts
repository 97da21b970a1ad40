import { Matrix4, type PerspectiveCamera, Vector3 } from 'three';
import type { ImageSize } from '../../document/small-copy.ts';

/** Maximum magnification of an image before a larger size is loaded. */
const MAX_MAGNIFICATION = 1.3;
/** Maximum ratio of image width to displayed width before a smaller size is loaded. */
const MAX_REDUCTION = 2;
/** Minimum viewing distance in units considered: closer up, single pixels fill the screen. */
const MIN_DISTANCE = 10;

const inverse = new Matrix4();
const eye = new Vector3();
const nearest = new Vector3();

/**
 * Maximum displayed width of an image in pixels from the camera's position, in any direction: visitors turn faster than
 * images load.
 * @param world matrix of the image, which is centered at the origin in the xy plane
 * @param sides of the image in local units
 * @param pixels height of the canvas
 */
export function seenWidth(
  camera: PerspectiveCamera,
  world: Matrix4,
  sides: { width: number; height: number },
  pixels: number,
): number {
  camera.getWorldPosition(eye);
  nearest.copy(eye).applyMatrix4(inverse.copy(world).invert());
  nearest.x = Math.min(Math.max(nearest.x, -sides.width / 2), sides.width / 2);
  nearest.y = Math.min(Math.max(nearest.y, -sides.height / 2), sides.height / 2);
  nearest.z = 0;
  const distance = Math.max(eye.distanceTo(nearest.applyMatrix4(world)), MIN_DISTANCE);
  const width = nearest.setFromMatrixColumn(world, 0).length() * sides.width;
  const perUnit = pixels / (2 * Math.tan((camera.getEffectiveFOV() * Math.PI) / 360) * distance);
  return width * perUnit;
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
