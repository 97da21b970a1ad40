import type { Element, ElementOf } from './element.ts';
import type { Vector } from './fields.ts';
import { positionInRoom } from './places.ts';
import { findElement } from './tree.ts';

/** A floor of the plan of a tour. */
export type PlanElement = ElementOf<'image'>;

type PlanMark = PlanElement['config']['plan_marks'][number];

const isPlan = (element: Element): element is PlanElement =>
  element.element === 'image' && element.config.appearance === 'plan';

/** The floors of a room's plan in order. Their names are those of the floors. */
export const plansOf = (elements: readonly Element[]): PlanElement[] => elements.filter(isPlan);

/** The marks of a plan whose view points exist. Rooms of earlier versions have none. */
export const marksOf = (elements: readonly Element[], { config }: PlanElement): PlanMark[] =>
  (config.plan_marks ?? []).filter(({ view_point_id: id }) => findElement(elements, id)?.element === 'view_point');

/** The first floor that marks a view point; undefined if none does. */
export const planOf = (elements: readonly Element[], placeId: number): PlanElement | undefined =>
  plansOf(elements).find(({ config }) => config.plan_marks?.some(({ view_point_id: id }) => id === placeId));

/** Width of a plan divided by its height: of its file, or else of its element; 1 if unknown. */
export function planAspect({ file, width, height }: Pick<PlanElement, 'file' | 'width' | 'height'>): number {
  for (const size of [file, { width, height }]) if (size?.width && size.height) return size.width / size.height;
  return 1;
}

/** A point on a plan: fractions of its width and height from the top left. */
export interface PlanPoint {
  x: number;
  y: number;
}

/** How a room is drawn on a plan: seen from above, without mirroring. */
export interface PlanTransform {
  /** Heights of the plan per room unit; null if the marks don't determine it. */
  scale: number | null;
  /** Direction of −z on the plan in degrees, clockwise from up. */
  rotation: number;
  /** A point of the room, as its x and z, and where it is on the plan. */
  center: { room: Pick<Vector, 'x' | 'z'>; plan: PlanPoint };
  /** Width of the plan divided by its height. */
  aspect: number;
}

/** Root sum of squared distances from the center below which positions (in units) or marks (in heights) are in one spot. */
const MIN_SPREAD = { room: 1, plan: 1e-4 } as const;
/** Correlation below which marks don't follow the positions, as when they are mirrored. */
const MIN_FIT = 1e-6;

/**
 * The similarity that maps the positions of a plan's places to their marks best: least squares in two dimensions, as in
 * Umeyama, https://doi.org/10.1109/34.88573, restricted to rotations. If all marks or all places are in one spot, −z is up
 * and the scale is unknown.
 * @returns undefined without marks
 */
export function planTransform(plan: PlanElement, elements: readonly Element[]): PlanTransform | undefined {
  const aspect = planAspect(plan);
  const marks = marksOf(elements, plan);
  if (marks.length === 0) return undefined;
  // Positions on the plan are in heights of the plan, so that both axes have the same unit.
  const pairs = marks.map(({ view_point_id, x, y }) => {
    const { x: roomX, z: roomZ } = positionInRoom(elements, findElement(elements, view_point_id)!);
    return [roomX, roomZ, x * aspect, y] as const;
  });
  const mean = (axis: 0 | 1 | 2 | 3) => pairs.reduce((sum, pair) => sum + pair[axis], 0) / pairs.length;
  const [x0, z0, u0, v0] = [mean(0), mean(1), mean(2), mean(3)];
  const center = { room: { x: x0, z: z0 }, plan: { x: u0 / aspect, y: v0 } };
  let [along, across, roomSpread, planSpread] = [0, 0, 0, 0];
  for (const [roomX, roomZ, planU, planV] of pairs) {
    const [x, z, u, v] = [roomX - x0, roomZ - z0, planU - u0, planV - v0];
    along += x * u + z * v;
    across += x * v - z * u;
    roomSpread += x * x + z * z;
    planSpread += u * u + v * v;
  }
  const fit = Math.hypot(along, across);
  const isSpread = roomSpread > MIN_SPREAD.room ** 2 && planSpread > MIN_SPREAD.plan ** 2;
  if (!isSpread || fit < MIN_FIT * Math.sqrt(roomSpread * planSpread))
    return { scale: null, rotation: 0, center, aspect };
  return { scale: fit / roomSpread, rotation: (Math.atan2(across, along) * 180) / Math.PI, center, aspect };
}

/** Where a point of the room is on a plan, also beyond its edges; undefined if the scale is unknown. */
export function pointOnPlan(transform: PlanTransform, point: Pick<Vector, 'x' | 'z'>): PlanPoint | undefined {
  const { scale, rotation, center, aspect } = transform;
  if (scale === null) return undefined;
  const turn = (rotation * Math.PI) / 180;
  const [sin, cos] = [Math.sin(turn) * scale, Math.cos(turn) * scale];
  const [x, z] = [point.x - center.room.x, point.z - center.room.z];
  return { x: center.plan.x + (cos * x - sin * z) / aspect, y: center.plan.y + sin * x + cos * z };
}

/** A direction on a plan in degrees, clockwise from up. @param heading in degrees, as in `headingOf` */
export const planHeading = ({ rotation }: Pick<PlanTransform, 'rotation'>, heading: number): number =>
  (((heading + rotation) % 360) + 360) % 360;
