import { STAND_OFF } from '../../document/constants.ts';
import type { Vector } from '../../document/fields.ts';
import { isLevel, type Spot } from '../camera/picker.ts';
import type { Extent } from './snapping.ts';

/** Size of an element in units. */
export interface Sides {
  width: number;
  height: number;
  depth: number;
}

/** Gap between neighbors in units. */
const SPACE = 20;
/** Search limits for a free position: rows, step size, and layers in front of a full surface. */
const MAX_ROWS = 6;
const MAX_LAYERS = 4;
const STEP = 40;
const LAYER = 120;
const THIN = 10;

type Surface = Pick<Spot, 'surface' | 'normal' | 'turn'>;

/** Coordinate frame of a surface: across, and up a wall or back along a floor. */
interface Frame {
  point: Vector;
  out: Vector;
  across: Vector;
  up: Vector;
  isLevel: boolean;
}

const plus = (a: Vector, b: Vector, by = 1): Vector => ({ x: a.x + b.x * by, y: a.y + b.y * by, z: a.z + b.z * by });
const dot = (a: Vector, b: Vector) => a.x * b.x + a.y * b.y + a.z * b.z;

function frameOf({ surface, normal, turn }: Surface): Frame {
  const level = isLevel(normal) || dot(normal, normal) === 0;
  return {
    point: surface,
    out: level ? normal : { x: Math.sin(turn), y: 0, z: Math.cos(turn) },
    across: level ? { x: 1, y: 0, z: 0 } : { x: Math.cos(turn), y: 0, z: -Math.sin(turn) },
    up: level ? { x: 0, y: 0, z: -1 } : { x: 0, y: 1, z: 0 },
    isLevel: level,
  };
}

/** Half extents of the world bounding box of an element aligned to a frame. */
function halfOf({ across, out, isLevel: level }: Frame, { width, height, depth }: Sides): Vector {
  const [x, z] = level
    ? [width, depth]
    : [Math.abs(across.x) * width + Math.abs(out.x) * depth, Math.abs(across.z) * width + Math.abs(out.z) * depth];
  return { x: x / 2, y: height / 2, z: z / 2 };
}

/** Center of an element at an offset across and up the surface. */
function middleOf(frame: Frame, sides: Sides, across: number, up: number): Vector {
  const at = plus(plus(frame.point, frame.across, across), frame.up, up);
  if (!frame.isLevel) return plus(at, frame.out, sides.depth / 2 + STAND_OFF);
  // Standing on a floor, hanging below a ceiling, or floating in the air.
  return { ...at, y: at.y + Math.sign(frame.out.y) * (sides.height / 2) };
}

function inside(middle: Vector, half: Vector, room: Sides): Vector {
  const clamp = (value: number, whole: number, own: number) => {
    const most = Math.max(0, whole / 2 - own);
    return Math.min(most, Math.max(-most, value));
  };
  return {
    x: clamp(middle.x, room.width, half.x),
    y: clamp(middle.y, room.height, half.y),
    z: clamp(middle.z, room.depth, half.z),
  };
}

const extentOf = (middle: Vector, half: Vector): Extent => ({ min: plus(middle, half, -1), max: plus(middle, half) });

/** Whether two boxes overlap by more than a unit; flat ones are treated as if they had some thickness. */
const touches = (a: Extent, b: Extent) =>
  (['x', 'y', 'z'] as const).every((axis) => {
    const thin = (Math.max(0, THIN - a.max[axis] + a.min[axis]) + Math.max(0, THIN - b.max[axis] + b.min[axis])) / 2;
    return a.min[axis] - thin < b.max[axis] - 1 && b.min[axis] - thin < a.max[axis] - 1;
  });

/** Candidate offsets across, up and out, nearest first. */
function* tries(width: number, height: number): Generator<[across: number, up: number, out: number]> {
  for (let layer = 0; layer < MAX_LAYERS; layer++)
    for (let row = 0; row < MAX_ROWS; row++)
      for (const up of row === 0 ? [0] : [row * height, -row * height])
        for (let across = 0; across <= width; across += STEP) {
          yield [across, up, layer * LAYER];
          if (across > 0) yield [-across, up, layer * LAYER];
        }
}

/**
 * Finds positions for new elements on a surface: side by side, inside the room, resting on the surface, without overlap
 * as long as there is space; if the surface is full, in front of it.
 * @param room size of the room, which is centered at the origin
 * @param taken bounding boxes of existing elements
 * @returns the center of each element in the room
 */
export function layOut(things: readonly Sides[], spot: Surface, room: Sides, taken: readonly Extent[]): Vector[] {
  const frame = frameOf(spot);
  const blocked = [...taken];
  const whole = things.reduce((sum, { width }) => sum + width + SPACE, -SPACE);
  let from = -whole / 2;
  return things.map((sides) => {
    const half = halfOf(frame, sides);
    const wanted = from + sides.width / 2;
    from += sides.width + SPACE;
    const at = (across: number, up: number, out: number) =>
      inside(plus(middleOf(frame, sides, wanted + across, up), frame.out, out), half, room);
    const rows = (frame.isLevel ? sides.depth : sides.height) + SPACE;
    let middle = at(0, 0, 0);
    for (const [across, up, out] of tries(room.width + room.depth, rows)) {
      const tried = at(across, up, out);
      if (blocked.some((other) => touches(extentOf(tried, half), other))) continue;
      middle = tried;
      break;
    }
    blocked.push(extentOf(middle, { x: half.x + SPACE / 2, y: half.y, z: half.z }));
    return middle;
  });
}
