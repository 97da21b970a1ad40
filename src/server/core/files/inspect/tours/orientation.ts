import { degreesOf } from './values.ts';

const RADIANS = Math.PI / 180;

/**
 * The orientation of an image whose horizon Pannellum levels: it rotates the image around the horizontal axis first, and
 * around the viewing axis then, while a place applies heading, pitch and roll in the opposite order.
 * @param pitch `horizonPitch` in degrees
 * @param roll `horizonRoll` in degrees
 * @returns degrees; the heading is to be added to that of the image
 */
export function leveled(pitch: number, roll: number): { heading: number; pitch: number; roll: number } {
  const [sp, cp] = [Math.sin(pitch * RADIANS), Math.cos(pitch * RADIANS)];
  const [sr, cr] = [Math.sin(roll * RADIANS), Math.cos(roll * RADIANS)];
  // World directions of the image's center, right and top, as right, up and ahead.
  const center = { right: sr * sp, up: cr * sp, ahead: cp };
  const right = { up: -sr };
  const top = { up: cr * cp };
  return {
    heading: degreesOf(Math.atan2(center.right, center.ahead)) + 0,
    pitch: degreesOf(Math.asin(center.up)) + 0,
    roll: degreesOf(Math.atan2(-right.up, top.up)) + 0,
  };
}
