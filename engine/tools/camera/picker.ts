import { type Intersection, type Mesh, type Object3D, Raycaster, type SkinnedMesh, Vector3 } from 'three';
import { acceleratedRaycast, MeshBVH } from 'three-mesh-bvh';
import { STAND_OFF } from '../../document/constants.ts';
import type { Vector } from '../../document/fields.ts';
import { traitsOf } from '../../document/traits-of.ts';
import type { Axis } from '../../machines/transform.ts';
import type { Stage } from '../../stage/stage.ts';
import { rayThrough } from '../marks/screen.ts';

/** Minimum number of triangles for using a BVH. */
const MIN_BVH_TRIANGLES = 200;

/** A position on the surface under the pointer. */
export interface Spot {
  /** Offset from the surface by `STAND_OFF`, in whole units of the room. */
  position: Vector;
  /** On the surface itself. */
  surface: Vector;
  /** Unit normal of the surface. */
  normal: Vector;
  /** Rotation around y in radians that aligns a flat element to the surface; 0 on floors and ceilings. */
  turn: number;
  /** Whether to place elements exactly there, ignoring neighbors. */
  isExact?: boolean;
}

/** A raycast hit; `object` is undefined for the room's own walls. */
interface SurfaceHit {
  point: Vector3;
  normal: Vector3;
  distance: number;
  object?: Object3D;
}

/** Distance in units from the camera for elements dropped where there is no surface. */
const IN_THE_AIR = 600;
/** Vertical component of a normal above which a surface counts as a floor or ceiling. */
const LEVEL = 0.7;

/** Whether a surface is horizontal: a floor, a ceiling, or the top of an element. */
export const isLevel = (normal: Vector): boolean => Math.abs(normal.y) > LEVEL;

/** The element's root object that contains an object; null if none. */
export const holderOf = (object: Object3D | null): Object3D | null =>
  !object || object.userData.element_id !== undefined ? object : holderOf(object.parent);

/** Finds elements under the pointer, including panels and videos. */
export class Picker {
  readonly #stage: Stage;
  readonly #ray = new Raycaster();
  readonly #from = new Vector3();
  readonly #way = new Vector3();
  readonly #prepared = new WeakSet<Object3D>();
  /** Additional pickable objects with `element_id` in their `userData`. */
  readonly #marks: () => readonly Object3D[];

  constructor(stage: Stage, marks: () => readonly Object3D[]) {
    this.#stage = stage;
    this.#marks = marks;
    this.#ray.firstHitOnly = true;
  }

  /** Builds BVHs for large meshes, when the pointer first needs them. */
  #prepare(object: Object3D): void {
    if (this.#prepared.has(object)) return;
    this.#prepared.add(object);
    object.traverse((node) => {
      const { isMesh, geometry } = node as Mesh;
      // A BVH of a deforming mesh would only match its rest pose.
      if (!isMesh || (node as SkinnedMesh).isSkinnedMesh || geometry.morphAttributes.position) return;
      const corners = geometry.index?.count ?? geometry.attributes.position?.count ?? 0;
      if (corners / 3 < MIN_BVH_TRIANGLES) return;
      geometry.boundsTree ??= new MeshBVH(geometry, { indirect: true });
      node.raycast = acceleratedRaycast;
    });
  }

  #aim(clientX: number, clientY: number): void {
    rayThrough(this.#stage, { clientX, clientY }, this.#ray);
    this.#ray.far = this.#stage.camera.far;
  }

