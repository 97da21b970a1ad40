import type { Vector3 } from 'three';
import { FADE_ZONE } from '../../document/constants.ts';
import type { Element } from '../../document/element.ts';
import { traitsOf } from '../../document/traits-of.ts';
import { AXES, type Figure, type PropertyHandle, ring, type Stroke, snapped } from './figure.ts';

/** Height of rings above the floor in units. */
const LIFT = 3;

/** Circles at the height of the center, and where the sphere intersects the floor. */
function rings(center: Vector3, radius: number, floor: number): Stroke[] {
  const down = center.y - floor;
  const strokes = ring(center, AXES.x, AXES.z, radius);
  if (Math.abs(down) < 1 || Math.abs(down) >= radius) return strokes;
  const below = center.clone().setY(floor + LIFT);
  return [...strokes, ...ring(below, AXES.x, AXES.z, Math.sqrt(radius * radius - down * down))];
}

/**
 * Visualizes the distances at which an element becomes silent and starts to fade, with circles around it and on the floor.
 * @param center position of the element in the room
 * @param floor height of the floor
 */
export function proximityFigure({ element, config }: Element, center: Vector3, floor: number): Figure {
  const radius = config.proximity_sensor_distance;
  if (traitsOf(element).plays === undefined || !config.proximity_sensor) return { strokes: [], faint: [], handles: [] };
  const { x, z } = AXES;
  const handles = [x, z, x.clone().negate(), z.clone().negate()].map(
    (along, index): PropertyHandle => ({
      name: `proximity ${index}`,
      property: 'proximity distance',
      at: center.clone().addScaledVector(along, radius),
      shape: 'dot',
      way: { type: 'line', from: center, along },
      set: (_, to, dragging) => {
        const distance = snapped(to, dragging);
        const full = Math.max(0, distance - FADE_ZONE);
        return {
          fields: { config: { proximity_sensor_distance: distance } },
          text: `Distance: ${distance} units, full within ${full}`,
        };
      },
    }),
  );
  const inner = radius - Math.min(FADE_ZONE, radius);
  return { strokes: rings(center, radius, floor), faint: inner > 0 ? rings(center, inner, floor) : [], handles };
}
