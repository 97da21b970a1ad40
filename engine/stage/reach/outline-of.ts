import { Box3, Mesh, type Object3D, type PerspectiveCamera, Vector3 } from 'three';

/** A rectangle in pixels, relative to the top left corner of the canvas. */
export interface Outline {
  left: number;
  top: number;
  width: number;
  height: number;
}

const corner = new Vector3();
const box = new Box3();

/** Corners of all bounding boxes of an object's meshes, in room units. */
function* cornersOf(object: Object3D): Generator<Vector3> {
  const meshes: Mesh[] = [];
  object.traverse((part) => part instanceof Mesh && meshes.push(part));
  for (const { geometry, matrixWorld } of meshes) {
    geometry.boundingBox ?? geometry.computeBoundingBox();
    const { min, max } = geometry.boundingBox!;
    for (let index = 0; index < 8; index++) {
      corner.set(index & 1 ? max.x : min.x, index & 2 ? max.y : min.y, index & 4 ? max.z : min.z);
      yield corner.applyMatrix4(matrixWorld);
    }
  }
}

/** Center of an object's meshes in room units; its position if it has none. */
export function middleOf(object: Object3D, into: Vector3): Vector3 {
  box.makeEmpty();
  for (const point of cornersOf(object)) box.expandByPoint(point);
  return box.isEmpty() ? into.setFromMatrixPosition(object.matrixWorld) : box.getCenter(into);
}

/**
 * Screen rectangle of an object, ignoring parts behind the camera.
 * @returns null if it is out of view
 */
export function outlineOf(
  object: Object3D,
  camera: PerspectiveCamera,
  size: { width: number; height: number },
): Outline | null {
  let [left, top, right, bottom] = [1, 1, -1, -1];
  let seen = false;
  for (const point of cornersOf(object)) {
    // Points behind the camera would be projected in front of it.
    if (point.applyMatrix4(camera.matrixWorldInverse).z > -camera.near) continue;
    const { x, y } = point.applyMatrix4(camera.projectionMatrix);
    [left, right] = seen ? [Math.min(left, x), Math.max(right, x)] : [x, x];
    [top, bottom] = seen ? [Math.min(top, -y), Math.max(bottom, -y)] : [-y, -y];
    seen = true;
  }
  if (!seen || left > 1 || right < -1 || top > 1 || bottom < -1) return null;
  const toPixels = (at: number, length: number) => ((Math.min(1, Math.max(-1, at)) + 1) / 2) * length;
  const [x, y] = [toPixels(left, size.width), toPixels(top, size.height)];
  return {
    left: x,
    top: y,
    width: toPixels(right, size.width) - x,
    height: toPixels(bottom, size.height) - y,
  };
}
