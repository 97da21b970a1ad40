import { Box3, Matrix4, type Mesh, type Object3D } from 'three';
import type { Element } from '../../document/element.ts';
import { traitsOf } from '../../document/traits-of.ts';
import { branchOf } from '../../document/tree.ts';
import type { Stage } from '../../stage/stage.ts';

/** Whether an element has a front, which faces away from its surface. */
export const isFlat = ({ element }: Element): boolean => {
  const { hit, isSolid } = traitsOf(element);
  return hit !== 'through' && !isSolid;
};

/** Side of the box for elements without geometry, in units. */
const BODYLESS = 50;

const part = new Box3();
const inverse = new Matrix4();
const relative = new Matrix4();

function addObject(object: Object3D, out: Box3): void {
  object.updateMatrixWorld();
  object.traverse((node) => {
    const { geometry, isMesh } = node as Mesh;
    if (!isMesh) return;
    if (!geometry.boundingBox) geometry.computeBoundingBox();
    relative.multiplyMatrices(inverse, node.matrixWorld);
    out.union(part.copy(geometry.boundingBox!).applyMatrix4(relative));
  });
}

/**
 * Bounding box of an element and its descendants; a small box at its position if nothing is drawn.
 * @param frame world matrix of the frame to measure in, units
 * @param out receives the box
 */
export function boundsOf(stage: Stage, element: Element, frame: Matrix4, out: Box3): Box3 {
  out.makeEmpty();
  inverse.copy(frame).invert();
  const branch = branchOf(stage.scene.room.elements, element.id);
  // Elements outside the document, such as feed items, have no children.
  for (const { id } of branch.length > 0 ? branch : [element]) {
    const view = stage.viewOf(id);
    if (view?.object.visible) addObject(view.object, out);
  }
  if (!out.isEmpty()) return out;
  const entity = stage.scene.entityOf(element.id);
  if (entity !== undefined) stage.scene.worldMatrix(entity, relative.elements);
  out.min.setScalar(-BODYLESS / 2);
  out.max.setScalar(BODYLESS / 2);
  return out.applyMatrix4(relative.premultiply(inverse));
}

const WORLD = new Matrix4();

/** The bounding box in the room's frame. */
export const worldBoundsOf = (stage: Stage, element: Element, out: Box3): Box3 => boundsOf(stage, element, WORLD, out);
