import type { Vector } from './fields.ts';
import type { PanoramaOrientation } from './places.ts';
import { rotationOf } from './rotation.ts';

const RADIANS = Math.PI / 180;

const cross = (a: Vector, b: Vector): Vector => ({
  x: a.y * b.z - a.z * b.y,
  y: a.z * b.x - a.x * b.z,
  z: a.x * b.y - a.y * b.x,
});
const minus = (a: Vector, b: Vector): Vector => ({ x: a.x - b.x, y: a.y - b.y, z: a.z - b.z });
const lengthOf = ({ x, y, z }: Vector) => Math.hypot(x, y, z);
const scaled = ({ x, y, z }: Vector, by: number): Vector => ({ x: x * by, y: y * by, z: z * by });
const unit = (v: Vector): Vector => scaled(v, 1 / lengthOf(v));

/** A line that the user drew on a panorama: two directions in the room, and what the line must be. */
export interface DrawnLine {
  from: Vector;
  to: Vector;
  must: 'level' | 'vertical';
}

/** Length of a drawn line in degrees below which it tells nothing. */
export const MIN_LINE = 2;
/** Sine of the angle between two conditions below which they are one. */
const MIN_DIFFERENCE = 0.02;

/** Whether a line is rather level or vertical as shown. */
export function lineKind(from: Vector, to: Vector): DrawnLine['must'] {
  const rise = Math.abs(Math.asin(unit(to).y) - Math.asin(unit(from).y));
  const turn = Math.asin(Math.min(1, Math.abs(from.x * to.z - from.z * to.x) / (lengthOf(from) * lengthOf(to) || 1)));
  return rise > turn ? 'vertical' : 'level';
}

/**
 * Pitch and roll with which lines are as they must be; the heading stays. A level line has both ends at one elevation, as on
 * the horizon: (from − to) · up = 0. The plane through a vertical line and the eye contains the vertical: (from × to) · up = 0.
 * Two such conditions determine `up`, the true vertical in the room as shown now. With one, or with two that say the same,
 * `up` is the direction that satisfies it and is closest to the current vertical.
 *
 * With the rotation R = heading · pitch · roll, up in the image is Rᵀ · up = (−cos pitch · sin roll, cos pitch · cos roll,
 * −sin pitch), which is solved for both.
 * @param now orientation with which the lines were drawn
 * @returns undefined if no line is long enough, or if up would be more than 90° off
 */
export function levelOrientation(
  now: PanoramaOrientation,
  lines: readonly DrawnLine[],
): { pitch: number; roll: number } | undefined {
  const conditions = lines.flatMap(({ from, to, must }) => {
    const [one, other] = [unit(from), unit(to)];
    const condition = must === 'level' ? minus(one, other) : cross(one, other);
    return lengthOf(condition) < Math.sin(MIN_LINE * RADIANS) ? [] : [unit(condition)];
  });
  const [first, second] = conditions;
  if (!first) return undefined;
  const both = second && cross(first, second);
  // Without a second condition: the current vertical, without its part along the first.
  const nearest = minus({ x: 0, y: 1, z: 0 }, scaled(first, first.y));
  const found = both && lengthOf(both) > MIN_DIFFERENCE ? both : nearest;
  if (lengthOf(found) < MIN_DIFFERENCE) return undefined;
  const up = scaled(unit(found), found.y < 0 ? -1 : 1);
  if (up.y < 1e-6) return undefined;
  const image = rotationOf(now);
  const [x, y, z] = [0, 3, 6].map((at) => image[at]! * up.x + image[at + 1]! * up.y + image[at + 2]! * up.z) as [
    number,
    number,
    number,
  ];
  const pitch = -Math.asin(Math.max(-1, Math.min(1, z))) / RADIANS;
  const roll = -Math.atan2(x, y) / RADIANS;
  return { pitch: pitch || 0, roll: roll || 0 };
}

/** A place and the direction in which a point was picked there. */
export interface PickedPoint {
  position: Vector;
  /** Direction of the point in the room, as shown. */
  way: Vector;
}

/** Distance in units between places that counts as none: 10 cm. */
const SAME_SPOT = 31;
/** Elevation in degrees from which a point tells its distance. */
const MIN_ELEVATION = 3;

const azimuthOf = ({ x, z }: Vector) => Math.atan2(x, -z);
const turned = (degrees: number) => ((((degrees + 180) % 360) + 360) % 360) - 180;

/**
 * Degrees by which the panorama of `other` must turn, clockwise, so that a point picked in both photos is in one spot of the
 * room. The first place is right: the point is on its ray, at a level distance s: P(s) = A + s · (u, tan elevation), with the
 * level unit vector u. Turning a panorama doesn't change elevations, so that the elevation e seen from B determines s:
 * P(s).y − B.y = tan e · |P(s) − B|, both sides squared: a quadratic equation. The wanted direction is that from B to P(s);
 * of two solutions, the one that turns less.
 *
 * Where that can't tell the distance (both elevations below 3°, no solution, or photos from about the same spot), the point
 * counts as far away, and is in the same direction from both.
 */
export function headingTurn(one: PickedPoint, other: PickedPoint): number {
  const [a, b] = [one.position, other.position];
  const shown = azimuthOf(other.way);
  const turnTo = (azimuth: number) => turned((azimuth - shown) / RADIANS);
  const far = turnTo(azimuthOf(one.way));
  const apart = { x: a.x - b.x, y: a.y - b.y, z: a.z - b.z };
  const level = Math.hypot(one.way.x, one.way.z);
  const otherLevel = Math.hypot(other.way.x, other.way.z);
  if (Math.hypot(apart.x, apart.z) < SAME_SPOT || level < 1e-6 || otherLevel < 1e-6) return far;
  const [rise, seen] = [one.way.y / level, other.way.y / otherLevel];
  if (Math.max(Math.abs(rise), Math.abs(seen)) < Math.tan(MIN_ELEVATION * RADIANS)) return far;
  const [ux, uz] = [one.way.x / level, one.way.z / level];
  // (apart.y + rise s)² = seen² |apart + s u|²
  const [p, q, r] = [
    rise ** 2 - seen ** 2,
    2 * (apart.y * rise - seen ** 2 * (apart.x * ux + apart.z * uz)),
    apart.y ** 2 - seen ** 2 * (apart.x ** 2 + apart.z ** 2),
  ];
  const root = q * q - 4 * p * r;
  const solutions =
    Math.abs(p) < 1e-9 ? [-r / q] : root < 0 ? [] : [1, -1].map((sign) => (-q + sign * Math.sqrt(root)) / (2 * p));
  const turns = solutions
    .filter((s) => s > 0 && Number.isFinite(s))
    // Squaring adds points on the other side of the eye's level.
    .filter((s) => (apart.y + rise * s) * seen >= 0)
    .map((s) => turnTo(Math.atan2(apart.x + s * ux, -(apart.z + s * uz))));
  return turns.toSorted((x, y) => Math.abs(x) - Math.abs(y))[0] ?? far;
}
