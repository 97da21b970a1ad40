import { Vector3 } from 'three';
import type { ElementFields } from '../../document/commands.ts';
import type { Vector } from '../../document/fields.ts';

/** A line of a figure: from a point to another, in the room. */
export type Stroke = readonly [from: Vector3, to: Vector3];

/** How a handle follows the pointer. */
export type Way =
  /** Along a line; what it sets is the distance from its beginning, units of the room. */
  | { type: 'line'; from: Vector3; along: Vector3 }
  /** In a plane through its place. */
  | { type: 'plane'; normal: Vector3 }
  /** Along walls, floor and solids; where there are none, at its distance from the camera. */
  | { type: 'surface' };

/** What a drag heeds beside the pointer. */
export interface Dragging {
  /** Step that lengths snap to, units; null for none. */
  step: number | null;
  /** The same while Shift is held. */
  shift: boolean;
  alt: boolean;
}

/** What a handle makes of its element, or of the room's settings. */
export interface Change {
  fields: ElementFields;
  /** What is shown until the drag has ended, where `fields` would load something anew. */
  meanwhile?: ElementFields;
  /** Width and height that are shown then, where what is drawn does not say them. */
  sides?: { width: number; height: number };
  /** The value in words, beside the pointer. */
  text: string;
}

/** A handle of a property. */
export interface PropertyHandle {
  /** Tells it from others of its figure. */
  name: string;
  /** What it sets, as steps of the history are called: `Set the distance of “Lamp”`. */
  property: string;
  at: Vector3;
  shape: 'dot' | 'square';
  way: Way;
  /** @param to point of the room, and along a line its distance from the beginning */
  set(to: Vector3, distance: number, dragging: Dragging): Change;
}

/** Lines that show properties in the room, and handles that set them. */
export interface Figure {
  strokes: readonly Stroke[];
  /** Lines that stand back. */
  faint: readonly Stroke[];
  handles: readonly PropertyHandle[];
}

/** Segments of a ring. */
const SEGMENTS = 48;

/** A ring around a point. @param u, v directions, one unit long, in whose plane it lies */
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

/** Two directions across a third one. */
export function across(direction: Vector3): [Vector3, Vector3] {
  const up = Math.abs(direction.y) > 0.99 ? AXES.z : AXES.y;
  const right = new Vector3().crossVectors(direction, up).normalize();
  return [right, new Vector3().crossVectors(right, direction).normalize()];
}

/** A number without the dust of floating point. */
export const clean = (value: number): number => Math.round(value * 1000) / 1000 || 0;

/** A length that keeps to the steps of a drag, and to whole units of its own accord. */
export function snapped(value: number, { step }: Pick<Dragging, 'step'>): number {
  return clean(Math.max(0, step ? Math.round(value / step) * step : Math.round(value)));
}

/** A point in whole units. */
export const wholePoint = ({ x, y, z }: Vector): Vector => ({
  x: Math.round(x) || 0,
  y: Math.round(y) || 0,
  z: Math.round(z) || 0,
});

export const pointText = ({ x, y, z }: Vector): string => `${x}, ${y}, ${z}`;

export const vectorOf = ({ x, y, z }: Vector): Vector3 => new Vector3(x, y, z);

/** All figures as one. */
export const together = (figures: readonly Figure[]): Figure => ({
  strokes: figures.flatMap(({ strokes }) => strokes),
  faint: figures.flatMap(({ faint }) => faint),
  handles: figures.flatMap(({ handles }) => handles),
});
