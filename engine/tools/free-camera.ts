import CameraControls from 'camera-controls';
import { Box3, Matrix4, Sphere, Vector3 } from 'three';
import type { Element } from '../document/element.ts';
import type { Vector } from '../document/fields.ts';
import { CAMERA_LIMITS } from '../stage/camera/limits.ts';
import type { Stage } from '../stage/stage.ts';
import { boundsOf, worldBoundsOf } from './bounds.ts';
import { coveredOf } from './free-side.ts';
import { Orthographic } from './orthographic.ts';

/** Least distance at which the camera sees an end of the room, in units. */
const REACH = 40_000;
/** Distance to the point that is turned around, while looking around from where one stands. */
const ARM = 0.01;
/** How fast dragging looks around, and turns around a selection; with the sign of the way things seem to go. */
const LOOK_SPEED = -0.3;
const ORBIT_SPEED = 1;
/** Units that dragging across the screen moves while looking around, and screens while turning around something. */
const TRUCK = { look: 800 / ARM, orbit: 2 };
/** Pixels of wheel that move by `dollySpeed` units. */
const WHEEL = 5;
/** Space left around what is framed, in its own sizes. */
const ROOM_AROUND = 1.3;
/** Smallest radius that is framed, in units: closer, and a point would fill the picture. */
const LEAST_RADIUS = 20;
/** Units ahead around which one turns who has framed nothing. */
const AHEAD = 600;

/** Depth of what is flat, as a share of its shorter side. */
const FLAT = 0.2;

/** Ways to look along an axis. */
export type Look = 'front' | 'back' | 'side' | 'left' | 'top' | 'bottom';
const WAYS: Record<Look, Vector3> = {
  front: new Vector3(0, 0, 1),
  back: new Vector3(0, 0, -1),
  side: new Vector3(1, 0, 0),
  left: new Vector3(-1, 0, 0),
  // A hair from straight down, where the camera would not know which way is up.
  top: new Vector3(0, 1, 1e-4).normalize(),
  bottom: new Vector3(0, -1, 1e-4).normalize(),
};

/**
 * The camera of who edits: not held by walls or by what the room allows visitors. It looks around from where it stands,
 * and turns around what it has framed until it walks on.
 */
export class FreeCamera {
  readonly #stage: Stage;
  readonly #controls: CameraControls;
  readonly #surface: HTMLElement;
  readonly #abort = new AbortController();
  readonly #box = new Box3();
  readonly #part = new Box3();
  readonly #sphere = new Sphere();
  readonly #matrix = new Matrix4();
  readonly #way = new Vector3();
  readonly #target = new Vector3();
  readonly #flat: Orthographic;
  #orbits = false;

