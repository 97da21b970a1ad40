import CameraControls from 'camera-controls';
import {
  Box3,
  Matrix4,
  type PerspectiveCamera,
  Quaternion,
  Raycaster,
  Sphere,
  Spherical,
  Vector2,
  Vector3,
  Vector4,
} from 'three';
import type { Vector } from '../../document/fields.ts';
import { placePanorama } from '../../document/places.ts';
import type { Room } from '../../document/room.ts';
import { pixelRatioOf } from '../rendering/pixel-ratio.ts';
import { budget } from '../resources/device.ts';
import { CAMERA_LIMITS, canWalk, fovFor, maxZoomOf } from './limits.ts';
import { startPose } from './opening-view.ts';

CameraControls.install({
  THREE: { Vector2, Vector3, Vector4, Quaternion, Matrix4, Spherical, Box3, Sphere, Raycaster },
});

/** Distance between the camera and its orbit target: so small that orbiting means looking around. */
const ARM = 0.01;
/** Approximate distance in units covered by a drag across the whole screen. */
const DRAG_DISTANCE = 800;
/** Minimum distance between visitors and the room's walls, in units. */
const WALL_MARGIN = 20;
/** Rotation speed of a drag; negative so that the view moves with the pointer. */
const ROTATE_SPEED = -0.3;

/**
 * Converts a damping factor (the fraction covered in each sixtieth of a second) to a smoothing time in seconds.
 * An exponential approach with factor d per frame has the time constant −1 / (60 ln(1 − d)).
 */
export const smoothTimeOf = (damping: number): number => -1 / (60 * Math.log(1 - Math.min(damping, 0.999)));

const toVector = ({ x, y, z }: Vector) => new Vector3(x, y, z);

/** Moves the camera within the room's limits: looking around, stepping, animating to view points. */
export class CameraRig {
  readonly #controls: CameraControls;
  readonly #camera: PerspectiveCamera;
  readonly #surface: HTMLElement;
  #room: Room;
  /** Id of the current view point; 0 for none. */
  #place: number;
  #looksWithTwoFingers = false;
  readonly #forward = new Vector3();
  readonly #right = new Vector3();
  readonly #target = new Vector3();
  /**
   * Whether camera moves are animated; off with reduced motion and in headsets, where animation causes motion
   * sickness.
   */
  glides = !matchMedia('(prefers-reduced-motion: reduce)').matches;
  readonly #seen = { position: new Vector3(Number.NaN), quaternion: new Quaternion(), zoom: 1 };

  /** @param surface element that receives pointer and wheel events */
  constructor(camera: PerspectiveCamera, surface: HTMLElement, room: Room, place = 0) {
    this.#camera = camera;
    this.#place = place;
    this.#surface = surface;
    this.#room = room;
    this.#controls = new CameraControls(camera, surface);
    this.configure(room);
    this.reset(false);
  }

