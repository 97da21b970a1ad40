import { Box3, Matrix4, type Mesh, type Object3D } from 'three';
import type { Element } from '../document/element.ts';
import type { Stage } from '../stage/stage.ts';

/** Side of the box of an element that has no body, in units. */
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

function addElement(stage: Stage, element: Element, out: Box3): void {
  const view = stage.viewOf(element.id);
  if (view?.object.visible) addObject(view.object, out);
  for (const child of element.children) addElement(stage, child, out);
}

/**
 * The box around what is drawn of an element and of everything in it; a small one around its place where nothing is.
 * @param frame world matrix of the frame in which the box is measured, units
 * @param out receives the box
 */
export function boundsOf(stage: Stage, element: Element, frame: Matrix4, out: Box3): Box3 {
  out.makeEmpty();
  inverse.copy(frame).invert();
  addElement(stage, element, out);
  if (!out.isEmpty()) return out;
  const entity = stage.scene.entityOf(element.id);
  if (entity !== undefined) stage.scene.worldMatrix(entity, relative.elements);
  out.min.setScalar(-BODYLESS / 2);
  out.max.setScalar(BODYLESS / 2);
  return out.applyMatrix4(relative.premultiply(inverse));
}

const WORLD = new Matrix4();

/** The same box measured in the room. */
export const worldBoundsOf = (stage: Stage, element: Element, out: Box3): Box3 => boundsOf(stage, element, WORLD, out);
