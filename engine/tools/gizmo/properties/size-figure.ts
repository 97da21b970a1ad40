import { Euler, Matrix4, Quaternion, Vector3 } from 'three';
import type { ElementFields } from '../../../document/commands.ts';
import type { Element } from '../../../document/element.ts';
import { traitsOf } from '../../../document/traits-of.ts';
import { type Change, clean, type Dragging, type Figure, type PropertyHandle, type Stroke } from './figure.ts';

/** Drawn size of an element in local units. */
export interface Sides {
  width: number;
  height: number;
}

/** Minimum side in units. */
const MIN_SIDE = 1;

const CORNERS = [
  [-1, -1],
  [1, -1],
  [1, 1],
  [-1, 1],
] as const;
const EDGES = [
  [0, -1],
  [1, 0],
  [0, 1],
  [-1, 0],
] as const;

/** Whether an element is flat and has its own width and height. */
export function hasSides(element: Element): boolean {
  const { hit, isSolid } = traitsOf(element.element);
  const isOnModel = 'model_file_url' in element.config && element.config.model_file_url !== '';
  return hit !== 'through' && !isSolid && !isOnModel;
}

/** Whether the element keeps its aspect ratio: images and videos do. */
const keepsRatio = ({ element }: Element): boolean => {
  const { plays, reads } = traitsOf(element);
  return plays === 'film' || plays === 'live' || reads === 'picture';
};

/** Whether changing its size requires a reload. */
const needsReload = (element: Element): boolean => keepsRatio(element) || element.element === 'iframe';

/** Fields that give an element this size; with a fixed aspect ratio, one side is enough. */
function sideFields(
  element: Element,
  { width, height }: Sides,
  [x, y]: readonly [number, number],
  isRatioKept: boolean,
) {
  const [w, h] = [{ width: clean(width) }, { height: clean(height) }];
  if (isRatioKept) {
    if (element.width === null && element.height !== null) return h;
    return element.height === null ? w : { ...w, ...h };
  }
  // After a reload, a missing height would follow the width.
  return needsReload(element) ? { ...w, ...h } : { ...(x !== 0 && w), ...(y !== 0 && h) };
}

/** The size resulting from a drag, relative to the fixed corner or edge. */
function draggedSides(
  from: Sides,
  to: { x: number; y: number },
  [x, y]: readonly [number, number],
  { step }: Dragging,
  isRatioKept: boolean,
): Sides {
  const grid = step ?? 1;
  const on = (value: number) => Math.max(MIN_SIDE, Math.round(value / grid) * grid);
  if (!isRatioKept) return { width: x === 0 ? from.width : on(to.x), height: y === 0 ? from.height : on(to.y) };
  const by = Math.max(x === 0 ? 0 : to.x / from.width, y === 0 ? 0 : to.y / from.height);
  // Snap the longer side.
  if (from.width >= from.height) {
    const width = on(from.width * by);
    return { width, height: (width * from.height) / from.width };
  }
  const height = on(from.height * by);
  return { width: (height * from.width) / from.height, height };
}

const inverse = new Matrix4();

/**
 * Frame of a flat element with handles at corners and edges. The opposite side stays fixed, or the center with Alt. Images
 * and videos keep their aspect ratio unless Shift is held.
 * @param matrix world matrix of the element
 * @param sides as drawn
 * @param front offset of the drawn surface from the center, in local units
 */
export function sizeFigure(element: Element, matrix: Matrix4, sides: Sides, front: number): Figure {
  const world = matrix.clone();
  const at = (x: number, y: number) =>
    new Vector3((x * sides.width) / 2, (y * sides.height) / 2, front).applyMatrix4(world);
  const corners = CORNERS.map(([x, y]) => at(x, y));
  const normal = new Vector3().setFromMatrixColumn(world, 2).normalize();
  const handles = [...CORNERS, ...EDGES].map((place): PropertyHandle => {
    const [x, y] = place;
    return {
      name: `size ${x} ${y}`,
      property: 'size',
      at: at(x, y),
      shape: 'square',
      way: { type: 'plane', normal },
      set: (point, _, dragging) => {
        const isRatioKept = keepsRatio(element) && !dragging.shift;
        const local = point.clone().applyMatrix4(inverse.copy(world).invert());
        // Measured from the fixed point: the opposite side, or the center.
        const [reach, times] = dragging.alt ? [0, 2] : [0.5, 1];
        const to = {
          x: x === 0 ? 0 : (local.x * x + sides.width * reach) * times,
          y: y === 0 ? 0 : (local.y * y + sides.height * reach) * times,
        };
        const next = draggedSides(sides, to, place, dragging, isRatioKept);
        const moved = dragging.alt
          ? { x: 0, y: 0 }
          : { x: (x * (next.width - sides.width)) / 2, y: (y * (next.height - sides.height)) / 2 };
        return {
          ...changeOf(element, sides, next, moved, sideFields(element, next, place, isRatioKept)),
          text: `${clean(Math.round(next.width * 10) / 10)} × ${clean(Math.round(next.height * 10) / 10)} units`,
        };
      },
    };
  });
  return { strokes: [], faint: corners.map((from, index): Stroke => [from, corners[(index + 1) % 4]!]), handles };
}

const local = new Matrix4();
const shift = new Vector3();
const euler = new Euler();
const turn = new Quaternion();

/** Transform of an element relative to its parent. */
export function localMatrix(element: Element, out = new Matrix4()): Matrix4 {
  const { position_x, position_y, position_z, rotation_x, rotation_y, rotation_z, scale_x, scale_y, scale_z } = element;
  turn.setFromEuler(euler.set(rotation_x, rotation_y, rotation_z));
  return out.compose(new Vector3(position_x, position_y, position_z), turn, new Vector3(scale_x, scale_y, scale_z));
}

function changeOf(
  element: Element,
  before: Sides,
  after: Sides,
  { x, y }: { x: number; y: number },
  fields: ElementFields,
): Omit<Change, 'text'> {
  const { position_x, position_y, position_z, scale_x, scale_y } = element;
  // Movement of the center, in the parent's frame.
  shift.set(x, y, 0).applyMatrix4(localMatrix(element, local).setPosition(0, 0, 0));
  const exact = {
    position_x: position_x + shift.x,
    position_y: position_y + shift.y,
    position_z: position_z + shift.z,
  };
  const position = Object.fromEntries(Object.entries(exact).map(([name, value]) => [name, Math.round(value) || 0]));
  const all = { ...fields, ...position };
  if (!needsReload(element)) return { fields: all };
  const sized = {
    scale_x: (scale_x * after.width) / before.width,
    scale_y: (scale_y * after.height) / before.height,
  };
  return { fields: all, meanwhile: { ...exact, ...sized }, sides: after };
}
