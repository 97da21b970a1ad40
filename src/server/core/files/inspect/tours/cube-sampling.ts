import type { CubeFace } from '../../../../../contract/entities.ts';

/** Six square images side by side in one buffer, RGB, in the order of `CUBE_FACES`. */
export interface CubePixels {
  size: number;
  pixels: Uint8Array;
}

/** Indexes of the faces in a buffer. */
const INDEX: Readonly<Record<CubeFace, number>> = { f: 0, r: 1, b: 2, l: 3, u: 4, d: 5 };

/** The face that a direction meets, and where: `u` to the right and `v` down, from -1 to 1. Center of the front is −z. */
export function faceAt(x: number, y: number, z: number): { face: CubeFace; u: number; v: number } {
  const [ax, ay, az] = [Math.abs(x), Math.abs(y), Math.abs(z)];
  if (az >= ax && az >= ay) return z < 0 ? { face: 'f', u: x / az, v: -y / az } : { face: 'b', u: -x / az, v: -y / az };
  if (ax >= ay) return x > 0 ? { face: 'r', u: z / ax, v: -y / ax } : { face: 'l', u: -z / ax, v: -y / ax };
  return y > 0 ? { face: 'u', u: x / ay, v: -z / ay } : { face: 'd', u: x / ay, v: z / ay };
}

/**
 * Draws one row of an equirectangular image from a cube map, with linear interpolation.
 * @param row row from the top
 * @param target RGB pixels of the whole image, twice as wide as high
 */
export function drawRow({ size, pixels }: CubePixels, row: number, width: number, target: Uint8Array): void {
  const elevation = Math.PI * (0.5 - (row + 0.5) / (width / 2));
  const [level, y] = [Math.cos(elevation), Math.sin(elevation)];
  const stride = size * 3;
  let to = row * width * 3;
  for (let column = 0; column < width; column++) {
    const azimuth = 2 * Math.PI * ((column + 0.5) / width - 0.5);
    const { face, u, v } = faceAt(Math.sin(azimuth) * level, y, -Math.cos(azimuth) * level);
    const px = Math.min(size - 1, Math.max(0, ((u + 1) / 2) * size - 0.5));
    const py = Math.min(size - 1, Math.max(0, ((v + 1) / 2) * size - 0.5));
    const [left, top] = [Math.floor(px), Math.floor(py)];
    const [fx, fy] = [px - left, py - top];
    const base = INDEX[face] * size * stride;
    const above = base + top * stride + left * 3;
    const right = left + 1 < size ? 3 : 0;
    const below = top + 1 < size ? stride : 0;
    for (let color = 0; color < 3; color++) {
      const at = above + color;
      const upper = pixels[at]! + (pixels[at + right]! - pixels[at]!) * fx;
      const lower = pixels[at + below]! + (pixels[at + below + right]! - pixels[at + below]!) * fx;
      target[to++] = Math.round(upper + (lower - upper) * fy);
    }
  }
}
