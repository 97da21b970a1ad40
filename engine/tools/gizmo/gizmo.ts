import { Group, type Object3D, Plane, Quaternion, Vector2, Vector3 } from 'three';
import { snapGrid, type TransformContext } from '../../machines/transform.ts';
import type { Stage } from '../../stage/stage.ts';
import { rayThrough, towardsEye, unitsHigh } from '../marks/screen.ts';
import { GizmoReach } from './gizmo-reach.ts';
import {
  AXIS_COLORS,
  acrossOf,
  axesOf,
  type DrawnHandle,
  type HandleName,
  makeAxisLine,
  makeHandles,
  paint,
  SHAPE,
  turnAlong,
  UNITS,
} from './gizmo-shape.ts';
import type { HandleSet } from './handle-pointer.ts';

/** Gizmo size as a fraction of the view height at size 1, and maximum size relative to the distance. */
const SIZE = { share: 0.95 / 4, most: 7 / 4 };
/** Cosines beyond which an axis points at the camera, and a ring or square is edge-on. */
const POINTED = 0.985;
const EDGE_ON = 0.18;
/** Cosine beyond which a full ring is shown. */
const FACING = 0.8;
/** Drag distance in pixels that doubles the size. */
const PIXELS_PER_DOUBLING = 120;

/** Target of a drag: an object and its parent frame. */
interface GizmoTarget {
  frame: Object3D;
  standIn: Object3D;
}

interface GizmoEvents {
  started(): void;
  ended(): void;
  changed(): void;
}

interface Drag {
  handle: DrawnHandle;
  /** Direction in the room of movement or rotation. */
  axis: Vector3;
  plane: Plane;
  /** Start of the drag: intersection with the plane, and page pixels. */
  from: Vector3;
  at: Vector2;
  position: Vector3;
  quaternion: Quaternion;
  scale: Vector3;
  /** Screen direction that rotates an edge-on ring; undefined for others. */
  tangent: Vector2 | undefined;
}

const eye = new Vector3();
const point = new Vector3();
const other = new Vector3();
const turn = new Quaternion();
const parentTurn = new Quaternion();

/** The transform gizmo: one arrow, ring or arm per axis. */
export class Gizmo implements HandleSet {
  readonly object = new Group();
  readonly #stage: Stage;
  readonly #target: GizmoTarget;
  readonly #events: GizmoEvents;
  readonly #handles = makeHandles();
  readonly #line = makeAxisLine();
  readonly #reach: GizmoReach;
  #context: TransformContext;
  #isShown = false;
  #hovered: DrawnHandle | undefined;
  #drag: Drag | undefined;

  constructor(stage: Stage, target: GizmoTarget, context: TransformContext, events: GizmoEvents) {
    this.#stage = stage;
    this.#target = target;
    this.#context = context;
    this.#events = events;
    this.#reach = new GizmoReach(stage, this.object);
    this.object.name = 'handles';
    this.object.add(...this.#handles.map(({ object }) => object));
    stage.three.add(this.object, this.#line);
  }

  /** Name of the hovered or held handle; null if none. */
  get hovered(): HandleName | null {
    return this.#drag?.handle.name ?? this.#hovered?.name ?? null;
  }

  get isDragging(): boolean {
    return this.#drag !== undefined;
  }

  /** Applies mode, space, axes, size and snapping, and whether to show the gizmo. */
  configure(context: TransformContext, isShown: boolean): void {
    this.#context = context;
    this.#isShown = isShown;
    if (!isShown) this.hover(null);
  }

  /** Orientation of the handles: the target's or the room's. Scaling always uses the target's axes. */
  #turnOf(out: Quaternion): Quaternion {
    const { space, mode } = this.#context;
    if (space === 'world' && mode !== 'scale') return out.identity();
    return this.#target.standIn.getWorldQuaternion(out);
  }

  #isEnabled(handle: DrawnHandle): boolean {
    const { mode, axes } = this.#context;
    if (handle.mode !== mode) return false;
    // Handles for all axes require all axes to be enabled.
    if (handle.name === 'XYZ' || handle.name === 'E') return axes.x && axes.y && axes.z;
    return axesOf(handle.name).every((axis) => axes[axis]);
  }

