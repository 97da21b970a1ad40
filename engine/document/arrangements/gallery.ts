import type { RoomCommand } from '../commands.ts';
import { type Element, flatElementSchema } from '../element.ts';
import type { Vector } from '../fields.ts';
import { type Hanging, hangingCommands, idsNeeded, UNITS_PER_CENTIMETER, wallGroup } from './hang.ts';
import { arrange, type LayoutOptions, LEAST_GAP } from './layouts.ts';
import type { Work } from './salon.ts';
import type { Wall } from './walls.ts';

const cm = (value: number) => Math.round(value * UNITS_PER_CENTIMETER);

/** Sides of a square room, thickness of walls between rooms, and size of an opening, in units. */
const SIDE = cm(700);
const THICKNESS = cm(30);
const OPENING = { width: cm(240), height: cm(280) };
/** Minimum height above an opening, and height of a visitor's eyes, in units. */
const LEAST_LINTEL = cm(30);
const EYES = cm(160);
/** Distance of the start position from the wall behind it, in units. */
const START = cm(120);
export const MAX_GALLERY_ROOMS = 20;

/** A box of the building in units; a plane if one of its sides is 0. */
export interface GalleryBox {
  kind: 'wall' | 'floor' | 'ceiling';
  center: Vector;
  size: Vector;
}

/** A building of rooms in a line, with openings between them. Its size is that of the space. */
export interface Gallery {
  width: number;
  height: number;
  depth: number;
  rooms: number;
  boxes: GalleryBox[];
  /** The walls in the order of a visit: in each room clockwise, from the left one. */
  walls: Wall[];
  /** Position of visitors at the start, and a point ahead of it. */
  start: { position: Vector; angle: Vector };
  /** Whether all works that fit on a wall have a place. */
  isWhole: boolean;
}

/** The parts of a wall beside an opening: center and width along the wall; the whole wall without one. */
const partsOf = (width: number, isOpen: boolean) => {
  const part = (width - OPENING.width) / 2;
  const away = (OPENING.width + part) / 2;
  return isOpen
    ? [
        { at: -away, width: part },
        { at: away, width: part },
      ]
    : [{ at: 0, width }];
};

/** The walls of all rooms. Visitors enter through the back wall of a room and leave through its front wall, toward −z. */
function wallsOfRooms(count: number, side: number, height: number): Wall[] {
  const pitch = side + THICKNESS;
  const end = (count * pitch - THICKNESS) / 2;
  return Array.from({ length: count }, (_, nth): Wall[] => {
    const back = end - nth * pitch;
    const wall = (name: string, turn: number, width: number, x: number, z: number): Wall => ({
      id: `${nth} ${name}`,
      name: `Room ${nth + 1}, ${name}`,
      center: { x, y: 0, z },
      turn,
      width,
      height,
      group: null,
    });
    const across = (name: string, turn: number, z: number, isOpen: boolean) => {
      const parts = partsOf(side, isOpen);
      return parts.map(({ at, width }, part) =>
        wall(parts.length === 1 ? name : `${name} ${part + 1}`, turn, width, turn === 0 ? at : -at, z),
      );
    };
    return [
      wall('left', Math.PI / 2, side, -side / 2, back - side / 2),
      ...across('front', 0, back - side, nth < count - 1),
      wall('right', -Math.PI / 2, side, side / 2, back - side / 2),
      ...across('back', Math.PI, back, nth > 0),
    ];
  }).flat();
}

/**
 * Floor, ceiling, outer walls, and a wall with an opening between two rooms. The outer ones have no thickness: the stage
 * scales a model to the size of its space, which is that of the rooms.
 */
