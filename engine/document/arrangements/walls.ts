import { STAND_OFF } from '../constants.ts';
import type { Element } from '../element.ts';
import type { Vector } from '../fields.ts';
import { fileSize } from '../image-size.ts';
import { isInRoom } from '../in-room.ts';
import { outerSize } from '../outer-size.ts';
import type { Room } from '../room.ts';
import { ancestorsOf } from '../tree.ts';
import type { Span } from './layouts.ts';

/** A wall to hang works on. */
export interface Wall {
  /** `front`, `right`, `back` or `left` for the walls of the room; otherwise the id of an element, and `-back` for its back. */
  id: string;
  name: string;
  /** Center of its front in the room, in units. */
  center: Vector;
  /** Rotation around y in radians at which an image faces away from the wall. */
  turn: number;
  width: number;
  height: number;
  /** Group of the works on it; null for a new one. */
  group: number | null;
}

type Size = Pick<Room, 'width' | 'height' | 'depth'>;

/** An element's origin in the room, and its axes with their scale. */
interface Frame {
  origin: Vector;
  x: Vector;
  y: Vector;
  z: Vector;
}

const times = ({ x, y, z }: Vector, by: number): Vector => ({ x: x * by, y: y * by, z: z * by });
const plus = (...all: readonly Vector[]): Vector =>
  all.reduce((a, b) => ({ x: a.x + b.x, y: a.y + b.y, z: a.z + b.z }));
const dot = (a: Vector, b: Vector) => a.x * b.x + a.y * b.y + a.z * b.z;
const lengthOf = (a: Vector) => Math.sqrt(dot(a, a));

/** An element's frame in its parent: Euler angles in the order XYZ. */
function ownFrame(element: Element): Frame {
  const { sin, cos } = Math;
  const [a, b] = [cos(element.rotation_x), sin(element.rotation_x)];
  const [c, d] = [cos(element.rotation_y), sin(element.rotation_y)];
  const [e, f] = [cos(element.rotation_z), sin(element.rotation_z)];
  return {
    origin: { x: element.position_x, y: element.position_y, z: element.position_z },
    x: times({ x: c * e, y: a * f + b * e * d, z: b * f - a * e * d }, element.scale_x),
    y: times({ x: -c * f, y: a * e - b * f * d, z: b * e + a * f * d }, element.scale_y),
    z: times({ x: d, y: -b * c, z: a * c }, element.scale_z),
  };
}

/** An element's frame in the room. */
function frameOf(elements: readonly Element[], element: Element): Frame {
  return ancestorsOf(elements, element.id).reduce((inner, parent) => {
    const { origin, x, y, z } = ownFrame(parent);
    const turned = (of: Vector) => plus(times(x, of.x), times(y, of.y), times(z, of.z));
    return { origin: plus(origin, turned(inner.origin)), x: turned(inner.x), y: turned(inner.y), z: turned(inner.z) };
  }, ownFrame(element));
}

/** Minimum width and height of a wall in units: 30 cm. */
const LEAST_SIDE = 94;

/** Whether a frame is upright, up to rounding. */
const isUpright = ({ y, z }: Frame) => y.y > 0 && y.y / lengthOf(y) > 0.9999 && Math.abs(z.y) / lengthOf(z) < 0.01;

/** Whether an element has a size of its own that makes it a wall: a group with a size, or an image with a depth. */
const isWall = (element: Element): boolean =>
  element.element === 'group'
    ? Boolean(element.width && element.height) && !element.config.feed_enabled
    : element.element === 'image' && Boolean(element.depth) && isInRoom(element);

/** The walls that an element makes: the front of a group, and both sides of an image with a depth. */
function wallsOfElement(elements: readonly Element[], element: Element): Wall[] {
  if (!isWall(element) || element.hidden) return [];
  const frame = frameOf(elements, element);
  if (!isUpright(frame)) return [];
  const own = fileSize(element);
  const scale = { x: lengthOf(frame.x), y: lengthOf(frame.y), z: lengthOf(frame.z) };
  const [width, height] = [own.width * scale.x, own.height * scale.y];
  if (width < LEAST_SIDE || height < LEAST_SIDE) return [];
  const away = element.element === 'group' ? 0 : ((element.depth ?? 0) * scale.z) / 2;
  const out = times(frame.z, 1 / scale.z);
  const name = element.name || (element.element === 'group' ? 'Group' : 'Image');
  const isPlain = Math.abs(scale.x - 1) < 1e-6 && Math.abs(scale.y - 1) < 1e-6 && Math.abs(scale.z - 1) < 1e-6;
  const front: Wall = {
    id: `${element.id}`,
    name,
    center: plus(frame.origin, times(out, away)),
    turn: Math.atan2(out.x, out.z),
    width,
    height,
    group: element.element === 'group' && isPlain ? element.id : null,
  };
  if (element.element === 'group') return [front];
  const center = plus(frame.origin, times(out, -away));
  const back: Wall = {
    ...front,
    id: `${element.id}-back`,
    name: `${name}, back`,
    center,
    turn: Math.atan2(-out.x, -out.z),
  };
  return [front, back];
}