  #hit(clientX: number, clientY: number, marks = this.#marks()): Intersection | undefined {
    this.#aim(clientX, clientY);
    const objects = this.#stage.objects(() => true);
    for (const object of objects) this.#prepare(object);
    // New objects aren't updated until the next frame.
    this.#stage.three.updateMatrixWorld();
    // Icons are drawn on top, so they take priority.
    return this.#ray.intersectObjects([...marks])[0] ?? this.#ray.intersectObjects(objects)[0];
  }

  /** Id of the element at a page point; null if none. */
  pick(clientX: number, clientY: number): number | null {
    const holder = holderOf(this.#hit(clientX, clientY)?.object ?? null);
    return holder ? (holder.userData.element_id as number) : null;
  }

  /** The wall, floor or ceiling that the ray hits; undefined outside the room. */
  #wall(): SurfaceHit | undefined {
    const { origin, direction } = this.#ray.ray;
    const { width, height, depth } = this.#stage.scene.room;
    const half = { x: width / 2, y: height / 2, z: depth / 2 };
    let [enter, leave, side]: [number, number, Axis] = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY, 'x'];
    for (const axis of ['x', 'y', 'z'] as const) {
      const way = direction[axis];
      if (Math.abs(way) < 1e-9) {
        if (Math.abs(origin[axis]) > half[axis]) return undefined;
        continue;
      }
      const near = (-Math.sign(way) * half[axis] - origin[axis]) / way;
      const far = (Math.sign(way) * half[axis] - origin[axis]) / way;
      enter = Math.max(enter, near);
      if (far < leave) [leave, side] = [far, axis];
    }
    if (leave <= 0 || enter > leave) return undefined;
    const normal = new Vector3().setComponent(['x', 'y', 'z'].indexOf(side), -Math.sign(direction[side]));
    return { point: this.#ray.ray.at(leave, new Vector3()), normal, distance: leave };
  }

  /** What the current ray hits: one of these objects, or the room's walls. */
  #surface(objects: readonly Object3D[]): SurfaceHit | undefined {
    for (const object of objects) this.#prepare(object);
    const hit = this.#ray.intersectObjects([...objects])[0];
    const wall = this.#wall();
    if (!hit?.face || (wall && wall.distance < hit.distance)) return wall;
    const normal = hit.face.normal.clone().transformDirection(hit.object.matrixWorld);
    if (normal.dot(this.#ray.ray.direction) > 0) normal.negate();
    return { point: hit.point, normal, distance: hit.distance, object: hit.object };
  }

  /** What a ray in the room hits: one of these objects, or the room's walls; undefined for neither. */
  meet(from: Vector, way: Vector, objects: readonly Object3D[]): SurfaceHit | undefined {
    this.#ray.set(this.#from.copy(from as Vector3), this.#way.copy(way as Vector3));
    this.#ray.far = Number.POSITIVE_INFINITY;
    return this.#surface(objects);
  }

  #spot({ point, normal }: { point: Vector3; normal: Vector3 }): Spot {
    const turn = isLevel(normal) || normal.lengthSq() === 0 ? 0 : Math.atan2(normal.x, normal.z);
    const position = point.clone().addScaledVector(normal, STAND_OFF).floor();
    return { position, surface: point, normal, turn };
  }

  /**
   * The surface for dragging an element to a page point: a wall, the floor, or a solid that isn't being dragged.
   * @returns undefined outside the room
   */
  surfaceAt(clientX: number, clientY: number, solids: readonly Object3D[]): Spot | undefined {
    this.#aim(clientX, clientY);
    const found = this.#surface(solids);
    return found && this.#spot(found);
  }

  /** The visible point at a page point, on any element or wall; undefined outside the room. */
  pointAt(clientX: number, clientY: number): Vector3 | undefined {
    const hit = this.#hit(clientX, clientY, []);
    const wall = this.#wall();
    return hit && !(wall && wall.distance < hit.distance) ? hit.point : wall?.point;
  }

  /**
   * Solids that elements can be placed on. Excludes images and panels, since elements would hang in front of them.
   */
  solids(isLeftOut: (elementId: number) => boolean = () => false): Object3D[] {
    return this.#stage.objects((element) => traitsOf(element.element).isSolid === true && !isLeftOut(element.id));
  }

  /** Position for an element dropped at a page point: on a solid, or on the wall behind. */
  spotAt(clientX: number, clientY: number): Spot {
    this.#aim(clientX, clientY);
    this.#stage.three.updateMatrixWorld();
    const found = this.#surface(this.solids());
    return this.#spot(found ?? { point: this.#ray.ray.at(IN_THE_AIR, new Vector3()), normal: new Vector3() });
  }
}