  /** @param surface element that takes pointer and wheel */
  constructor(stage: Stage, surface: HTMLElement) {
    this.#stage = stage;
    this.#surface = surface;
    this.#flat = new Orthographic(stage);
    const controls = stage.rig.controls;
    this.#controls = controls;
    const { ACTION } = CameraControls;
    controls.minPolarAngle = 0;
    controls.maxPolarAngle = Math.PI;
    controls.maxDistance = Number.POSITIVE_INFINITY;
    controls.setBoundary();
    Object.assign(controls.mouseButtons, {
      left: ACTION.ROTATE,
      right: ACTION.TRUCK,
      middle: ACTION.TRUCK,
      wheel: ACTION.NONE,
    });
    Object.assign(controls.touches, {
      one: ACTION.TOUCH_ROTATE,
      two: ACTION.TOUCH_TRUCK,
      three: ACTION.NONE,
    });
    this.#setOrbits(false);
    // Before the rig, which would heed what the room allows visitors.
    surface.addEventListener('wheel', (event) => this.#wheel(event), {
      signal: this.#abort.signal,
      capture: true,
      passive: false,
    });
  }

  /** Told when the picture loses or gets its perspective. */
  onProjection: (isOrthographic: boolean) => void = () => undefined;

  /** Whether the wheel is taken by something nearer, such as a handle under the pointer. */
  takesWheel: (event: WheelEvent) => boolean = () => true;

  /** Whether pointer and wheel move the camera. */
  set enabled(value: boolean) {
    this.#stage.rig.enabled = value;
  }

  #setOrbits(value: boolean): void {
    this.#orbits = value;
    const speed = value ? ORBIT_SPEED : LOOK_SPEED;
    this.#controls.azimuthRotateSpeed = speed;
    this.#controls.polarRotateSpeed = speed;
    this.#controls.truckSpeed = this.isOrthographic ? 1 : value ? TRUCK.orbit : TRUCK.look;
  }

  #wheel(event: WheelEvent): void {
    event.preventDefault();
    event.stopImmediatePropagation();
    if (!this.takesWheel(event) || !this.#controls.enabled) return;
    const pixels = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? event.deltaY * 30 : event.deltaY;
    if (this.isOrthographic) this.#flat.show(Math.min(Math.max(this.#flat.half * 1.001 ** pixels, 1), REACH));
    else if (this.#orbits) {
      void this.#controls.dollyTo(this.#controls.distance * 1.001 ** pixels, true);
    } else {
      this.#stage.camera.getWorldDirection(this.#way);
      this.#controls.getTarget(this.#target, true);
      this.#target.addScaledVector(this.#way, (-pixels * CAMERA_LIMITS.dollySpeed) / WHEEL);
      void this.#controls.moveTo(this.#target.x, this.#target.y, this.#target.z, true);
    }
    this.#stage.refresh();
  }

  /** Looks around from where the camera stands again, instead of turning around what was framed. */
  release(): void {
    if (!this.#orbits || this.isOrthographic) return;
    this.#setOrbits(false);
    const { x, y, z } = this.#stage.camera.position;
    void this.#controls.setFocalOffset(0, 0, 0, false);
    this.#stage.rig.moveTo({ x, y, z }, undefined, undefined, false);
    this.#stage.refresh();
  }

  /** Stands somewhere and looks at a point, as somebody else does. */
  follow(position: Vector, target: Vector): void {
    this.#leaveOrthographic();
    this.#setOrbits(false);
    this.#way.set(target.x - position.x, target.y - position.y, target.z - position.z).setLength(ARM);
    const { x, y, z } = position;
    this.#controls.maxDistance = Number.POSITIVE_INFINITY;
    void this.#controls.setLookAt(x, y, z, x + this.#way.x, y + this.#way.y, z + this.#way.z, true);
    this.#stage.refresh();
  }

  /** Steps on the level, in units. */
  walk(forward: number, right: number, up = 0): void {
    this.release();
    if (this.isOrthographic) void this.#controls.truck(right, -forward - up, true);
    else this.#stage.rig.move(forward, right, up);
    this.#stage.refresh();
  }

  /** Turns in place, in radians to the left. */
  turn(azimuth: number): void {
    this.release();
    this.#stage.rig.turn(azimuth);
    this.#stage.refresh();
  }

  /**
   * Shows the whole of some elements, or of the room for none, and turns around it from then on.
   * @param look way to look at it; when left out, the front of what is flat, and the way that the camera looks already
   */
  frame(elements: readonly Element[], look?: Look): void {
    const { camera, scene, rig } = this.#stage;
    const { width, height, depth } = scene.room;
    if (elements.length > 0) {
      this.#box.makeEmpty();
      for (const element of elements) this.#box.union(worldBoundsOf(this.#stage, element, this.#part));
    } else this.#box.setFromCenterAndSize(this.#target.set(0, 0, 0), this.#way.set(width, height, depth));
    const { center, radius } = this.#box.getBoundingSphere(this.#sphere);
    if (look) this.#way.copy(WAYS[look]);
    else if (elements.length !== 1 || !this.#frontOf(elements[0]!, this.#way))
      camera.getWorldDirection(this.#way).negate();
    // What lies over the canvas covers a part of it: the rest is what there is to see with.
    const { clientWidth, clientHeight } = this.#stage.canvas;
    const covered = Math.min(coveredOf(this.#surface), clientWidth * 0.8);
    const up = Math.tan((camera.fov * Math.PI) / 360);
    const half = Math.atan(up * Math.min(1, (clientWidth - covered) / clientHeight));
    const least = Math.max(radius, LEAST_RADIUS) * ROOM_AROUND;
    const seen = least / Math.sin(half);
    const high = up * seen;
    if (this.isOrthographic) this.#flat.show(high);
    const distance = this.isOrthographic ? this.#outside : seen;
    this.#controls.maxDistance = Number.POSITIVE_INFINITY;
    rig.controls.smoothTime = 0.12;
    const { x, y, z } = center;
    void this.#controls.setLookAt(
      x + this.#way.x * distance,
      y + this.#way.y * distance,
      z + this.#way.z * distance,
      x,
      y,
      z,
      true,
    );
    void this.#controls.setFocalOffset((covered * high) / clientHeight, 0, 0, true);
    this.#setOrbits(true);
    this.#stage.refresh();
  }

  /** Whether the room is shown without perspective. */
  get isOrthographic(): boolean {
    return this.#flat.isOn;
  }

  /** Distance from which the whole room is before the camera; units. */
  get #outside(): number {
    const { width, height, depth } = this.#stage.scene.room;
    return Math.hypot(width, height, depth) * 1.5 + 1000;
  }

  /** Shows the room without perspective, or with it again: around the same point, which stays as large as it is. */
  set isOrthographic(value: boolean) {
    if (value === this.isOrthographic) return;
    const { camera } = this.#stage;
    const controls = this.#controls;
    const up = Math.tan((camera.fov * Math.PI) / 360);
    camera.getWorldDirection(this.#way);
    if (value) {
      const away = this.#orbits ? controls.distance : AHEAD;
      this.#target.copy(camera.position).addScaledVector(this.#way, away);
      this.#flat.show(away * up);
    } else controls.getTarget(this.#target, true);
    const distance = value ? this.#outside : this.#flat.half / up;
    if (!value) this.#flat.show(0);
    const { x, y, z } = this.#target;
    controls.maxDistance = Number.POSITIVE_INFINITY;
    this.#setOrbits(true);
    const from = this.#way.multiplyScalar(-distance).add(this.#target);
    void controls.setLookAt(from.x, from.y, from.z, x, y, z, false);
    this.onProjection(value);
    this.#stage.refresh();
  }

  #leaveOrthographic(): void {
    if (!this.isOrthographic) return;
    this.#flat.show(0);
    void this.#controls.setFocalOffset(0, 0, 0, false);
    this.onProjection(false);
  }

  /** Way out of the front of a flat element; false for what has a body. */
  #frontOf(element: Element, out: Vector3): boolean {
    const { scene } = this.#stage;
    const entity = scene.entityOf(element.id);
    if (entity === undefined) return false;
    scene.worldMatrix(entity, this.#matrix.elements);
    boundsOf(this.#stage, element, this.#matrix, this.#part).getSize(out);
    const isFlat = out.z < FLAT * Math.min(out.x, out.y);
    out.setFromMatrixColumn(this.#matrix, 2).normalize();
    return isFlat;
  }

  /** Lets the camera see far enough to have the whole room before it; before each frame. */
  place(): void {
    const { camera } = this.#stage;
    const far = this.isOrthographic ? Math.max(REACH, 3 * this.#outside) : REACH;
    if (camera.far >= far) return;
    camera.far = far;
    camera.updateProjectionMatrix();
  }

  dispose(): void {
    this.#abort.abort();
  }
}
