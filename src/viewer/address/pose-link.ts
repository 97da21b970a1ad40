import type { CameraPlace } from './camera-place.ts';

/** Maximum coordinate in a link, in units. */
const FARTHEST = 1e6;

/** Target of a deep link: a view point or a camera position. */
export type PoseLink = { viewPoint: number } | CameraPlace;

/**
 * Parses a URL hash: `#view_point=7`, or `#camera=x,y,z,tx,ty,tz` with the camera's position and target in units.
 * @param hash the hash including `#`
 * @returns null if it is no deep link
 */
export function readPoseLink(hash: string): PoseLink | null {
  const fields = new URLSearchParams(hash.slice(1));
  const viewPoint = Number(fields.get('view_point') ?? Number.NaN);
  if (Number.isSafeInteger(viewPoint)) return { viewPoint };
  const numbers = (fields.get('camera') ?? '')
    .split(',')
    .map((text) => (text.trim() === '' ? Number.NaN : Number(text)));
  if (numbers.length !== 6 || !numbers.every((number) => Math.abs(number) <= FARTHEST)) return null;
  const [x, y, z, tx, ty, tz] = numbers as [number, number, number, number, number, number];
  return { position: { x, y, z }, target: { x: tx, y: ty, z: tz } };
}

/** Rounds to 0.1 unit, finer than visible. */
const short = (value: number) => Math.round(value * 10) / 10 + 0;

/** URL hash of a camera position. */
export const poseLink = ({ position: p, target: t }: CameraPlace): string =>
  `#camera=${[p.x, p.y, p.z, t.x, t.y, t.z].map(short).join(',')}`;