  /** Whether two fingers look around instead of panning, because one finger scrolls the surrounding page. */
  set looksWithTwoFingers(value: boolean) {
    this.#looksWithTwoFingers = value;
    this.configure(this.#room);
  }

  /** Applies the camera settings of a room. @param place id of the current view point; 0 for none */
  configure(room: Room, place = this.#place): void {
    this.#room = room;
    this.#place = place;
    const { rotate_left_button, zoom } = room.config.camera;
    const rotate = this.rotates;
    const controls = this.#controls;
    const { ACTION } = CameraControls;
    controls.minDistance = ARM;
    controls.maxDistance = ARM;
    const tilt = this.#isAtPlace ? CAMERA_LIMITS.tiltAtPlace : CAMERA_LIMITS.tilt;
    controls.minPolarAngle = ((90 - tilt) * Math.PI) / 180;
    controls.maxPolarAngle = ((90 + tilt) * Math.PI) / 180;
    controls.azimuthRotateSpeed = ROTATE_SPEED;
    controls.polarRotateSpeed = ROTATE_SPEED;
    controls.truckSpeed = DRAG_DISTANCE / ARM;
    controls.smoothTime = smoothTimeOf(CAMERA_LIMITS.damping);
    controls.draggingSmoothTime = 0.08;
    const turns = rotate && (rotate_left_button || !this.walks);
    controls.mouseButtons.left = turns ? ACTION.ROTATE : ACTION.TRUCK;
    controls.mouseButtons.right = rotate ? ACTION.ROTATE : ACTION.TRUCK;
    controls.mouseButtons.middle = ACTION.NONE;
    controls.mouseButtons.wheel = ACTION.NONE;
    controls.touches.one = rotate ? ACTION.TOUCH_ROTATE : ACTION.TOUCH_TRUCK;
    controls.minZoom = 1;
    this.limitZoom();
    if (rotate && (this.#looksWithTwoFingers || !this.walks))
      controls.touches.two = zoom ? ACTION.TOUCH_ZOOM_ROTATE : ACTION.TOUCH_ROTATE;
    else controls.touches.two = zoom ? ACTION.TOUCH_ZOOM_TRUCK : ACTION.TOUCH_TRUCK;
    controls.touches.three = ACTION.NONE;
    controls.setBoundary(this.#isAtPlace ? undefined : this.#boundary());
  }

  /** Whether visitors look around: where the room allows it, and always at a place, where they can't move. */
  get rotates(): boolean {
    return this.#room.config.camera.rotate || this.#isAtPlace;
  }

  /** Whether the current view point has a panorama. */
  get #isAtPlace(): boolean {
    return Boolean(placePanorama(this.#room, this.#place)?.position);
  }

  /** Sets the maximum zoom for the size of the screen. */
  limitZoom(): void {
    const { camera } = this.#room.config;
    const { clientWidth, clientHeight } = this.#surface;
    const fov = fovFor(camera, clientWidth / clientHeight);
    const pixels = clientHeight * pixelRatioOf(this.#room, budget().pixelRatio);
    this.#controls.maxZoom = camera.zoom ? maxZoomOf(this.#room, this.#place, pixels, fov) : 1;
  }

  /** Whether the wheel zooms, instead of moving forward: in panoramas. */
  get zooms(): boolean {
    return placePanorama(this.#room, this.#place) !== null;
  }

  /** Moves along the viewing direction. @param distance units, negative for backwards */
  dolly(distance: number): void {
    this.#camera.getWorldDirection(this.#forward);
    this.#controls.getTarget(this.#target, true);
    this.#target.addScaledVector(this.#forward, distance);
    void this.#controls.moveTo(this.#target.x, this.#target.y, this.#target.z, this.glides);
  }

  /** Zooms at once so that the screen shows a vertical field of view. @param fov in degrees */
  zoomTo(fov: number): void {
    const tangent = (degrees: number) => Math.tan((degrees * Math.PI) / 360);
    void this.#controls.zoomTo(tangent(this.#camera.fov) / tangent(fov), false);
  }

  /** Zooms without moving the camera. @param factor above 1 zooms in */
  zoom(factor: number): void {
    void this.#controls.zoom(this.#camera.zoom * (factor - 1), this.glides);
  }

  /** The room's pan limits, or its walls by default. */
  #boundary(): Box3 {
    const { manual_panning, min_pan, max_pan } = this.#room.config.camera;
    if (manual_panning)
      return new Box3(toVector(min_pan).min(toVector(max_pan)), toVector(max_pan).max(toVector(min_pan)));
    const { width, height, depth } = this.#room;
    const half = new Vector3(width, height, depth)
      .multiplyScalar(0.5)
      .subScalar(WALL_MARGIN)
      .clampScalar(0, Number.MAX_VALUE);
    return new Box3(half.clone().negate(), half);
  }

  /** Returns to the room's initial view. */
  reset(smooth = true): void {
    const { clientWidth, clientHeight } = this.#surface;
    const { position, direction } = startPose(this.#room, clientWidth / clientHeight, this.#place);
    this.#moveTo(toVector(position), toVector(direction), smooth);
  }

  #moveTo(position: Vector3, direction: Vector3, smooth: boolean): void {
    if (direction.lengthSq() === 0) direction.set(0, 0, -1);
    void this.#controls.zoomTo(1, smooth && this.glides);
    const target = position.clone().addScaledVector(direction.normalize(), ARM);
    void this.#controls.setLookAt(
      position.x,
      position.y,
      position.z,
      target.x,
      target.y,
      target.z,
      smooth && this.glides,
    );
  }

  /**
   * Moves to a position.
   * @param target point to look at; omitted to keep the direction
   * @param damping speed of the move, 0 to 1; lower is slower
   */
  moveTo(position: Vector, target?: Vector, damping: number = CAMERA_LIMITS.damping, smooth = true): void {
    this.#controls.smoothTime = smoothTimeOf(damping);
    const direction = target ? toVector(target).sub(toVector(position)) : this.#camera.getWorldDirection(new Vector3());
    this.#moveTo(toVector(position), direction, smooth);
  }

  /** Stands at a position at once. @param target point to look at; null to keep the direction, even while turning */
  standAt(position: Vector, target: Vector | null): void {
    if (target) this.moveTo(position, target, undefined, false);
    else {
      const { x, y, z } = this.#camera.getWorldDirection(this.#forward).multiplyScalar(ARM).add(position);
      void this.#controls.moveTo(x, y, z, false);
      void this.#controls.zoomTo(1, this.glides);
    }
  }

  /**
   * Moves by one step in the horizontal plane.
   * @param forward units forward, negative for backwards
   * @param right units to the right, negative for left
   * @param up units up, negative for down
   */
  move(forward: number, right: number, up = 0): void {
    this.#controls.smoothTime = smoothTimeOf(CAMERA_LIMITS.damping);
    this.#camera.getWorldDirection(this.#forward).setY(0).normalize();
    this.#right.set(-this.#forward.z, 0, this.#forward.x);
    this.#controls.getTarget(this.#target, true);
    this.#target.addScaledVector(this.#forward, forward).addScaledVector(this.#right, right);
    this.#target.y += up;
    void this.#controls.moveTo(this.#target.x, this.#target.y, this.#target.z, this.glides);
  }

  /** Whether visitors walk through the room, rather than only turn. */
  get walks(): boolean {
    return canWalk(this.#room, this.#place);
  }

  /** The nearest position within the room's boundary. */
  inside(position: Vector): Vector {
    return this.#boundary().clampPoint(toVector(position), new Vector3());
  }

  /** Range of camera heights in units. */
  get heights(): { min: number; max: number } {
    const { min, max } = this.#boundary();
    return { min: min.y, max: max.y };
  }

  /** Moves vertically to a height in units. */
  moveToHeight(y: number): void {
    this.#controls.smoothTime = smoothTimeOf(CAMERA_LIMITS.damping);
    this.#controls.getTarget(this.#target, true);
    void this.#controls.moveTo(this.#target.x, y, this.#target.z, this.glides);
  }

  /** Turns in place by radians, left and up. */
  turn(azimuth: number, polar = 0): void {
    void this.#controls.rotate(azimuth, polar, this.glides);
  }

  /** Viewing direction in radians around the vertical axis: 0 along −z, increasing to the left. */
  get azimuth(): number {
    return this.#controls.azimuthAngle;
  }

  /** Looks in a direction without animation. @param polar radians from straight down: π/2 is horizontal */
  look(azimuth: number, polar: number): void {
    void this.#controls.rotateTo(azimuth, polar, false);
  }

  /**
   * Turns to a point; if visitors don't look around, moves sideways and back until the point is ahead.
   * @param point in room units
   */
  face(point: Vector3): void {
    this.#controls.smoothTime = smoothTimeOf(CAMERA_LIMITS.damping);
    const to = this.#controls.getPosition(this.#target, true).negate().add(point);
    if (this.rotates) {
      const wanted = Math.atan2(-to.x, -to.z);
      const azimuth = wanted + 2 * Math.PI * Math.round((this.#controls.azimuthAngle - wanted) / (2 * Math.PI));
      void this.#controls.rotateTo(azimuth, Math.acos(-to.normalize().y), this.glides);
      return;
    }
    this.#camera.getWorldDirection(this.#forward).setY(0).normalize();
    const ahead = to.dot(this.#forward);
    const right = this.#right.set(-this.#forward.z, 0, this.#forward.x).dot(to);
    this.move(Math.min(0, ahead - DRAG_DISTANCE / 2), right, to.y);
  }

  /** The underlying controls, for the editor, which ignores the room's limits. */
  get controls(): CameraControls {
    return this.#controls;
  }

  /** Whether pointer and wheel input moves the camera. */
  set enabled(value: boolean) {
    this.#controls.enabled = value;
  }

  /**
   * Advances camera animation.
   * @param dt seconds since the last frame
   * @returns whether the camera moved
   */
  update(dt: number): boolean {
    this.#controls.update(dt);
    const { position, quaternion, zoom } = this.#camera;
    // The controls approach their target asymptotically; ignore moves below a hundredth of a unit.
    if (
      position.distanceToSquared(this.#seen.position) < 1e-4 &&
      Math.abs(quaternion.dot(this.#seen.quaternion)) > 1 - 1e-9 &&
      zoom === this.#seen.zoom
    )
      return false;
    this.#seen.position.copy(position);
    this.#seen.quaternion.copy(quaternion);
    if (zoom !== this.#seen.zoom) {
      // The same rotation covers more of the screen when zoomed in.
      this.#controls.azimuthRotateSpeed = ROTATE_SPEED / zoom;
      this.#controls.polarRotateSpeed = ROTATE_SPEED / zoom;
    }
    this.#seen.zoom = zoom;
    return true;
  }

  dispose(): void {
    this.#controls.dispose();
  }
}
