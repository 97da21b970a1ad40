import { MAX_PLAN_MARKS } from './constants.ts';
import type { Element } from './element.ts';
import { type PlaceElement, placesOf, positionInRoom } from './places.ts';
import { type PlanElement, type PlanPoint, plansOf } from './plans.ts';
import { tourLinks } from './tour-links.ts';

type PlanMark = PlanElement['config']['plan_marks'][number];

const share = (value: number) => Math.round(Math.max(0, Math.min(1, value)) * 1e5) / 1e5;

/** The marks of a plan with one view point at a point, added or moved; unchanged if there are too many. */
export function withMark(marks: readonly PlanMark[], view_point_id: number, { x, y }: PlanPoint): PlanMark[] {
  const mark = { view_point_id, x: share(x), y: share(y) };
  if (marks.some((one) => one.view_point_id === view_point_id))
    return marks.map((one) => (one.view_point_id === view_point_id ? mark : one));
  return marks.length < MAX_PLAN_MARKS ? [...marks, mark] : [...marks];
}

/** Places that no floor marks, in order. */
export function unmarkedPlaces(elements: readonly Element[]): PlaceElement[] {
  const marked = new Set(
    plansOf(elements).flatMap(({ config }) => config.plan_marks.map((mark) => mark.view_point_id)),
  );
  return placesOf(elements).filter(({ id }) => !marked.has(id));
}

/** A part of a room seen from above, −z up, in units. */
export interface PlanFrame {
  left: number;
  /** The smallest z. */
  top: number;
  width: number;
  depth: number;
}

/** Margin around the places, relative to their larger extent, and its minimum in units. */
const MARGIN = { share: 0.18, least: 400 } as const;
/** Smallest ratio of the sides of a frame. */
const MIN_RATIO = 0.5;

/** A frame around all places, with a margin; undefined without places. */
export function planFrame(elements: readonly Element[]): PlanFrame | undefined {
  const points = placesOf(elements).map((place) => positionInRoom(elements, place));
  if (points.length === 0) return undefined;
  const range = (values: readonly number[]) => [Math.min(...values), Math.max(...values)] as const;
  const [west, east] = range(points.map(({ x }) => x));
  const [north, south] = range(points.map(({ z }) => z));
  const margin = Math.max(MARGIN.least, MARGIN.share * Math.max(east - west, south - north));
  const [wide, deep] = [east - west + 2 * margin, south - north + 2 * margin];
  const [width, depth] = [Math.max(wide, deep * MIN_RATIO), Math.max(deep, wide * MIN_RATIO)];
  return { left: (west + east - width) / 2, top: (north + south - depth) / 2, width, depth };
}

/** Where a point of the room is in a frame. */
export const pointInFrame = (
  { left, top, width, depth }: PlanFrame,
  { x, z }: { x: number; z: number },
): PlanPoint => ({
  x: (x - left) / width,
  y: (z - top) / depth,
});

/** The marks of all places on an image of a frame. */
export const marksInFrame = (elements: readonly Element[], frame: PlanFrame): PlanMark[] =>
  placesOf(elements)
    .slice(0, MAX_PLAN_MARKS)
    .reduce<PlanMark[]>(
      (marks, place) => withMark(marks, place.id, pointInFrame(frame, positionInRoom(elements, place))),
      [],
    );

/** Lines between linked places in a frame, each once. */
export function linesInFrame(elements: readonly Element[], frame: PlanFrame): [PlanPoint, PlanPoint][] {
  const at = new Map(
    placesOf(elements).map((place) => [place.id, pointInFrame(frame, positionInRoom(elements, place))]),
  );
  const pairs = new Map(
    tourLinks(elements).map(({ from, to }) => [`${Math.min(from, to)} ${Math.max(from, to)}`, [from, to] as const]),
  );
  return [...pairs.values()].map(([from, to]) => [at.get(from)!, at.get(to)!]);
}
