import type { RoomCommand } from '../commands.ts';
import { STAND_OFF, UNITS_PER_METER } from '../constants.ts';
import { type Element, flatElementSchema } from '../element.ts';
import type { FileReference } from '../fields.ts';
import type { FramingTemplate } from '../framing.ts';
import { outerSize } from '../outer-size.ts';
import type { Room } from '../room.ts';
import { withKeys } from '../sibling-keys.ts';
import type { Translations } from '../translation-fields.ts';
import { plaqueOf, spaceBelow } from './captions.ts';
import { arrange, type LayoutOptions, LEAST_GAP } from './layouts.ts';
import type { Work } from './salon.ts';
import { takenOn, type Wall } from './walls.ts';

/** Units per centimeter. */
export const UNITS_PER_CENTIMETER = UNITS_PER_METER / 100;

/** Default line above the floor, gap, and height of works of unknown size, in centimeters. */
export const HANG_DEFAULTS = { line: 155, gap: 30, height: 60 } as const;

/** A work on a wall: its center in the wall's frame, across from the middle and up, in whole units. */
export interface Hung {
  wall: Wall;
  x: number;
  y: number;
}

/** A room, as far as works hang in it. */
type WalledRoom = Pick<Room, 'height' | 'elements' | 'template'>;

/**
 * Hangs works on walls of a room, next to what hangs there.
 * @param options lengths in units
 * @param moving elements that are about to be hung, whose space is free
 * @returns the place of each work; null for those that fit on no wall
 */
export function hangOn(
  room: WalledRoom,
  walls: readonly Wall[],
  works: readonly Work[],
  options: LayoutOptions,
  moving: ReadonlySet<number> = new Set(),
): (Hung | null)[] {
  const faces = walls.map((wall) => ({
    width: wall.width,
    height: wall.height,
    base: wall.center.y - wall.height / 2 + room.height / 2,
    taken: takenOn(wall, room, moving),
  }));
  const hung: (Hung | null)[] = works.map(() => null);
  for (const { work, face, x, y } of arrange(works, faces, options).placed) {
    const wall = walls[face]!;
    hung[work] = { wall, x: Math.round(x - wall.width / 2), y: Math.round(y - wall.height / 2) };
  }
  return hung;
}

/** A work to add, with its size in centimeters; null for sides that are unknown. */
export interface NewWork {
  file: FileReference;
  title: string;
  author: string;
  date: string;
  text: string;
  /** Alternative text and detailed description; none if left out. */
  alt?: string;
  long_description?: string;
  translations?: Translations;
  width: number | null;
  height: number | null;
}

/** How works are sized: by their sizes, or all at the same height in centimeters. */
export type Sizing = 'real' | { height: number };

/** Layout and sizes of new works; lengths in units. */
export type HangingOptions = LayoutOptions & { sizing: Sizing };

/** Size of a work in units, in the proportions of its image. */
function sizeOf({ file, width, height }: NewWork, sizing: Sizing): { width: number; height: number } {
  const ratio = file.width && file.height ? file.width / file.height : undefined;
  const wanted = sizing === 'real' ? { width, height } : { width: null, height: sizing.height };
  const own = ratio ?? (width && height ? width / height : 1);
  const limits = [
    wanted.height,
    wanted.width === null ? null : wanted.width / own,
    wanted.height === null && wanted.width === null ? HANG_DEFAULTS.height : null,
  ].filter((each) => each !== null);
  const up = Math.min(...limits) * UNITS_PER_CENTIMETER;
  return { width: Math.round(up * own * 10) / 10, height: Math.round(up * 10) / 10 };
}

/** A work as an image element, without its place. */
function elementOf(work: NewWork, sizing: Sizing, gap: number | null): Element & { element: 'image' } {
  const { file, title, author, date, text, alt, long_description, translations } = work;
  const size = sizeOf(work, sizing);
  const caption = plaqueOf(size.width, gap ?? LEAST_GAP);
  return flatElementSchema.parse({
    id: 1,
    element: 'image',
    name: title || file.name.replace(/\.[^.]+$/, ''),
    file_id: file.id,
    file,
    ...size,
    config: { file_url: file.url, title, author, date, text, alt, long_description, translations, ...caption },
  }) as Element & { element: 'image' };
}

/** Works as elements on walls, in order; null for those that fit on no wall. */
export interface Hanging {
  elements: readonly Element[];
  hung: readonly (Hung | null)[];
}

/** New works as elements without a place, with their sizes. */
function sizedWorks(works: readonly NewWork[], { sizing, gap }: HangingOptions, template: FramingTemplate) {
  const elements = works.map((work) => elementOf(work, sizing, gap));
  const sizes = elements.map(
    (element): Work => ({ ...outerSize(element, template), below: spaceBelow(element.config) }),
  );
  return { elements, sizes };
}

/** Sizes of new works with the captions and frames that they have in rooms of a template, in units. */
export const workSizes = (works: readonly NewWork[], options: HangingOptions, template: FramingTemplate): Work[] =>
  sizedWorks(works, options, template).sizes;

/** Plans how new works hang in a room. @param options lengths in units */
export function planHanging(
  room: WalledRoom,
  walls: readonly Wall[],
  works: readonly NewWork[],
  options: HangingOptions,
): Hanging {
  const { elements, sizes } = sizedWorks(works, options, room.template);
  return { elements, hung: hangOn(room, walls, sizes, options) };
}

/** Number of ids that a plan needs: one per work, and one per new group. */
export function idsNeeded({ hung }: Hanging): number {
  const placed = hung.filter((each) => each !== null);
  const groups = new Set(placed.filter(({ wall }) => wall.group === null).map(({ wall }) => wall.id));
  return placed.length + groups.size;
}

/** A group at the center of a wall, which turns with it. */
export const wallGroup = ({ name, center, turn }: Wall, id: number): Element =>
  flatElementSchema.parse({
    id,
    element: 'group',
    name,
    position_x: Math.round(center.x),
    position_y: Math.round(center.y),
    position_z: Math.round(center.z),
    rotation_y: turn,
  }) as Element;

/**
 * The commands of a plan. The works of a wall are in a group at its center, which turns and moves with them.
 * @param ids as many as `idsNeeded`
 */
export function hangingCommands({ elements, hung }: Hanging, ids: readonly number[]): RoomCommand[] {
  const left = [...ids];
  const next = () => left.shift()!;
  const walls = new Map<Wall, Element[]>();
  for (const [nth, place] of hung.entries()) {
    if (!place) continue;
    const { wall, x, y } = place;
    const works = walls.get(wall) ?? [];
    walls.set(wall, works);
    works.push({ ...elements[nth]!, position_x: x, position_y: y, position_z: STAND_OFF } as Element);
  }
  return [...walls].flatMap(([wall, works]): RoomCommand[] => {
    const parent = wall.group ?? next();
    const inside = works.map((work) => ({ ...work, id: next(), parent_element_id: parent }) as Element);
    if (wall.group !== null) return inside.map((work) => ({ type: 'element.add', elements: [work], parent }));
    return [{ type: 'element.add', elements: withKeys([wallGroup(wall, parent), ...inside]), parent: null }];
  });
}
