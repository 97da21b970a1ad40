import { Box3, Matrix4, type Mesh, Vector3 } from 'three';
import { FADE_ZONE } from '../../../document/constants.ts';
import type { Element } from '../../../document/element.ts';
import { traitsOf } from '../../../document/traits-of.ts';
import type { Stage } from '../../../stage/stage.ts';
import { viewPointFigure } from './camera-figure.ts';
import { AXES, type Figure, type PropertyHandle, ring, type Stroke, snapped, together } from './figure.ts';
import { lightFigure } from './light-figure.ts';
import { hasSides, localMatrix, type Sides, sizeFigure } from './size-figure.ts';

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

/** Difference in units between a panel and its hole, both sides together. */
const HOLE = 2;
/** Distance in units of an image with depth from its body. */
const BEFORE_BODY = 0.2;

const box = new Box3();
const size = new Vector3();

/** Drawn size of a flat element in local units; undefined if it isn't drawn. */
function drawnSides(stage: Stage, id: number): Sides | undefined {
  const view = stage.viewOf(id);
  const mesh = (view?.target ?? view?.object.children[0] ?? view?.object) as Mesh | undefined;
  if (!view || !mesh?.geometry) return undefined;
  mesh.geometry.computeBoundingBox();
  box.copy(mesh.geometry.boundingBox!).getSize(size).multiply(mesh.scale);
  const hole = view.page ? HOLE : 0;
  return size.x > 0 && size.y > 0 ? { width: size.x + hole, height: size.y + hole } : undefined;
}

function matrixOf({ scene }: Stage, id: number | null): Matrix4 | undefined {
  const entity = id === null ? undefined : scene.entityOf(id);
  if (entity === undefined) return undefined;
  const matrix = new Matrix4();
  scene.worldMatrix(entity, matrix.elements);
  return matrix;
}

function placeOf(stage: Stage, id: number): Vector3 | undefined {
  const matrix = matrixOf(stage, id);
  return matrix && new Vector3().setFromMatrixPosition(matrix);
}

/**
 * Lines and handles for all of an element's properties.
 * @param dragged set if the element's fields are ahead of the scene; with its size, if the view doesn't show it
 */
export function figureOf(stage: Stage, element: Element, dragged?: { sides?: Sides }): Figure {
  const { room } = stage.scene;
  const above = matrixOf(stage, element.parent_element_id) ?? new Matrix4();
  const matrix = dragged ? localMatrix(element).premultiply(above) : (matrixOf(stage, element.id) ?? new Matrix4());
  const place = new Vector3().setFromMatrixPosition(matrix);
  const figures: Figure[] = [];
  if (element.element === 'light') figures.push(lightFigure(element, place, (id) => placeOf(stage, id)));
  if (element.element === 'view_point') figures.push(viewPointFigure(element, place, room.config.camera.fov));
  const shown = hasSides(element) ? (dragged?.sides ?? drawnSides(stage, element.id)) : undefined;
  const front = element.element === 'image' && element.depth ? element.depth / 2 + BEFORE_BODY : 0;
  if (shown) figures.push(sizeFigure(element, matrix, shown, front));
  figures.push(proximityFigure(element, place, -room.height / 2));
  return together(figures);
}
