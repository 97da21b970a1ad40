import { numbersFrom } from '../motion/random.ts';

export type FeedLayout = 'zigzag' | 'fixed' | 'cloud';

/** Side lengths of one item in units. */
export interface ItemSize {
  width: number;
  height: number;
}

/** Place of an item in its group: units, and radians around y. */
export interface Placement {
  x: number;
  y: number;
  z: number;
  rotation_y: number;
}

/** Distance of neighbors in a fixed layout, in sides of an item. */
const PITCH = 1.25;
/** A zigzag: distance from the middle and way back from item to item in widths, and turn to the middle. */
const AISLE = 0.75;
const ZIGZAG_STEP = 0.75;
const ZIGZAG_TURN = Math.PI / 6;
/** A cloud's cells in widths and heights, the part of a side that an item strays in its cell, and its largest turn. */
const CELL = { x: 1.5, y: 1.5, z: 1 };
const STRAY = 0.25;
const CLOUD_TURN = Math.PI / 8;

/**
 * Places the items of a feed in their group, whose origin is the middle; all face the viewer (+z), more or less.
 *
 * - `zigzag`: item i stands left (even) or right (odd) of the middle, x = ∓0.75 w, and z = −0.75 w i further back,
 *   turned by 30° towards the middle.
 * - `fixed`: a wall of c = ⌈√count⌉ columns and ⌈count / c⌉ rows, from the top left; neighbors are 1.25 sides apart.
 * - `cloud`: space is cut into cells of 1.5 w × 1.5 h × w; the items take the cells nearest to the middle, shuffled.
 *   In its cell an item strays by up to a quarter of a side along each axis and turns by up to 22.5°. It reaches
 *   w/2 + w/4 along x, as much in heights along y, and w/4 + sin(22.5°) w/2 < w/2 along z: no two overlap.
 * @param seed of a cloud; the same seed gives the same cloud
 * @param size of one item
 * @returns one place for each item
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
    // 0 − … so that the first one is not at −0.
    return { x: side * AISLE * width, y: 0, z: 0 - index * ZIGZAG_STEP * width, rotation_y: -side * ZIGZAG_TURN };
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
  const stray = () => (next() * 2 - 1) * STRAY;
  const cells = nearestCells(count);
  for (let last = cells.length - 1; last > 0; last--) {
    const other = Math.floor(next() * (last + 1));
    [cells[last], cells[other]] = [cells[other]!, cells[last]!];
  }
  return cells.map(([x, y, z]) => ({
    x: (x * CELL.x + stray()) * width,
    y: (y * CELL.y + stray()) * height,
    z: (z * CELL.z + stray()) * width,
    rotation_y: (next() * 2 - 1) * CLOUD_TURN,
  }));
}

/** The cells of a grid that are nearest to its middle one. */
function nearestCells(count: number): [number, number, number][] {
  // As many cells fill a ball of radius ∛(count × 2.25 × 3 / 4π) widths, which lies within this cube.
  const reach = Math.ceil(0.82 * Math.cbrt(count)) + 1;
  const cells: [number, number, number][] = [];
  for (let x = -reach; x <= reach; x++)
    for (let y = -reach; y <= reach; y++) for (let z = -reach; z <= reach; z++) cells.push([x, y, z]);
  const square = ([x, y, z]: [number, number, number]) => (x * CELL.x) ** 2 + (y * CELL.y) ** 2 + (z * CELL.z) ** 2;
  // Sorting is stable, so that ties keep the order of the loops.
  return cells.sort((a, b) => square(a) - square(b)).slice(0, count);
}
