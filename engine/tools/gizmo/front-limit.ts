import { Box3, Matrix4, type Object3D, Vector3 } from 'three';
import type { Element } from '../../document/element.ts';
import { branchOf } from '../../document/tree.ts';
import type { Stage } from '../../stage/stage.ts';
import { type Picker, STAND_OFF } from '../camera/picker.ts';
import { boundsOf, isFlat } from '../marks/bounds.ts';
import { towardsEye } from '../marks/screen.ts';

/** Cosine above which an element's front faces away from a surface. */
const FACING = 0.9;
/** Cosine between the view and a surface's normal below which the view is edge-on. */
const EDGE_ON = 0.05;

interface Limited {
  start: Vector3;
  front: Vector3;
  /** Corners of the bounding box relative to the position, in the room. */
  corners: Vector3[];
  /** Surfaces other than the room's walls. */
  solids: readonly Object3D[];
}

const cornersOf = ({ min, max }: Box3): Vector3[] =>
  [min.x, max.x].flatMap((x) => [min.y, max.y].flatMap((y) => [min.z, max.z].map((z) => new Vector3(x, y, z))));

/** Keeps a flat element that is dragged freely on its side of walls and solids. */
export class FrontLimit {
  readonly #stage: Stage;
  readonly #picker: Picker;
  readonly #way = new Vector3();
  readonly #eye = new Vector3();
  #limited: Limited | undefined;

  constructor(stage: Stage, picker: Picker) {
    this.#stage = stage;
    this.#picker = picker;
  }

  /** @param element dragged element, if it is the only one @param start its position in the room */
  begin(element: Element | undefined, start: Vector3): void {
    const { scene } = this.#stage;
    const entity = element && scene.entityOf(element.id);
    this.#limited = undefined;
    if (!element || entity === undefined || !isFlat(element)) return;
    const matrix = new Matrix4();
    scene.worldMatrix(entity, matrix.elements);
    const place = new Vector3().setFromMatrixPosition(matrix);
    const own = boundsOf(this.#stage, element, matrix, new Box3());
    const ids = new Set(branchOf(scene.room.elements, element.id).map(({ id }) => id));
    this.#limited = {
      start,
      front: new Vector3().setFromMatrixColumn(matrix, 2).normalize(),
      corners: cornersOf(own).map((corner) => corner.applyMatrix4(matrix).sub(place)),
      solids: this.#picker.solids((id) => ids.has(id)),
    };
  }

  /** Moves a position towards the viewer until it is in front of the surface between it and the start. */
  apply(to: Vector3): void {
    if (!this.#limited) return;
    const { start, front, corners, solids } = this.#limited;
    const way = this.#way.copy(to).sub(start);
    if (way.lengthSq() < 1e-6) return;
    const hit = this.#picker.meet(start, way.normalize(), solids);
    if (!hit) return;
    const { point, normal } = hit;
    const distanceOf = (position: Vector3) => position.dot(normal) - point.dot(normal);
    // The depth behind its origin, if it hangs on the surface.
    const depth = front.dot(normal) > FACING ? Math.max(...corners.map((corner) => -corner.dot(normal))) : 0;
    const missing = Math.min(distanceOf(start), depth + STAND_OFF) - distanceOf(to);
    if (missing <= 0) return;
    const facing = towardsEye(this.#stage, to, this.#eye).dot(normal);
    if (facing > EDGE_ON) to.addScaledVector(this.#eye, missing / facing);
    else to.addScaledVector(normal, missing);
  }
}
