import type { PanoramaOrientation } from './places.ts';

const RADIANS = Math.PI / 180;

/**
 * Rotation from image to world directions; applied heading, pitch, roll.
 * @returns three columns of three: the world directions of the image's +x, +y and +z, where −z is its center
 */
export function rotationOf({ heading, pitch, roll }: PanoramaOrientation): number[] {
  const { cos, sin } = Math;
  // Around y, x and z; headings and rolls turn clockwise.
  const [y, x, z] = [-heading * RADIANS, pitch * RADIANS, -roll * RADIANS];
  const [a, b, c, d] = [sin(y) * sin(x), cos(y) * sin(x), cos(z), sin(z)];
  return [
    ...[cos(y) * c + a * d, cos(x) * d, b * d - sin(y) * c],
    ...[a * c - cos(y) * d, cos(x) * c, sin(y) * d + b * c],
    ...[sin(y) * cos(x), -sin(x), cos(y) * cos(x)],
  ];
}
