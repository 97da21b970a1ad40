import type { CameraPlace } from './camera-place.ts';

/** Farthest place that a link may name, in units. */
const FARTHEST = 1e6;

/** Where a link into a room leads: to a view point, or to a place of the camera. */
export type PoseLink = { viewPoint: number } | CameraPlace;

/**
 * Reads the end of an address: `#view_point=7`, or `#camera=x,y,z,tx,ty,tz`, where the camera stands and the point that
 * it looks at, in units.
 * @param hash the address from its `#` on
 * @returns null when it names no place
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

/** Tenths of a unit are finer than anybody sees. */
const short = (value: number) => Math.round(value * 10) / 10 + 0;

/** The end of an address that leads to a place of the camera. */
export const poseLink = ({ position: p, target: t }: CameraPlace): string =>
  `#camera=${[p.x, p.y, p.z, t.x, t.y, t.z].map(short).join(',')}`;
