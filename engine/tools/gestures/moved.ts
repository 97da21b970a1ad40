import { Box3, Matrix4, Vector3 } from 'three';
import type { ElementFields } from '../../document/commands.ts';
import type { Element } from '../../document/element.ts';
import type { Stage } from '../../stage/stage.ts';
import { transformFields } from '../gizmo/subjects.ts';
import { boundsOf, worldBoundsOf } from '../marks/bounds.ts';
import type { ElementChange } from '../marks/shown-fields.ts';
import type { Boxed, Shifts } from './arrange.ts';

const bounds = new Box3();
const matrix = new Matrix4();
const point = new Vector3();
const size = new Vector3();

function elementOf({ scene }: Stage, id: number): Element | undefined {
  const entity = scene.entityOf(id);
  return entity === undefined ? undefined : scene.elementOf(entity);
}

/** Bounding boxes of elements in the room; elements missing on the stage are skipped. */
export function boxesOf(stage: Stage, ids: Iterable<number>): Boxed[] {
  return [...ids].flatMap((id): Boxed | never[] => {
    const element = elementOf(stage, id);
    if (!element) return [];
    const { min, max } = worldBoundsOf(stage, element, bounds);
    return { id, min: { x: min.x, y: min.y, z: min.z }, max: { x: max.x, y: max.y, z: max.z } };
  });
}

/** World matrix of an element's parent. */
function parentMatrix({ scene }: Stage, { parent_element_id: id }: Element, out: Matrix4): Matrix4 {
  const entity = id === null ? undefined : scene.entityOf(id);
  if (entity === undefined) return out.identity();
  scene.worldMatrix(entity, out.elements);
  return out;
}

/** Converts translations in the room to document changes, omitting elements that don't move. */
export function changesOf(stage: Stage, shifts: Shifts): ElementChange[] {
  return [...shifts].flatMap(([id, shift]): ElementChange | never[] => {
    const element = elementOf(stage, id);
    if (!element) return [];
    const parent = parentMatrix(stage, element, matrix);
    point.set(element.position_x, element.position_y, element.position_z).applyMatrix4(parent);
    point.add(size.set(shift.x, shift.y, shift.z)).applyMatrix4(parent.invert());
    // Rounded, because flooring would misalign half of the aligned elements by a unit.
    const fields = transformFields(element, 'translate', point.round());
    return fields ? { id, fields } : [];
  });
}

/** Size of an element in the room along its own axes, in units. */
function sidesOf(stage: Stage, element: Element): Vector3 {
  const entity = stage.scene.entityOf(element.id)!;
  stage.scene.worldMatrix(entity, matrix.elements);
  boundsOf(stage, element, matrix, bounds).getSize(point);
  return new Vector3().setFromMatrixScale(matrix).multiply(point);
}

/**
 * Scales elements to the width or height of the active one; matching one side scales uniformly.
 * @param side to match; `both` matches both, and scales the depth with the width
 */
export function sameSize(
  stage: Stage,
  ids: Iterable<number>,
  activeId: number,
  side: 'width' | 'height' | 'both',
): ElementChange[] {
  const active = elementOf(stage, activeId);
  if (!active) return [];
  const wanted = sidesOf(stage, active);
  return [...ids].flatMap((id): ElementChange | never[] => {
    const element = elementOf(stage, id);
    if (!element || id === activeId) return [];
    const is = sidesOf(stage, element);
    const across = is.x > 0 ? wanted.x / is.x : 1;
    const up = is.y > 0 ? wanted.y / is.y : 1;
    const [x, y, z] =
      side === 'both' ? [across, up, across] : side === 'width' ? [across, across, across] : [up, up, up];
    const { scale_x, scale_y, scale_z } = element;
    const fields: ElementFields | undefined = transformFields(element, 'scale', {
      x: scale_x * x!,
      y: scale_y * y!,
      z: scale_z * z!,
    });
    return fields ? { id, fields } : [];
  });
}
