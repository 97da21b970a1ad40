import { Euler, MathUtils, Matrix4, Quaternion, Vector3 } from 'three';
import type { Element } from '../../document/element.ts';
import type { Room } from '../../document/room.ts';
import { findElement } from '../../document/tree.ts';
import { type CameraView, wholePoint } from './camera-views.ts';

/** Default side in units of elements without a size. */
const DEFAULT_SIDE = 300;
/** Fraction of the view's height that the element fills. */
const VIEW_FRACTION = 0.5;

/** World matrix of an element. */
function matrixOf(room: Room, element: Element): Matrix4 {
  const { position_x, position_y, position_z, rotation_x, rotation_y, rotation_z } = element;
  const own = new Matrix4().compose(
    new Vector3(position_x, position_y, position_z),
    new Quaternion().setFromEuler(new Euler(rotation_x, rotation_y, rotation_z)),
    new Vector3(element.scale_x, element.scale_y, element.scale_z),
  );
  const parent = element.parent_element_id === null ? undefined : findElement(room.elements, element.parent_element_id);
  return parent ? own.premultiply(matrixOf(room, parent)) : own;
}

/**
 * A view of an element from the front, with some of its surroundings.
 * @returns null if the room has no such element
 */
export function viewInFrontOf(room: Room, elementId: number): CameraView | null {
  const element = findElement(room.elements, elementId);
  if (!element) return null;
  const matrix = matrixOf(room, element);
  const [right, up, front] = [new Vector3(), new Vector3(), new Vector3()];
  matrix.extractBasis(right, up, front);
  const size = Math.max(
    (element.width ?? DEFAULT_SIDE) * right.length(),
    (element.height ?? DEFAULT_SIDE) * up.length(),
    (element.depth ?? 0) * front.length(),
  );
  const half = Math.tan(MathUtils.degToRad(room.config.camera.fov) / 2);
  const target = new Vector3().setFromMatrixPosition(matrix);
  // Elements scaled to zero have no front direction.
  if (front.lengthSq() === 0) front.set(0, 0, 1);
  const position = target
    .clone()
    .addScaledVector(front.normalize(), size / VIEW_FRACTION / 2 / half + (element.depth ?? 0) / 2);
  return { position: wholePoint(position), target: wholePoint(target) };
}

/** A copy of the room in which visitors start at a view. */
export function startingAt(room: Room, { position, target }: CameraView): Room {
  const { config } = room;
  return { ...room, config: { ...config, camera: { ...config.camera, position, angle: target } } };
}
