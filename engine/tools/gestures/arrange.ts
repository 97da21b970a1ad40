import { type Wall as HangingWall, onWall } from '../../document/arrangements/walls.ts';
import type { Vector } from '../../document/fields.ts';
import type { Axis } from '../../machines/transform.ts';

/** An element's bounding box in the room, in units. */
export interface Boxed {
  id: number;
  min: Vector;
  max: Vector;
}

/** The part of a box to align along an axis. */
export type Edge = 'min' | 'middle' | 'max';

/** Translations of elements in the room, in units, by id. */
export type Shifts = ReadonlyMap<number, Vector>;

const middleOf = ({ min, max }: Boxed, axis: Axis) => (min[axis] + max[axis]) / 2;
const partOf = (boxed: Boxed, axis: Axis, edge: Edge) =>
  edge === 'middle' ? middleOf(boxed, axis) : edge === 'min' ? boxed.min[axis] : boxed.max[axis];
const along = (axis: Axis, value: number): Vector => ({ x: 0, y: 0, z: 0, [axis]: value });

/** Aligns a part of every box with that of the active one. */
export function alignShifts(boxes: readonly Boxed[], active: Boxed, axis: Axis, edge: Edge): Shifts {
  const wanted = partOf(active, axis, edge);
  return new Map(boxes.map((boxed) => [boxed.id, along(axis, wanted - partOf(boxed, axis, edge))]));
}

/**
 * Equalizes the gaps between neighbors along an axis. Without a gap, the first and last stay in place as long as the
 * others fit between them; otherwise the row keeps its center.
 * @param gap in units
 */
export function distributeShifts(boxes: readonly Boxed[], axis: Axis, gap?: number): Shifts {
  const sorted = boxes.toSorted((a, b) => middleOf(a, axis) - middleOf(b, axis));
  const [first, last] = [sorted[0], sorted.at(-1)];
  if (!first || !last || sorted.length < (gap === undefined ? 3 : 2)) return new Map();
  const filled = sorted.reduce((sum, { min, max }) => sum + max[axis] - min[axis], 0);
  const end = Math.max(...sorted.map(({ max }) => max[axis]));
  const start = Math.min(...sorted.map(({ min }) => min[axis]));
  const fitting = (last.max[axis] - first.min[axis] - filled) / (sorted.length - 1);
  const isFixed = gap === undefined && fitting >= 0;
  const space = isFixed ? fitting : (gap ?? 0);
  const shifts = new Map<number, Vector>();
  let at = isFixed ? first.min[axis] : (start + end - filled - space * (sorted.length - 1)) / 2;
  for (const boxed of sorted) {
    if (!isFixed || (boxed !== first && boxed !== last)) shifts.set(boxed.id, along(axis, at - boxed.min[axis]));
    at += boxed.max[axis] - boxed.min[axis] + space;
  }
  return shifts;
}

/** Centers every box at a height. @param y in units of the room */
export const heightShifts = (boxes: readonly Boxed[], y: number): Shifts =>
  new Map(boxes.map((boxed) => [boxed.id, along('y', y - middleOf(boxed, 'y'))]));

/** A wall of the room, perpendicular to an axis. */
interface Wall {
  axis: 'x' | 'z';
  /** Direction from the center of the room. */
  way: 1 | -1;
}
const WALLS: readonly Wall[] = [
  { axis: 'x', way: -1 },
  { axis: 'x', way: 1 },
  { axis: 'z', way: -1 },
  { axis: 'z', way: 1 },
];

/** Gap between a box and a wall; negative if they intersect. */
function distanceTo({ min, max }: Boxed, { axis, way }: Wall, half: { x: number; z: number }): number {
  return way === 1 ? half[axis] - max[axis] : min[axis] + half[axis];
}

/**
 * Gives every box the same distance to its nearest wall as the active one has to its own.
 * @param room width and depth in units
 */
export function wallShifts(
  boxes: readonly Boxed[],
  active: Boxed,
  { width, depth }: { width: number; depth: number },
): Shifts {
  const half = { x: width / 2, z: depth / 2 };
  const nearest = (boxed: Boxed) =>
    WALLS.map((wall) => ({ wall, distance: distanceTo(boxed, wall, half) })).reduce((a, b) =>
      b.distance < a.distance ? b : a,
    );
  const wanted = nearest(active).distance;
  return new Map(
    boxes.map((boxed) => {
      const { wall, distance } = nearest(boxed);
      return [boxed.id, along(wall.axis, (distance - wanted) * wall.way)];
    }),
  );
}

/**
 * Centers boxes together on the wall that the active one is closest to, along the wall; heights stay.
 * @param walls of the room
 */
export function centerShifts(boxes: readonly Boxed[], active: Boxed, walls: readonly HangingWall[]): Shifts {
  const middle = (boxed: Boxed) => ({
    x: middleOf(boxed, 'x'),
    y: middleOf(boxed, 'y'),
    z: middleOf(boxed, 'z'),
  });
  const at = walls.map((wall) => ({ wall, place: onWall(wall, middle(active)) }));
  // Beside a wall, the distance to its end counts.
  const distance = ({ wall, place }: (typeof at)[number]) =>
    Math.hypot(place.z, Math.max(0, Math.abs(place.x) - wall.width / 2));
  const nearest = at.reduce<(typeof at)[number] | undefined>(
    (best, each) => (best && distance(best) <= distance(each) ? best : each),
    undefined,
  );
  if (!nearest) return new Map();
  const { wall } = nearest;
  const across = { x: Math.cos(wall.turn), z: -Math.sin(wall.turn) };
  const ends = boxes.flatMap((boxed) => {
    const { min, max } = boxed;
    const half = (Math.abs(across.x) * (max.x - min.x) + Math.abs(across.z) * (max.z - min.z)) / 2;
    const { x } = onWall(wall, middle(boxed));
    return [x - half, x + half];
  });
  const by = -(Math.min(...ends) + Math.max(...ends)) / 2;
  return new Map(boxes.map(({ id }) => [id, { x: across.x * by, y: 0, z: across.z * by }]));
}