  /** Whether a handle is usable from the camera's direction. */
  #isUsable({ name, mode }: DrawnHandle): boolean {
    if (name === 'XYZ' || name === 'E' || mode === 'rotate') return true;
    const isPlane = name.length === 2;
    other.copy(UNITS[isPlane ? acrossOf(name) : axesOf(name)[0]!]).applyQuaternion(this.object.quaternion);
    const toEye = Math.abs(other.dot(eye));
    return isPlane ? toEye > EDGE_ON : toEye < POINTED;
  }

  /** Updates the gizmo; called before each frame. */
  place(): void {
    const { object } = this;
    object.visible = this.#isShown;
    this.#line.visible = false;
    if (!this.#isShown) return;
    const { camera } = this.#stage;
    const { frame, standIn } = this.#target;
    frame.updateMatrixWorld();
    standIn.getWorldPosition(object.position);
    if (!this.#drag) this.#turnOf(object.quaternion);
    towardsEye(this.#stage, object.position, eye);
    const distance = camera.position.distanceTo(object.position);
    const size = Math.min(unitsHigh(this.#stage, object.position) * SIZE.share, distance * SIZE.most);
    object.scale.setScalar(Math.max(1e-6, size * this.#context.handleSize));
    for (const handle of this.#handles) {
      // Hide the other handles during a drag.
      const isHeld = handle === this.#drag?.handle;
      handle.object.visible = isHeld || (!this.#drag && this.#isEnabled(handle) && this.#isUsable(handle));
      if (!handle.object.visible) continue;
      this.#face(handle);
      paint(handle, isHeld || handle === this.#hovered);
    }
    this.#placeLine();
  }

  /** Turns the front half of a ring towards the camera. */
  #face({ name, object, half, full }: DrawnHandle): void {
    if (!half || !full) return;
    if (name === 'E') {
      // Undo the gizmo's rotation, so that the ring faces the camera.
      object.quaternion.copy(this.object.quaternion).invert().multiply(this.#stage.camera.quaternion);
      half.visible = false;
      return;
    }
    const axis = other.copy(UNITS[axesOf(name)[0]!]).applyQuaternion(this.object.quaternion);
    full.visible = Math.abs(axis.dot(eye)) > FACING || this.#drag !== undefined;
    half.visible = !full.visible;
    // Angle of the camera in the ring's plane, which is perpendicular to its z axis.
    point.copy(eye).applyQuaternion(turn.copy(this.object.quaternion).multiply(object.quaternion).invert());
    half.rotation.z = Math.atan2(point.y, point.x) - Math.PI / 2;
  }

  #placeLine(): void {
    const drag = this.#drag;
    if (drag?.handle.name.length !== 1 || drag.handle.name === 'E') return;
    this.#line.visible = true;
    turnAlong(this.#line, drag.axis);
    this.#line.position.copy(this.object.position);
    this.#line.scale.setScalar(this.object.scale.x);
  }

  near(at: Vector2, reach: number): HandleName | undefined {
    if (!this.#isShown) return undefined;
    this.place();
    let best: { name: HandleName; distance: number } | undefined;
    for (const handle of this.#handles) {
      if (!handle.object.visible) continue;
      const distance = this.#reach.distance(handle, at);
      if (distance <= reach && (!best || distance < best.distance)) best = { name: handle.name, distance };
    }
    return best?.name;
  }

  hover(name: string | null): void {
    this.#hovered = this.#handles.find((handle) => handle.name === name && this.#isEnabled(handle));
  }

  begin(event: PointerEvent): boolean {
    const handle = this.#hovered;
    if (!handle) return false;
    const { standIn } = this.#target;
    const axis = new Vector3();
    if (handle.name === 'E' || handle.name === 'XYZ') axis.copy(eye);
    else
      axis
        .copy(UNITS[handle.name.length === 2 ? acrossOf(handle.name) : axesOf(handle.name)[0]!])
        .applyQuaternion(this.object.quaternion);
    const plane = new Plane().setFromNormalAndCoplanarPoint(this.#planeNormal(handle, axis), this.object.position);
    const from = rayThrough(this.#stage, event).intersectPlane(plane, new Vector3());
    if (!from) return false;
    this.#drag = {
      handle,
      axis,
      plane,
      from,
      at: new Vector2(event.clientX, event.clientY),
      position: this.object.position.clone(),
      quaternion: standIn.getWorldQuaternion(new Quaternion()),
      scale: standIn.scale.clone(),
      tangent: this.#tangent(handle, axis, from),
    };
    this.#line.material.color.set(AXIS_COLORS[axesOf(handle.name)[0]!]);
    this.#events.started();
    // Starting the gesture may have moved the target to its exact position.
    this.#target.frame.updateMatrixWorld();
    standIn.getWorldPosition(this.#drag.position);
    return true;
  }

  /** Normal of the plane for tracking the pointer. */
  #planeNormal({ name, mode }: DrawnHandle, axis: Vector3): Vector3 {
    if (name === 'XYZ' || name === 'E') return eye.clone();
    if (mode === 'rotate' || name.length === 2) return Math.abs(axis.dot(eye)) < EDGE_ON ? eye.clone() : axis.clone();
    // The plane through the axis that faces the camera most.
    return other.copy(axis).cross(eye).cross(axis).normalize().clone();
  }

  /** Screen direction that rotates an edge-on ring. */
  #tangent({ mode, name }: DrawnHandle, axis: Vector3, from: Vector3): Vector2 | undefined {
    if (mode !== 'rotate' || name === 'E' || Math.abs(axis.dot(eye)) >= EDGE_ON) return undefined;
    const { camera } = this.#stage;
    const way = new Vector3().crossVectors(axis, eye).normalize();
    const a = from.clone().project(camera);
    const b = from
      .clone()
      .addScaledVector(way, this.object.scale.x * 0.1)
      .project(camera);
    const { clientWidth, clientHeight } = this.#stage.canvas;
    return new Vector2((b.x - a.x) * clientWidth, (a.y - b.y) * clientHeight).normalize();
  }

  move(event: PointerEvent): void {
    const drag = this.#drag;
    if (!drag) return;
    if (drag.handle.mode === 'scale') this.#size(drag, event);
    else {
      const to = rayThrough(this.#stage, event).intersectPlane(drag.plane, point);
      if (drag.handle.mode === 'rotate') this.#rotate(drag, event, to);
      else if (to) this.#translate(drag, to);
    }
    this.#events.changed();
  }

  #translate(drag: Drag, to: Vector3): void {
    const { name } = drag.handle;
    const offset = other.copy(to).sub(drag.from);
    const { translation } = snapGrid(this.#context);
    if (name.length === 1) {
      const start = drag.position.dot(drag.axis);
      let along = offset.dot(drag.axis);
      if (translation) along = Math.round((start + along) / translation) * translation - start;
      offset.copy(drag.axis).multiplyScalar(along);
    } else if (translation) {
      // Snap along each handle axis, so that off-grid elements join the grid.
      turn.copy(this.object.quaternion);
      const start = drag.position.clone().applyQuaternion(parentTurn.copy(turn).invert());
      offset.applyQuaternion(parentTurn);
      const moved = name === 'XYZ' ? (['x', 'y', 'z'] as const) : axesOf(name);
      for (const axis of ['x', 'y', 'z'] as const)
        offset[axis] = moved.includes(axis)
          ? Math.round((start[axis] + offset[axis]) / translation) * translation - start[axis]
          : 0;
      offset.applyQuaternion(turn);
    }
    this.moveTo(offset.add(drag.position));
  }

  /** Moves the target to a point in the room. */
  moveTo(to: Vector3): void {
    const { frame, standIn } = this.#target;
    standIn.position.copy(frame.worldToLocal(to));
  }

  #rotate(drag: Drag, event: PointerEvent, to: Vector3 | null): void {
    const { axis, from, position, tangent } = drag;
    let angle: number;
    if (tangent)
      angle =
        ((event.clientX - drag.at.x) * tangent.x + (event.clientY - drag.at.y) * tangent.y) /
        (SHAPE.ring * this.#reach.pixels());
    else {
      if (!to) return;
      const [a, b] = [from.clone().sub(position), to.clone().sub(position)];
      angle = Math.atan2(new Vector3().crossVectors(a, b).dot(axis), a.dot(b));
    }
    const { rotation } = snapGrid(this.#context);
    if (rotation) angle = Math.round(angle / rotation) * rotation;
    const { frame, standIn } = this.#target;
    frame.getWorldQuaternion(parentTurn).invert();
    turn.setFromAxisAngle(axis, angle).multiply(drag.quaternion);
    standIn.quaternion.copy(parentTurn).multiply(turn).normalize();
  }

  #size(drag: Drag, event: PointerEvent): void {
    const { handle, axis, from, position, scale } = drag;
    let by: number;
    if (handle.name === 'XYZ')
      by = 2 ** ((event.clientX - drag.at.x - (event.clientY - drag.at.y)) / PIXELS_PER_DOUBLING);
    else {
      const to = rayThrough(this.#stage, event).intersectPlane(drag.plane, point);
      const start = from.clone().sub(position).dot(axis);
      if (!to || start === 0) return;
      by = to.sub(position).dot(axis) / start;
    }
    for (const each of axesOf(handle.name)) this.#target.standIn.scale[each] = scaled(scale[each], by);
  }

  end(): void {
    this.release();
    this.#events.ended();
  }

  /** Releases the held handle. */
  release(): void {
    if (!this.#drag) return;
    this.#drag = undefined;
    this.#hovered = undefined;
    this.#stage.refresh();
  }

  dispose(): void {
    this.#stage.three.remove(this.object, this.#line);
    for (const { object, materials } of this.#handles) {
      object.traverse((node) => 'geometry' in node && (node.geometry as { dispose(): void }).dispose());
      for (const material of materials) material.dispose();
    }
    this.#line.geometry.dispose();
    this.#line.material.dispose();
  }
}

/** Minimum scale factor: a scale of 0 can't be inverted. */
const MIN_SCALE = 0.01;
const scaled = (from: number, by: number): number => {
  const to = from * by;
  return Math.abs(to) < MIN_SCALE ? MIN_SCALE * Math.sign(from || 1) : to;
};
