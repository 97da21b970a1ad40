import { type Camera, type Object3D, Quaternion, Vector3 } from 'three';
import type { ArrowKey, Axis, TransformContext, TransformMode } from '../../machines/transform.ts';

/** Minimum scale factor: a scale of 0 can't be inverted. */
const MIN_SCALE = 0.01;

const AXES: readonly Axis[] = ['x', 'y', 'z'];
const UNIT: Readonly<Record<Axis, Vector3>> = {
  x: new Vector3(1, 0, 0),
  y: new Vector3(0, 1, 0),
  z: new Vector3(0, 0, 1),
};

type Axes = TransformContext['axes'];
type Space = TransformContext['space'];

const turnOfParent = new Quaternion();
const scaleOfParent = new Vector3();
const along = new Vector3();
const turn = new Quaternion();

/** Scales an object along axes by an amount, without changing the sign. */
function grow(object: Object3D, axes: readonly Axis[], amount: number): void {
  for (const axis of axes) {
    const size = object.scale[axis];
    object.scale[axis] = Math.sign(size || 1) * Math.max(MIN_SCALE, Math.abs(size) + amount);
  }
}

/** Moves an object along an axis of its own or of the room, in room units. */
function shift(object: Object3D, space: Space, axis: Vector3, amount: number): void {
  along.copy(axis);
  object.parent?.getWorldQuaternion(turnOfParent);
  object.parent?.getWorldScale(scaleOfParent);
  if (space === 'local') along.applyQuaternion(object.quaternion);
  else if (object.parent) along.applyQuaternion(turnOfParent.invert());
  if (object.parent) along.divide(scaleOfParent);
  object.position.addScaledVector(along, amount);
}

/** Rotates an object around an axis of its own or of the room, in radians. */
function rotate(object: Object3D, space: Space, axis: Vector3, amount: number): void {
  along.copy(axis);
  if (space === 'local') {
    object.quaternion.multiply(turn.setFromAxisAngle(along, amount)).normalize();
    return;
  }
  if (object.parent) along.applyQuaternion(object.parent.getWorldQuaternion(turnOfParent).invert());
  object.quaternion.premultiply(turn.setFromAxisAngle(along, amount)).normalize();
}

/** Axes and directions per arrow key; the first enabled axis is used. */
const MOVES: Readonly<Record<ArrowKey, readonly [Axis, 1 | -1][]>> = {
  ArrowRight: [
    ['x', 1],
    ['z', 1],
  ],
  ArrowLeft: [
    ['x', -1],
    ['z', -1],
  ],
  // Away from the viewer is along −z.
  ArrowUp: [
    ['y', 1],
    ['z', -1],
  ],
  ArrowDown: [
    ['y', -1],
    ['z', 1],
  ],
};
const TURNS: Readonly<Record<ArrowKey, readonly [Axis, 1 | -1][]>> = {
  ArrowRight: [
    ['y', 1],
    ['z', -1],
  ],
  ArrowLeft: [
    ['y', -1],
    ['z', 1],
  ],
  ArrowUp: [
    ['x', -1],
    ['z', 1],
  ],
  ArrowDown: [
    ['x', 1],
    ['z', -1],
  ],
};

/** Transform settings of a nudge. */
export interface Nudging {
  mode: TransformMode;
  space: Space;
  axes: Axes;
}

/**
 * Moves, rotates or scales an object by one step of an arrow key. When moving, left/right use x and up/down use y; when
 * rotating, y and x; z replaces a disabled axis. Right and up enlarge.
 * @param amount units, radians, or fraction of the size
 */
export function nudgeByKey(object: Object3D, { mode, space, axes }: Nudging, key: ArrowKey, amount: number): void {
  if (mode === 'scale') {
    const grows = key === 'ArrowRight' || key === 'ArrowUp';
    const enabled = AXES.filter((axis) => axes[axis]);
    grow(object, enabled, grows ? amount : -amount);
    return;
  }
  const found = (mode === 'translate' ? MOVES : TURNS)[key].find(([axis]) => axes[axis]);
  if (!found) return;
  const [axis, way] = found;
  (mode === 'translate' ? shift : rotate)(object, space, UNIT[axis], way * amount);
}

/**
 * Moves, rotates or scales an object by one wheel step over a handle.
 * @param handle name of the handle: its axes in capitals; E and XYZE rotate around the line of sight
 */
export function nudgeByHandle(
  object: Object3D,
  { mode, space }: Omit<Nudging, 'axes'>,
  handle: string,
  amount: number,
  camera: Camera,
): void {
  if (mode === 'rotate' && handle.includes('E')) {
    rotate(object, 'world', camera.getWorldDirection(new Vector3()).negate(), amount);
    return;
  }
  const axes = AXES.filter((axis) => handle.includes(axis.toUpperCase()));
  if (mode === 'scale') grow(object, axes, amount);
  else for (const axis of axes) (mode === 'translate' ? shift : rotate)(object, space, UNIT[axis], amount);
}
