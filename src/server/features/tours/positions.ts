import { CAMERA_DEFAULTS, ROOM_SIZE, UNITS_PER_METER } from '../../../../engine/document/constants.ts';
import { length, type Vector } from '../../../../engine/document/fields.ts';
import type { PhotoMetadata } from '../../core/files/inspect/metadata/photo-metadata.ts';

/** Radius of the earth in meters, good to 0.5 % for distances. */
const EARTH_RADIUS = 6_371_000;
/** Distance in meters between places without positions. */
const GRID_STEP = 4;
/** Distance in meters below which two GPS positions count as one: the camera repeated its last fix. */
const SAME_PLACE = 0.5;
/** Maximum altitude difference in meters; beyond it, the altitudes are unusable. */
const MAX_CLIMB = 100;
/** Free space around the outermost places, in units: to the walls, and to the floor and ceiling. */
const MARGIN = { side: 4 * UNITS_PER_METER, height: ROOM_SIZE.height / 2 } as const;

const RADIANS = Math.PI / 180;
const round = (value: number) => Math.round(value * 10) / 10 + 0;
const middle = (values: readonly number[]) => (Math.min(...values) + Math.max(...values)) / 2;

/** Size of a side that holds these coordinates, centered. */
const sideOf = (values: readonly number[], least: number, margin: number) =>
  Math.max(least, Math.ceil(2 * (Math.max(...values.map(Math.abs)) + margin)));

/** Size of a room with centered places, and the distance of its camera's far plane, in units. */
export function spaceAround(positions: readonly Vector[]): {
  width: number;
  height: number;
  depth: number;
  far: number;
} {
  const axis = (name: keyof Vector) => positions.map((position) => position[name]);
  const width = sideOf(axis('x'), ROOM_SIZE.width, MARGIN.side);
  const height = sideOf(axis('y'), ROOM_SIZE.height, MARGIN.height);
  const depth = sideOf(axis('z'), ROOM_SIZE.depth, MARGIN.side);
  // The farthest that anything in the room is from any place.
  return { width, height, depth, far: Math.max(CAMERA_DEFAULTS.far, Math.ceil(Math.hypot(width, height, depth))) };
}

/**
 * A grid, as square as possible, that a path from place to place fills: north along the first column, south along the
 * second, and so on. Consecutive places are neighbors, and the second one is straight ahead of the first.
 */
function gridOf(count: number): Vector[] {
  const columns = Math.ceil(Math.sqrt(count));
  const rows = Math.ceil(count / columns);
  const step = GRID_STEP * UNITS_PER_METER;
  return Array.from({ length: count }, (_, index) => {
    const column = Math.floor(index / rows);
    const along = index % rows;
    const row = column % 2 === 0 ? rows - 1 - along : along;
    return { x: round((column - (columns - 1) / 2) * step), y: 0, z: round((row - (rows - 1) / 2) * step) };
  });
}

/** Heights above their middle in meters; level unless every photo has a plausible altitude. */
function heightsOf(photos: readonly PhotoMetadata[]): number[] {
  const altitudes = photos.flatMap(({ altitude }) => altitude ?? []);
  const isUsable = altitudes.length === photos.length && Math.max(...altitudes) - Math.min(...altitudes) <= MAX_CLIMB;
  return photos.map(({ altitude }) => (isUsable ? altitude! - middle(altitudes) : 0));
}

/** GPS positions on the local tangent plane: x east, z south; null if they are missing, far apart or not distinct. */
function fromGps(photos: readonly PhotoMetadata[]): Vector[] | null {
  const fixes = photos.flatMap(({ latitude, longitude }) =>
    latitude === undefined || longitude === undefined ? [] : [{ latitude, longitude }],
  );
  const [first] = fixes;
  if (!first || fixes.length < photos.length) return null;
  const meters = fixes.map(({ latitude, longitude }) => {
    // Across the 180° meridian, the short way.
    const east = ((longitude - first.longitude + 540) % 360) - 180;
    return {
      x: east * RADIANS * EARTH_RADIUS * Math.cos(first.latitude * RADIANS),
      z: (first.latitude - latitude) * RADIANS * EARTH_RADIUS,
    };
  });
  const center = { x: middle(meters.map(({ x }) => x)), z: middle(meters.map(({ z }) => z)) };
  const heights = heightsOf(photos);
  const places = meters.map(({ x, z }, index) => ({ x: x - center.x, y: heights[index]!, z: z - center.z }));
  const isSame = places.some((one, index) =>
    places.slice(index + 1).some((other) => Math.hypot(one.x - other.x, one.y - other.y, one.z - other.z) < SAME_PLACE),
  );
  const positions = places.map(({ x, y, z }) => ({
    x: round(x * UNITS_PER_METER),
    y: round(y * UNITS_PER_METER),
    z: round(z * UNITS_PER_METER),
  }));
  // The diagonal is the longest length of the room: with it, all others fit.
  const isFar = !length.safeParse(spaceAround(positions).far).success;
  return isFar || isSame ? null : positions;
}

/** Positions of a tour's places in units, centered: from GPS if usable, otherwise a grid. */
export function positionsOf(photos: readonly PhotoMetadata[]): { positions: Vector[]; from: 'gps' | 'grid' } {
  const located = fromGps(photos);
  return located ? { positions: located, from: 'gps' } : { positions: gridOf(photos.length), from: 'grid' };
}
