import CameraControls from 'camera-controls';
import { Box3, Matrix4, PerspectiveCamera, Sphere, Vector3 } from 'three';
import type { Element } from '../../document/element.ts';
import type { Vector } from '../../document/fields.ts';
import { CAMERA_LIMITS } from '../../stage/camera/limits.ts';
import type { Stage } from '../../stage/stage.ts';
import { boundsOf, worldBoundsOf } from '../marks/bounds.ts';
import { coveredOf } from '../marks/screen.ts';

/**
 * Switches the stage's own camera to an orthographic projection by changing its type flags, so that references to the
 * camera stay valid.
 */
class Orthographic {
  readonly #stage: Stage;
  /** Half the height of the view in units; 0 with perspective. */
  #half = 0;

  constructor(stage: Stage) {
    this.#stage = stage;
  }

  get isOn(): boolean {
    return this.#half > 0;
  }

  get half(): number {
    return this.#half;
  }

  /** Shows this many units above and below the center; 0 switches to perspective. */
  show(half: number): void {
    const { camera } = this.#stage;
    this.#half = half;
    const isOn = half > 0;
    Object.assign(camera, {
      isPerspectiveCamera: !isOn,
      isOrthographicCamera: isOn,
      updateProjectionMatrix: isOn ? () => this.#project() : PerspectiveCamera.prototype.updateProjectionMatrix,
    });
    camera.updateProjectionMatrix();
    this.#stage.refresh();
  }

  #project(): void {
    const { camera } = this.#stage;
    const half = this.#half;
    const across = half * camera.aspect;
    // Used by the camera controls.
    Object.assign(camera, { left: -across, right: across, top: half, bottom: -half });
    camera.projectionMatrix.makeOrthographic(
      -across,
      across,
      half,
      -half,
      camera.near,
      camera.far,
      camera.coordinateSystem,
    );
    camera.projectionMatrixInverse.copy(camera.projectionMatrix).invert();
  }
}

/** Minimum far distance of the camera in units. */
const REACH = 40_000;
/** Distance between the camera and its orbit target while looking around. */
const ARM = 0.01;
/** Rotation speeds while looking around and orbiting; the sign makes the view follow the pointer. */
const LOOK_SPEED = -0.3;
const ORBIT_SPEED = 1;
/** Pan speed: units per screen while looking around, screens while orbiting. */
const TRUCK = { look: 800 / ARM, orbit: 2 };
/** Wheel pixels per `dollySpeed` units. */
const WHEEL = 5;
/** Wheel pixels that zoom by a factor of two while standing. */
const PIXELS_PER_DOUBLING = 600;
/** Margin around framed elements, relative to their size. */
const FRAME_MARGIN = 1.3;
/** Minimum radius for framing in units; a point would fill the view otherwise. */
const MIN_RADIUS = 20;
/** Distance of the orbit target in units if nothing was framed. */
const AHEAD = 600;

/** Maximum depth of a flat element relative to its shorter side. */
const FLAT = 0.2;

/** Directions to look from, along an axis. */
export type Look = 'front' | 'back' | 'side' | 'left' | 'top' | 'bottom';
const WAYS: Record<Look, Vector3> = {
  front: new Vector3(0, 0, 1),
  back: new Vector3(0, 0, -1),
  side: new Vector3(1, 0, 0),
  left: new Vector3(-1, 0, 0),
  // Slightly off vertical, where the camera's up direction would be undefined.
  top: new Vector3(0, 1, 1e-4).normalize(),
  bottom: new Vector3(0, -1, 1e-4).normalize(),
};

/**
 * The editor's camera, without walls and visitor limits. It looks around from its position, and orbits what it has
 * framed until it walks.
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
  #stands = false;

  /** @param surface element that receives pointer and wheel events */
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
    // In the capture phase, because the rig would apply the limits for visitors.
    surface.addEventListener('wheel', (event) => this.#wheel(event), {
      signal: this.#abort.signal,
      capture: true,
      passive: false,
    });
  }

  /** Called when the projection changes. */
  onProjection: (isOrthographic: boolean) => void = () => undefined;

  /** Whether the camera handles a wheel event, which a handle under the pointer may claim. */
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
    if (this.#stands) this.#stage.rig.zoom(2 ** (-pixels / PIXELS_PER_DOUBLING));
    else if (this.isOrthographic) this.#flat.show(Math.min(Math.max(this.#flat.half * 1.001 ** pixels, 1), REACH));
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

  /** Whether the camera stays at its position, as in a panorama: it turns, and the wheel zooms. */
  stand(stays: boolean): void {
    this.#leaveOrthographic();
    this.release();
    this.#stands = stays;
    const { ACTION } = CameraControls;
    const move = stays ? ACTION.ROTATE : ACTION.TRUCK;
    Object.assign(this.#controls.mouseButtons, { right: move, middle: move });
    this.#controls.touches.two = stays ? ACTION.TOUCH_ROTATE : ACTION.TOUCH_TRUCK;
    if (!stays) void this.#controls.zoomTo(1, false);
    this.#stage.refresh();
  }

  /** Switches from orbiting back to looking around. */
  release(): void {
    if (!this.#orbits || this.isOrthographic) return;
    this.#setOrbits(false);
    const { x, y, z } = this.#stage.camera.position;
    void this.#controls.setFocalOffset(0, 0, 0, false);
    this.#stage.rig.moveTo({ x, y, z }, undefined, undefined, false);
    this.#stage.refresh();
  }

  /** Moves to a position and looks at a target, for example to follow another user. */
  follow(position: Vector, target: Vector): void {
    this.#leaveOrthographic();
    this.#setOrbits(false);
    this.#way.set(target.x - position.x, target.y - position.y, target.z - position.z).setLength(ARM);
    const { x, y, z } = position;
    this.#controls.maxDistance = Number.POSITIVE_INFINITY;
    void this.#controls.setLookAt(x, y, z, x + this.#way.x, y + this.#way.y, z + this.#way.z, true);
    this.#stage.refresh();
  }

  /** Steps in the horizontal plane, in units. */
  walk(forward: number, right: number, up = 0): void {
    if (this.#stands) return;
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
   * Frames elements, or the whole room if empty, and orbits them from then on.
   * @param look direction; defaults to the front of a flat element, otherwise to the current direction
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
    // Windows over the canvas reduce the visible area.
    const { clientWidth, clientHeight } = this.#stage.canvas;
    const covered = Math.min(coveredOf(this.#surface), clientWidth * 0.8);
    const up = Math.tan((camera.fov * Math.PI) / 360);
    const half = Math.atan(up * Math.min(1, (clientWidth - covered) / clientHeight));
    const least = Math.max(radius, MIN_RADIUS) * FRAME_MARGIN;
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

  /** Whether the projection is orthographic. */
  get isOrthographic(): boolean {
    return this.#flat.isOn;
  }

  /** Distance in units at which the whole room is in front of the camera. */
  get #outside(): number {
    const { width, height, depth } = this.#stage.scene.room;
    return Math.hypot(width, height, depth) * 1.5 + 1000;
  }

  /** Switches the projection, keeping the target and its size on screen. */
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

  /** Front direction of a flat element; false for other elements. */
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

  /** Extends the far plane to include the whole room; called before each frame. */
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