/** The four walls of a room, clockwise from the one that a camera without rotation looks at. */
function roomWalls({ width, height, depth }: Size): Wall[] {
  const wall = (id: string, x: number, z: number, turn: number, across: number): Wall => ({
    id,
    name: `${id.charAt(0).toUpperCase()}${id.slice(1)} wall`,
    center: { x, y: 0, z },
    turn,
    width: across,
    height,
    group: null,
  });
  return [
    wall('front', 0, -depth / 2, 0, width),
    wall('right', width / 2, 0, -Math.PI / 2, depth),
    wall('back', 0, depth / 2, Math.PI, width),
    wall('left', -width / 2, 0, Math.PI / 2, depth),
  ];
}

/**
 * The walls of a space: of groups with a size, of images with a depth, and of the room itself. Panoramas have no walls of
 * their own.
 */
export function wallsOf(room: Room): Wall[] {
  const own = room.elements.flatMap((element) => wallsOfElement(room.elements, element));
  const isPanorama = room.template?.model_type === 'pano';
  return isPanorama ? own : [...roomWalls(room), ...own];
}

/** A point in the frame of a wall: across from its center, up, and out. */
export function onWall({ center, turn }: Wall, point: Vector): Vector {
  const way = plus(point, times(center, -1));
  return {
    x: way.x * Math.cos(turn) - way.z * Math.sin(turn),
    y: way.y,
    z: way.x * Math.sin(turn) + way.z * Math.cos(turn),
  };
}

/** A point in the room from one in the frame of a wall. */
export function inRoom({ center, turn }: Wall, { x, y, z }: Vector): Vector {
  return plus(center, {
    x: x * Math.cos(turn) + z * Math.sin(turn),
    y,
    z: z * Math.cos(turn) - x * Math.sin(turn),
  });
}

/** Distance in units up to which an element in front of a wall takes its space. */
const NEAR = STAND_OFF * 4;

const WITHOUT_FACE = new Set<Element['element']>([
  'group',
  'audio',
  'light',
  'view_point',
  'motion',
  'model',
  'live_stream',
]);

/**
 * Parts of a wall's width that elements take.
 * @param except elements that are about to be hung
 */
export function takenOn(
  wall: Wall,
  { elements, template }: Pick<Room, 'elements' | 'template'>,
  except: ReadonlySet<number>,
): Span[] {
  return elements.flatMap((element): Span | never[] => {
    if (except.has(element.id) || element.hidden || WITHOUT_FACE.has(element.element) || !isInRoom(element)) return [];
    if (
      wall.id.startsWith(`${element.id}`) &&
      /^\d+(?:-back)?$/.test(wall.id) &&
      Number.parseInt(wall.id, 10) === element.id
    )
      return [];
    const frame = frameOf(elements, element);
    const size = outerSize(element, template);
    const half = {
      x: times(frame.x, size.width / 2),
      y: times(frame.y, size.height / 2),
      z: times(frame.z, (element.depth ?? 0) / 2),
    };
    const middle = onWall(wall, frame.origin);
    const along = (axis: keyof Vector) =>
      [half.x, half.y, half.z].reduce((sum, each) => sum + Math.abs(onWall(wall, plus(wall.center, each))[axis]), 0);
    if (Math.abs(middle.z) - along('z') > NEAR || Math.abs(middle.y) - along('y') > wall.height / 2) return [];
    const reach = along('x');
    if (Math.abs(middle.x) - reach > wall.width / 2) return [];
    const from = middle.x + wall.width / 2 - reach;
    return { from, to: from + 2 * reach };
  });
}
