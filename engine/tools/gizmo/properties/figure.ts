import { Vector3 } from 'three';
import type { ElementFields } from '../../../document/commands.ts';
import type { Vector } from '../../../document/fields.ts';

/** A line segment in the room. */
export type Stroke = readonly [from: Vector3, to: Vector3];

/** How a handle follows the pointer. */
export type Way =
  /** Along a line; sets the distance from its start, in room units. */
  | { type: 'line'; from: Vector3; along: Vector3 }
  /** In a plane through its position. */
  | { type: 'plane'; normal: Vector3 }
  /** Along walls, floor and solids; otherwise at its distance from the camera. */
  | { type: 'surface' };

/** Modifiers of a drag. */
export interface Dragging {
  /** Snapping step of lengths in units; null for none. */
  step: number | null;
  shift: boolean;
  alt: boolean;
}

/** The change a handle makes to its element or the room's settings. */
export interface Change {
  fields: ElementFields;
  /** Fields shown during the drag, if `fields` would cause a reload. */
  meanwhile?: ElementFields;
  /** Size shown during the drag, if the view doesn't show it. */
  sides?: { width: number; height: number };
  /** Description of the value, shown next to the pointer. */
  text: string;
}

/** A handle of a property. */
export interface PropertyHandle {
  /** Unique within its figure. */
  name: string;
  /** Property name for the undo history: `Set the distance of “Lamp”`. */
  property: string;
  at: Vector3;
  shape: 'dot' | 'square';
  way: Way;
  /** @param to point in the room; @param distance from the start, for handles on a line */
  set(to: Vector3, distance: number, dragging: Dragging): Change;
}

/** Lines that visualize properties in the room, and handles that set them. */
export interface Figure {
  strokes: readonly Stroke[];
  /** De-emphasized lines. */
  faint: readonly Stroke[];
  handles: readonly PropertyHandle[];
}

const SEGMENTS = 48;

/** A circle around a point. @param u, v unit vectors that span its plane */
export function ring(center: Vector3, u: Vector3, v: Vector3, radius: number): Stroke[] {
  const at = (step: number) => {
    const angle = (step / SEGMENTS) * 2 * Math.PI;
    return center
      .clone()
      .addScaledVector(u, Math.cos(angle) * radius)
      .addScaledVector(v, Math.sin(angle) * radius);
  };
  return Array.from({ length: SEGMENTS }, (_, step) => [at(step), at(step + 1)] as const);
}

export const AXES = { x: new Vector3(1, 0, 0), y: new Vector3(0, 1, 0), z: new Vector3(0, 0, 1) } as const;

/** Two directions perpendicular to a third. */
export function across(direction: Vector3): [Vector3, Vector3] {
  const up = Math.abs(direction.y) > 0.99 ? AXES.z : AXES.y;
  const right = new Vector3().crossVectors(direction, up).normalize();
  return [right, new Vector3().crossVectors(right, direction).normalize()];
}

/** Removes floating-point noise. */
export const clean = (value: number): number => Math.round(value * 1000) / 1000 || 0;

/** Rounds a length to the snapping step, or to whole units. */
export function snapped(value: number, { step }: Pick<Dragging, 'step'>): number {
  return clean(Math.max(0, step ? Math.round(value / step) * step : Math.round(value)));
}

export const pointText = ({ x, y, z }: Vector): string => `${x}, ${y}, ${z}`;

export const vectorOf = ({ x, y, z }: Vector): Vector3 => new Vector3(x, y, z);

/** Merges figures. */
export const together = (figures: readonly Figure[]): Figure => ({
  strokes: figures.flatMap(({ strokes }) => strokes),
  faint: figures.flatMap(({ faint }) => faint),
  handles: figures.flatMap(({ handles }) => handles),
});
