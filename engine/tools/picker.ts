import { type Intersection, type Mesh, type Object3D, Raycaster, type SkinnedMesh, Vector3 } from 'three';
import { acceleratedRaycast, MeshBVH } from 'three-mesh-bvh';
import type { Vector } from '../document/fields.ts';
import { traitsOf } from '../document/traits-of.ts';
import type { Axis } from '../machines/transform.ts';
import type { Stage } from '../stage/stage.ts';
import { rayThrough } from './screen.ts';

/** Triangles from which on a mesh is searched by a tree of boxes. */
const MANY_TRIANGLES = 200;

/** Units by which a flat thing stands off what it is put on. */
export const STAND_OFF = 10;

/** A place on what is under the pointer. */
export interface Spot {
  /** Off the surface by as much as a flat thing stands off a wall, in whole units of the room. */
  position: Vector;
  /** On the surface itself. */
  surface: Vector;
  /** Way out of the surface, one unit long. */
  normal: Vector;
  /** Turn around y, in radians, with which a flat thing lies on the surface there; 0 on floor and ceiling. */
  turn: number;
}

/** Units from the camera up to which a new thing is put on what one looks at, and at which it is put otherwise. */
const NEARBY = 1600;
const IN_THE_AIR = 600;
/** Part of the normal that points up or down on what is a floor or a ceiling. */
const LEVEL = 0.7;

/** Whether a surface lies level: a floor, a ceiling, the top of a thing. */
export const isLevel = (normal: Vector): boolean => Math.abs(normal.y) > LEVEL;

const holderOf = (object: Object3D | null): Object3D | null =>
  !object || object.userData.element_id !== undefined ? object : holderOf(object.parent);

/** Finds what is under the pointer: solids, pictures, pages and films alike. */
export class Picker {
  readonly #stage: Stage;
  readonly #ray = new Raycaster();
  readonly #prepared = new WeakSet<Object3D>();
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
    rayThrough(this.#stage, { clientX, clientY }, this.#ray);
    this.#ray.far = this.#stage.camera.far;
  }

  #hit(clientX: number, clientY: number, marks = this.#marks()): Intersection | undefined {
    this.#aim(clientX, clientY);
    const objects = this.#stage.objects(() => true);
    for (const object of objects) this.#prepare(object);
    // What has just been drawn is not in its place before the next frame.
    this.#stage.three.updateMatrixWorld();
    // A mark is drawn over what stands before it, so that it is also hit first.
    return this.#ray.intersectObjects([...marks])[0] ?? this.#ray.intersectObjects(objects)[0];
  }

  /** Id of the element under a point of the page; null where there is none. */
  pick(clientX: number, clientY: number): number | null {
    const holder = holderOf(this.#hit(clientX, clientY)?.object ?? null);
    return holder ? (holder.userData.element_id as number) : null;
  }

  /** The wall, floor or ceiling that a ray ends at; undefined where it does not meet the room. */
  #wall(): { point: Vector3; normal: Vector3; distance: number } | undefined {
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

  /** What an aimed ray meets: one of these objects, or the walls of the room. */
  #surface(objects: readonly Object3D[]): { point: Vector3; normal: Vector3; distance: number } | undefined {
    for (const object of objects) this.#prepare(object);
    const hit = this.#ray.intersectObjects([...objects])[0];
    const wall = this.#wall();
    if (!hit?.face || (wall && wall.distance < hit.distance)) return wall;
    const normal = hit.face.normal.clone().transformDirection(hit.object.matrixWorld);
    if (normal.dot(this.#ray.ray.direction) > 0) normal.negate();
    return { point: hit.point, normal, distance: hit.distance };
  }

  #spot({ point, normal }: { point: Vector3; normal: Vector3 }): Spot {
    const turn = isLevel(normal) || normal.lengthSq() === 0 ? 0 : Math.atan2(normal.x, normal.z);
    const position = point.clone().addScaledVector(normal, STAND_OFF).floor();
    return { position, surface: point, normal, turn };
  }

  /**
   * What a thing that is dragged lies on at a point of the page: a wall, the floor, or a solid that does not move with it.
   * @returns undefined beside the room
   */
  surfaceAt(clientX: number, clientY: number, solids: readonly Object3D[]): Spot | undefined {
    this.#aim(clientX, clientY);
    const found = this.#surface(solids);
    return found && this.#spot(found);
  }

  /** The point that is seen at a point of the page: of an element of any kind, or of a wall; undefined beside the room. */
  pointAt(clientX: number, clientY: number): Vector3 | undefined {
    const hit = this.#hit(clientX, clientY, []);
    const wall = this.#wall();
    return hit && !(wall && wall.distance < hit.distance) ? hit.point : wall?.point;
  }

  /** What things lie on besides the walls: not on pictures and pages, before which they would hang. */
  solids(isLeftOut: (elementId: number) => boolean = () => false): Object3D[] {
    return this.#stage.objects((element) => traitsOf(element.element).isSolid === true && !isLeftOut(element.id));
  }

  /** Where a thing goes that is let fall at a point of the page: onto a solid, or onto the wall behind. */
  spotAt(clientX: number, clientY: number): Spot {
    this.#aim(clientX, clientY);
    this.#stage.three.updateMatrixWorld();
    const found = this.#surface(this.solids());
    return this.#spot(found ?? { point: this.#ray.ray.at(IN_THE_AIR, new Vector3()), normal: new Vector3() });
  }

  /** The same for a thing that is put where one looks: what is farther away than one would reach is left to be. */
  spotAhead(clientX: number, clientY: number): Spot {
    this.#aim(clientX, clientY);
    this.#stage.three.updateMatrixWorld();
    const found = this.#surface(this.solids());
    if (found && found.distance < NEARBY) return this.#spot(found);
    return this.#spot({ point: this.#ray.ray.at(IN_THE_AIR, new Vector3()), normal: new Vector3() });
  }
}
