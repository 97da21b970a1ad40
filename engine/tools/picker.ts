import {
  Box3,
  type Intersection,
  type Mesh,
  type Object3D,
  Raycaster,
  type SkinnedMesh,
  Vector2,
  Vector3,
} from 'three';
import { acceleratedRaycast, MeshBVH } from 'three-mesh-bvh';
import type { Vector } from '../document/fields.ts';
import type { Stage } from '../stage/stage.ts';

/** Triangles from which on a mesh is searched by a tree of boxes. */
const MANY_TRIANGLES = 200;
/** Units by which a thing that is put on a surface stands off it. */
const STAND_OFF = 10;
/** Units from the camera at which a thing is put where there is nothing to put it on. */
const IN_THE_AIR = 600;

/** A place on what is under the pointer. */
export interface Spot {
  position: Vector;
  /** Turn around y, in radians, with which a flat thing lies on the surface there. */
  turn: number;
}

const holderOf = (object: Object3D | null): Object3D | null =>
  !object || object.userData.element_id !== undefined ? object : holderOf(object.parent);

/** Finds what is under the pointer: solids, pictures, pages and films alike. */
export class Picker {
  readonly #stage: Stage;
  readonly #ray = new Raycaster();
  readonly #at = new Vector2();
  readonly #prepared = new WeakSet<Object3D>();
  readonly #walls = new Box3();
  /** More that stands for elements: objects with `element_id` in their `userData`. */
  readonly #marks: () => readonly Object3D[];

  constructor(stage: Stage, marks: () => readonly Object3D[]) {
    this.#stage = stage;
    this.#marks = marks;
    this.#ray.firstHitOnly = true;
  }

  /** Has large meshes searched by trees of boxes, which are made when the pointer first asks. */
  #prepare(object: Object3D): void {
    if (this.#prepared.has(object)) return;
    this.#prepared.add(object);
    object.traverse((node) => {
      const { isMesh, geometry } = node as Mesh;
      // The tree of a body that bends would be that of its rest.
      if (!isMesh || (node as SkinnedMesh).isSkinnedMesh || geometry.morphAttributes.position) return;
      const corners = geometry.index?.count ?? geometry.attributes.position?.count ?? 0;
      if (corners / 3 < MANY_TRIANGLES) return;
      geometry.boundsTree ??= new MeshBVH(geometry, { indirect: true });
      node.raycast = acceleratedRaycast;
    });
  }

  #aim(clientX: number, clientY: number): void {
    const { canvas, camera } = this.#stage;
    const box = canvas.getBoundingClientRect();
    this.#at.set(((clientX - box.left) / box.width) * 2 - 1, 1 - ((clientY - box.top) / box.height) * 2);
    this.#ray.setFromCamera(this.#at, camera);
    this.#ray.far = camera.far;
  }

  #hit(clientX: number, clientY: number): Intersection | undefined {
    this.#aim(clientX, clientY);
    const objects = this.#stage.objects(() => true);
    for (const object of objects) this.#prepare(object);
    // What has just been drawn is not in its place before the next frame.
    this.#stage.three.updateMatrixWorld();
    // A mark is drawn over what stands before it, so that it is also hit first.
    return this.#ray.intersectObjects([...this.#marks()])[0] ?? this.#ray.intersectObjects(objects)[0];
  }

  /** Id of the element under a point of the page; null where there is none. */
  pick(clientX: number, clientY: number): number | null {
    const holder = holderOf(this.#hit(clientX, clientY)?.object ?? null);
    return holder ? (holder.userData.element_id as number) : null;
  }

  /** Where a thing goes that is let fall at a point of the page: onto an element, or onto the wall behind. */
  spotAt(clientX: number, clientY: number): Spot {
    const hit = this.#hit(clientX, clientY);
    const { origin, direction } = this.#ray.ray;
    const { width, height, depth } = this.#stage.scene.room;
    const half = this.#walls.max.set(width, height, depth).multiplyScalar(0.5);
    this.#walls.min.copy(half).negate();
    const wall = this.#walls.containsPoint(origin) ? this.#ray.ray.intersectBox(this.#walls, new Vector3()) : null;
    const normal = new Vector3();
    const point = new Vector3();
    if (hit?.face && !(wall && wall.distanceTo(origin) < hit.distance)) {
      point.copy(hit.point);
      normal.copy(hit.face.normal).transformDirection(hit.object.matrixWorld);
      if (normal.dot(direction) > 0) normal.negate();
    } else if (wall) {
      point.copy(wall);
      const nearest = (['x', 'y', 'z'] as const).reduce((a, b) =>
        half[a] - Math.abs(wall[a]) < half[b] - Math.abs(wall[b]) ? a : b,
      );
      normal.setComponent(['x', 'y', 'z'].indexOf(nearest), -Math.sign(wall[nearest]));
    } else this.#ray.ray.at(IN_THE_AIR, point);
    const facesUp = Math.abs(normal.y) > 0.9 || normal.lengthSq() === 0;
    point.addScaledVector(normal, STAND_OFF).floor();
    return { position: point, turn: facesUp ? 0 : Math.atan2(normal.x, normal.z) };
  }
}
