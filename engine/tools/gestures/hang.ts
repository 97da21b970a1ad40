import { STAND_OFF } from '../../document/constants.ts';
import type { Vector } from '../../document/fields.ts';
import { isLevel } from '../camera/picker.ts';
import type { Sides } from './lay-out.ts';
import type { Extent } from './snapping.ts';

/** Gap between images in a row, and between a row and a corner, in units: 20 cm in a headset. */
const GAP = 62.5;
/** Distance in units from which a wall is probed, and tolerance for unevenness. */
const PROBE_DISTANCE = 20;
const TOLERANCE = 4;
/** Distance between probes along a wall in units. */
const STEP = 25;
/** Maximum number of walls searched, and maximum length of a wall in units. */
const MAX_WALLS = 24;
const MAX_LENGTH = 20_000;

/** Casts a ray; returns the hit's point, normal and distance. */
export type Look = (from: Vector, way: Vector) => { point: Vector; normal: Vector; distance: number } | undefined;

/** A free, straight section of a wall along a line at eye level. */
interface Stretch {
  /** A point on the wall at that height, from which the section is measured. */
  origin: Vector;
  out: Vector;
  across: Vector;
  from: number;
  to: number;
  floor: number;
  ceiling: number;
}

/** Placement of an image: center in whole units, and rotation around y in radians. */
export interface Hung {
  position: Vector;
  turn: number;
}

const plus = (a: Vector, b: Vector, by = 1): Vector => ({ x: a.x + b.x * by, y: a.y + b.y * by, z: a.z + b.z * by });
const dot = (a: Vector, b: Vector) => a.x * b.x + a.y * b.y + a.z * b.z;
const back = (a: Vector): Vector => ({ x: -a.x, y: -a.y, z: -a.z });
const DOWN: Vector = { x: 0, y: -1, z: 0 };

type Wall = Omit<Stretch, 'from' | 'to'> & { pieces: { from: number; to: number }[]; next: ReturnType<Look> };

/** The wall at a point, from corner to corner, and the surface at its right end. */
function wallAt({ point, normal }: { point: Vector; normal: Vector }, eye: number, look: Look): Wall | undefined {
  const flat = Math.hypot(normal.x, normal.z);
  if (isLevel(normal) || flat === 0) return undefined;
  const out = { x: normal.x / flat, y: 0, z: normal.z / flat };
  const across = { x: out.z, y: 0, z: -out.x };
  const before = plus(point, out, PROBE_DISTANCE);
  const floor = before.y - (look(before, DOWN)?.distance ?? 0);
  const ceiling = before.y + (look(before, back(DOWN))?.distance ?? Number.POSITIVE_INFINITY);
  // Under a low ceiling, the row is centered vertically.
  const y = floor + eye < ceiling ? floor + eye : (floor + ceiling) / 2;
  const origin = { ...point, y };
  const stand = { ...before, y };
  const right = look(stand, across);
  const left = look(stand, back(across));
  const [first, last] = [
    -Math.min(left?.distance ?? MAX_LENGTH, MAX_LENGTH),
    Math.min(right?.distance ?? MAX_LENGTH, MAX_LENGTH),
  ];
  const isWall = (at: number) => {
    const met = look(plus(stand, across, at), back(out));
    return met !== undefined && Math.abs(met.distance - PROBE_DISTANCE) < TOLERANCE && dot(met.normal, out) > 0.99;
  };
  const pieces: Wall['pieces'] = [];
  for (let at = first + 1; at < last; at = Math.min(at + STEP, at < last - 1 ? last - 1 : last)) {
    const piece = pieces.at(-1);
    if (!isWall(at)) pieces.push({ from: at + STEP, to: Number.NEGATIVE_INFINITY });
    else if (piece) piece.to = at;
    else pieces.push({ from: at, to: at });
  }
  return { origin, out, across, floor, ceiling, pieces: pieces.filter(({ from, to }) => to > from), next: right };
}

