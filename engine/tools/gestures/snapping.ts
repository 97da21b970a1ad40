import type { Vector } from '../../document/fields.ts';
import type { Axis } from '../../machines/transform.ts';

/** A bounding box in the room, in units. */
export interface Extent {
  min: Vector;
  max: Vector;
}

/** A guide line that shows what something has snapped to. */
export interface Guide {
  from: Vector;
  to: Vector;
}

interface Snapped {
  /** Translation in units. */
  shift: Vector;
  guides: Guide[];
}

/** A candidate alignment of a moved box with another one. */
interface Match {
  distance: number;
  /** Shared coordinate after snapping. */
  at: number;
  other: Extent | null;
  /** For equal gaps: the two gaps. */
  spaces?: readonly [from: number, to: number][];
}

const partsOf = (box: Extent, axis: Axis) => [box.min[axis], (box.min[axis] + box.max[axis]) / 2, box.max[axis]];

const overlaps = (a: Extent, b: Extent, axis: Axis) => a.min[axis] < b.max[axis] && b.min[axis] < a.max[axis];

/** Alignments with edges and centers of others and of the room. */
function lineMatches(box: Extent, others: readonly Extent[], room: Extent, axis: Axis): Match[] {
  const own = partsOf(box, axis);
  const matches: Match[] = [];
  for (const other of [...others, null])
    for (const at of partsOf(other ?? room, axis))
      for (const part of own) matches.push({ distance: at - part, at, other });
  return matches;
}

/** Positions with the same gap to a neighbor as between two others, or centered between two. */
function spaceMatches(box: Extent, row: readonly Extent[], axis: Axis): Match[] {
  const matches: Match[] = [];
  const size = box.max[axis] - box.min[axis];
  for (let index = 1; index < row.length; index++) {
    const [a, b] = [row[index - 1]!, row[index]!];
    const [end, begin] = [a.max[axis], b.min[axis]];
    const space = begin - end;
    if (space <= 0) continue;
    const put = (min: number, other: Extent, spaces: Match['spaces']) =>
      matches.push({ distance: min - box.min[axis], at: min, other, spaces: spaces! });
    if (space > size) {
      const each = (space - size) / 2;
      put(end + each, a, [
        [end, end + each],
        [begin - each, begin],
      ]);
    }
    const [first, last] = [a.min[axis], b.max[axis]];
    put(last + space, b, [
      [end, begin],
      [last, last + space],
    ]);
    put(first - space - size, a, [
      [end, begin],
      [first - space, first],
    ]);
  }
  return matches;
}

/**
 * Snaps a moved box to edges, centers and equal gaps of its neighbors and the room.
 * @param axes along which it may move
 * @param others boxes of neighbors
 * @param reach snapping distance in units
 */
export function snapBox(
  box: Extent,
  axes: readonly Axis[],
  others: readonly Extent[],
  room: Extent,
  reach: number,
): Snapped {
  const shift: Vector = { x: 0, y: 0, z: 0 };
  const found = new Map<Axis, Match>();
  for (const axis of axes) {
    const across = axes.find((each) => each !== axis);
    const row = others
      .filter((other) => across === undefined || overlaps(box, other, across))
      .toSorted((a, b) => a.min[axis] - b.min[axis]);
    const matches = [...lineMatches(box, others, room, axis), ...spaceMatches(box, row, axis)];
    let best: Match | undefined;
    for (const match of matches)
      if (Math.abs(match.distance) <= reach && (!best || Math.abs(match.distance) < Math.abs(best.distance) - 1e-6))
        best = match;
    if (!best) continue;
    shift[axis] = best.distance;
    found.set(axis, best);
  }
  const moved: Extent = {
    min: { x: box.min.x + shift.x, y: box.min.y + shift.y, z: box.min.z + shift.z },
    max: { x: box.max.x + shift.x, y: box.max.y + shift.y, z: box.max.z + shift.z },
  };
  const guides = [...found].flatMap(([axis, match]) => guidesOf(moved, axis, match, axes));
  return { shift, guides };
}

function guidesOf(box: Extent, axis: Axis, { at, other, spaces }: Match, axes: readonly Axis[]): Guide[] {
  const middle: Vector = {
    x: (box.min.x + box.max.x) / 2,
    y: (box.min.y + box.max.y) / 2,
    z: (box.min.z + box.max.z) / 2,
  };
  if (spaces) return spaces.map(([from, to]) => ({ from: { ...middle, [axis]: from }, to: { ...middle, [axis]: to } }));
  // Perpendicular to the snapping axis, spanning both boxes.
  const across = axes.find((each) => each !== axis) ?? (axis === 'y' ? 'x' : 'y');
  const low = Math.min(box.min[across], other?.min[across] ?? box.min[across] - 40);
  const high = Math.max(box.max[across], other?.max[across] ?? box.max[across] + 40);
  return [{ from: { ...middle, [axis]: at, [across]: low }, to: { ...middle, [axis]: at, [across]: high } }];
}
