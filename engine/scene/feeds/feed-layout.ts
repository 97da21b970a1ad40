import { numbersFrom } from '../motion/random.ts';

export type FeedLayout = 'zigzag' | 'fixed' | 'cloud';

/** Size of one item in units. */
export interface ItemSize {
  width: number;
  height: number;
}

/** Position of an item in its group: units, and radians around y. */
export interface Placement {
  x: number;
  y: number;
  z: number;
  rotation_y: number;
}

/** Spacing of neighbors in a fixed layout, relative to the item size. */
const PITCH = 1.25;
/**
 * Zigzag: distance from the center line and step back per item, in item widths, and rotation towards the center line.
 */
const ZIGZAG_OFFSET = 0.75;
const ZIGZAG_STEP = 0.75;
const ZIGZAG_TURN = Math.PI / 6;
/**
 * Cloud: cell size in item widths and heights, jitter within a cell as a fraction of a side, and maximum rotation.
 */
const CELL = { x: 1.5, y: 1.5, z: 1 };
const JITTER = 0.25;
const CLOUD_TURN = Math.PI / 8;

/**
 * Lays out the items of a feed around the group's origin, roughly facing the viewer (+z).
 *
 * - `zigzag`: item i is left (even) or right (odd) of the center line, x = ∓0.75 w, at z = −0.75 w i, rotated by 30°
 *   towards the center line.
 * - `fixed`: a wall of c = ⌈√count⌉ columns and ⌈count / c⌉ rows, from the top left; neighbors are 1.25 sides apart.
 * - `cloud`: space is divided into cells of 1.5 w × 1.5 h × w; items take the cells closest to the center, shuffled.
 *   Within its cell an item is offset by up to a quarter of a side along each axis and rotated by up to 22.5°. It
 *   reaches w/2 + w/4 along x, the same in heights along y, and w/4 + sin(22.5°) w/2 < w/2 along z: no two overlap.
 * @param seed of a cloud; the same seed gives the same cloud
 * @param size of one item
 * @returns one placement per item
 */
export function layoutFeed(layout: FeedLayout, count: number, seed: number, size: ItemSize): Placement[] {
  switch (layout) {
    case 'fixed':
      return fixed(count, size);
    case 'cloud':
      return cloud(count, seed, size);
    default:
      return zigzag(count, size);
  }
}

function zigzag(count: number, { width }: ItemSize): Placement[] {
  return Array.from({ length: count }, (_, index) => {
    const side = index % 2 === 0 ? -1 : 1;
    // `0 -` avoids −0 for the first item.
    return {
      x: side * ZIGZAG_OFFSET * width,
      y: 0,
      z: 0 - index * ZIGZAG_STEP * width,
      rotation_y: -side * ZIGZAG_TURN,
    };
  });
}

function fixed(count: number, { width, height }: ItemSize): Placement[] {
  const columns = Math.ceil(Math.sqrt(count));
  const rows = Math.ceil(count / columns);
  return Array.from({ length: count }, (_, index) => ({
    x: ((index % columns) - (columns - 1) / 2) * PITCH * width,
    y: ((rows - 1) / 2 - Math.floor(index / columns)) * PITCH * height,
    z: 0,
    rotation_y: 0,
  }));
}

function cloud(count: number, seed: number, { width, height }: ItemSize): Placement[] {
  const next = numbersFrom(seed);
  const jitter = () => (next() * 2 - 1) * JITTER;
  const cells = nearestCells(count);
  for (let last = cells.length - 1; last > 0; last--) {
    const other = Math.floor(next() * (last + 1));
    [cells[last], cells[other]] = [cells[other]!, cells[last]!];
  }
  return cells.map(([x, y, z]) => ({
    x: (x * CELL.x + jitter()) * width,
    y: (y * CELL.y + jitter()) * height,
    z: (z * CELL.z + jitter()) * width,
    rotation_y: (next() * 2 - 1) * CLOUD_TURN,
  }));
}

/** The cells of a grid closest to its center. */
function nearestCells(count: number): [number, number, number][] {
  // `count` cells fill a ball of radius ∛(count × 2.25 × 3 / 4π) widths, which lies within this cube.
  const reach = Math.ceil(0.82 * Math.cbrt(count)) + 1;
  const cells: [number, number, number][] = [];
  for (let x = -reach; x <= reach; x++)
    for (let y = -reach; y <= reach; y++) for (let z = -reach; z <= reach; z++) cells.push([x, y, z]);
  const square = ([x, y, z]: [number, number, number]) => (x * CELL.x) ** 2 + (y * CELL.y) ** 2 + (z * CELL.z) ** 2;
  // Sorting is stable, so ties keep the order of the loops.
  return cells.sort((a, b) => square(a) - square(b)).slice(0, count);
}