/** Free sections of a wall next to what hangs or stands there. @param reach half the height of the row */
function freeParts({ pieces, ...wall }: Wall, taken: readonly Extent[], reach: number): Stretch[] {
  const { origin, out, across } = wall;
  const blocks = taken.flatMap(({ min, max }) => {
    const middle = { x: (min.x + max.x) / 2, y: (min.y + max.y) / 2, z: (min.z + max.z) / 2 };
    const half = { x: (max.x - min.x) / 2, y: (max.y - min.y) / 2, z: (max.z - min.z) / 2 };
    const along = (way: Vector) => Math.abs(way.x) * half.x + Math.abs(way.z) * half.z;
    const to = plus(middle, origin, -1);
    const isBefore = dot(to, out) - along(out) < STAND_OFF * 2 && dot(to, out) + along(out) > -STAND_OFF;
    if (!isBefore || Math.abs(to.y) - half.y > reach) return [];
    return [{ from: dot(to, across) - along(across), to: dot(to, across) + along(across) }];
  });
  blocks.sort((a, b) => a.from - b.from);
  return pieces.flatMap((piece) => {
    const parts: Stretch[] = [];
    let { from } = piece;
    for (const block of blocks) {
      if (block.to < from || block.from > piece.to) continue;
      if (block.from > from) parts.push({ ...wall, from, to: block.from });
      from = Math.max(from, block.to);
    }
    return from < piece.to ? [...parts, { ...wall, from, to: piece.to }] : parts;
  });
}

/** Free sections of the walls, clockwise from the wall of a spot, each from left to right. */
function stretchesFrom(
  spot: { surface: Vector; normal: Vector },
  eye: number,
  { look, taken, reach }: { look: Look; taken: readonly Extent[]; reach: number },
): Stretch[] {
  const stretches: Stretch[] = [];
  const walls: Wall[] = [];
  let at: { point: Vector; normal: Vector } | undefined = { point: spot.surface, normal: spot.normal };
  while (at && walls.length < MAX_WALLS) {
    const wall = wallAt(at, eye, look);
    const isKnown = walls.some(
      ({ origin, out }) =>
        wall && dot(out, wall.out) > 0.99 && Math.abs(dot(plus(wall.origin, origin, -1), out)) < TOLERANCE,
    );
    if (!wall || isKnown) break;
    walls.push(wall);
    stretches.push(...freeParts(wall, taken, reach));
    at = wall.next;
  }
  // The rest of the first wall, left of the spot, comes last.
  const isLeft = ({ origin, to }: Stretch) => origin === walls[0]?.origin && to < 0;
  return [...stretches.filter((each) => !isLeft(each)), ...stretches.filter(isLeft)];
}

/**
 * Hangs images in order, in one row per wall centered at eye level, with equal gaps, clockwise from the wall of a spot.
 * @param eye units above the floor
 * @param look casts rays to find walls
 * @param taken bounding boxes of existing elements
 * @returns a placement per image, null for those that fit on no wall; undefined if the spot isn't on a wall
 */
export function hang(
  pictures: readonly Sides[],
  spot: { surface: Vector; normal: Vector },
  eye: number,
  look: Look,
  taken: readonly Extent[],
): (Hung | null)[] | undefined {
  if (isLevel(spot.normal) || dot(spot.normal, spot.normal) === 0) return undefined;
  const reach = Math.max(...pictures.map(({ height }) => height)) / 2;
  const stretches = stretchesFrom(spot, eye, { look, taken, reach });
  const spaceOf = ({ from, to }: Stretch) => to - from - 2 * GAP;
  const widest = Math.max(0, ...stretches.map(spaceOf));
  const hung: (Hung | null)[] = pictures.map(() => null);
  const waiting = pictures.flatMap(({ width }, nth) => (width <= widest ? [nth] : []));
  for (const stretch of stretches) {
    const row: number[] = [];
    let length = -GAP;
    while (waiting.length > 0 && length + GAP + pictures[waiting[0]!]!.width <= spaceOf(stretch)) {
      length += GAP + pictures[waiting[0]!]!.width;
      row.push(waiting.shift()!);
    }
    const { origin, out, across, floor, ceiling } = stretch;
    // A row that doesn't fill its wall is centered at the spot.
    const isFirst = stretch === stretches[0] && waiting.length === 0;
    const middle = (stretch.from + stretch.to) / 2;
    const slack = (spaceOf(stretch) - length) / 2;
    let at = (isFirst ? Math.min(middle + slack, Math.max(middle - slack, 0)) : middle) - length / 2;
    for (const nth of row) {
      const { width, height, depth } = pictures[nth]!;
      const place = plus(plus(origin, across, at + width / 2), out, depth / 2 + STAND_OFF);
      const y = Math.max(floor + height / 2, Math.min(place.y, ceiling - height / 2));
      const position = { x: Math.round(place.x), y: Math.round(y), z: Math.round(place.z) };
      hung[nth] = { position, turn: Math.atan2(out.x, out.z) };
      // Continue from the rounded position, so that gaps differ by less than a unit.
      at = dot(plus(position, origin, -1), across) + width / 2 + GAP;
    }
  }
  return hung;
}