function boxesOf(count: number, side: number, height: number): GalleryBox[] {
  const pitch = side + THICKNESS;
  const depth = count * pitch - THICKNESS;
  const slab = (kind: 'floor' | 'ceiling', up: 1 | -1): GalleryBox => ({
    kind,
    center: { x: 0, y: (up * height) / 2, z: 0 },
    size: { x: side, y: 0, z: depth },
  });
  const wall = (center: Vector, size: Vector): GalleryBox => ({ kind: 'wall', center, size });
  const open = Math.min(OPENING.height, height - LEAST_LINTEL);
  const between = Array.from({ length: count - 1 }, (_, nth) => {
    const z = depth / 2 - (nth + 1) * pitch + THICKNESS / 2;
    const parts = partsOf(side, true).map(({ at, width }) =>
      wall({ x: at, y: 0, z }, { x: width, y: height, z: THICKNESS }),
    );
    const lintel = { x: OPENING.width, y: height - open, z: THICKNESS };
    return [...parts, wall({ x: 0, y: open / 2, z }, lintel)];
  });
  return [
    slab('floor', -1),
    slab('ceiling', 1),
    ...[-1, 1].flatMap((way) => [
      wall({ x: (way * side) / 2, y: 0, z: 0 }, { x: 0, y: height, z: depth }),
      wall({ x: 0, y: 0, z: (way * depth) / 2 }, { x: side, y: height, z: 0 }),
    ]),
    ...between.flat(),
  ];
}

/**
 * Plans a building with enough walls for works: as few rooms as possible, up to a limit, each large enough for the widest
 * work. The same works give the same building.
 * @param height of the walls in centimeters
 */
export function planGallery(works: readonly Work[], height: number, options: LayoutOptions): Gallery {
  const up = cm(height);
  const gap = options.gap ?? LEAST_GAP;
  const widest = works.reduce((most, { width }) => Math.max(most, width), 0);
  const side = Math.max(SIDE, Math.ceil(widest + 2 * gap));
  const possible = works.filter((work) => work.height + work.below <= up);
  let rooms = 0;
  let walls: Wall[];
  let left: number;
  do {
    walls = wallsOfRooms(++rooms, side, up);
    const faces = walls.map((wall) => ({ width: wall.width, height: up, base: 0, taken: [] }));
    left = arrange(possible, faces, options).left.length;
  } while (left > 0 && rooms < MAX_GALLERY_ROOMS);
  const depth = rooms * (side + THICKNESS) - THICKNESS;
  const from = { x: 0, y: Math.min(EYES, up * 0.9) - up / 2, z: depth / 2 - START };
  return {
    width: side,
    height: up,
    depth,
    rooms,
    boxes: boxesOf(rooms, side, up),
    walls,
    start: { position: from, angle: { ...from, z: from.z - cm(100) } },
    isWhole: left === 0,
  };
}

/** Number of ids that `galleryCommands` needs. */
export const galleryIds = ({ walls, rooms }: Gallery, hanging: Hanging): number =>
  idsNeeded(hanging) + walls.length + rooms;

/** View points in the middle of each room, facing the next one. */
function viewPointsOf({ rooms, start, width, depth }: Gallery, ids: readonly number[]): RoomCommand[] {
  return Array.from({ length: rooms }, (_, nth) => {
    const z = depth / 2 - nth * (width + THICKNESS) - width / 2;
    const { y } = start.position;
    const name = `Room ${nth + 1}`;
    const config = { name, order_rank: nth, target_position: { x: 0, y, z: z - cm(100) } };
    const place = { position_y: Math.round(y), position_z: Math.round(z) };
    const element = flatElementSchema.parse({ id: ids[nth], element: 'view_point', name, ...place, config }) as Element;
    return { type: 'element.add', elements: [element], parent: null };
  });
}

/**
 * Commands that add a group for each wall of a gallery, with its works, and a view point in each room, to a space of the
 * gallery's size.
 * @param ids as many as `galleryIds`
 */
export function galleryCommands(gallery: Gallery, hanging: Hanging, ids: readonly number[]): RoomCommand[] {
  const filled = hangingCommands(hanging, ids);
  const rest = ids.slice(idsNeeded(hanging));
  const groups = gallery.walls.map((wall, nth): RoomCommand => {
    const size = { width: wall.width, height: wall.height };
    const found = filled.find((command) => command.type === 'element.add' && command.elements[0]!.name === wall.name);
    if (found?.type !== 'element.add')
      return { type: 'element.add', elements: [{ ...wallGroup(wall, rest[nth]!), ...size } as Element], parent: null };
    const [group, ...inside] = found.elements;
    return { ...found, elements: [{ ...group!, ...size } as Element, ...inside] };
  });
  return [...viewPointsOf(gallery, rest.slice(gallery.walls.length)), ...groups];
}
