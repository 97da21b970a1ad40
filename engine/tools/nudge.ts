import { type Camera, type Object3D, Quaternion, Vector3 } from 'three';
import type { ArrowKey, Axis, TransformContext, TransformMode } from '../machines/transform.ts';

/** Smallest size factor: at 0 an element would have no inside and outside any more. */
const LEAST_SCALE = 0.01;

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

/** Adds to an object's size along axes; never through nothing to the other side. */
function grow(object: Object3D, axes: readonly Axis[], amount: number): void {
  for (const axis of axes) {
    const size = object.scale[axis];
    object.scale[axis] = Math.sign(size || 1) * Math.max(LEAST_SCALE, Math.abs(size) + amount);
  }
}

/** Moves an object along an axis of its own or of the room, units of the room. */
function shift(object: Object3D, space: Space, axis: Vector3, amount: number): void {
  along.copy(axis);
  object.parent?.getWorldQuaternion(turnOfParent);
  object.parent?.getWorldScale(scaleOfParent);
  if (space === 'local') along.applyQuaternion(object.quaternion);
  else if (object.parent) along.applyQuaternion(turnOfParent.invert());
  if (object.parent) along.divide(scaleOfParent);
  object.position.addScaledVector(along, amount);
}

/** Turns an object around an axis of its own or of the room, radians. */
function rotate(object: Object3D, space: Space, axis: Vector3, amount: number): void {
  along.copy(axis);
  if (space === 'local') {
    object.quaternion.multiply(turn.setFromAxisAngle(along, amount)).normalize();
    return;
  }
  if (object.parent) along.applyQuaternion(object.parent.getWorldQuaternion(turnOfParent).invert());
  object.quaternion.premultiply(turn.setFromAxisAngle(along, amount)).normalize();
}

/** What an arrow key does: the axes that it may mean, the first enabled one counts, and the way along it. */
const MOVES: Readonly<Record<ArrowKey, readonly [Axis, 1 | -1][]>> = {
  ArrowRight: [
    ['x', 1],
    ['z', 1],
  ],
  ArrowLeft: [
    ['x', -1],
    ['z', -1],
  ],
  // Away from the viewer is down the z axis.
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

/** How an object is transformed at the moment. */
export interface Nudging {
  mode: TransformMode;
  space: Space;
  axes: Axes;
}

/**
 * Moves, turns or sizes an object by one step of an arrow key. Left and right follow x, up and down follow y while
 * moving; turning is around y and x; where an axis is off, z stands in. Right and up make larger.
 * @param amount units, radians, or share of the size
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
 * Moves, turns or sizes an object by one turn of the wheel over a handle.
 * @param handle name of the handle: its axes in capitals; E and XYZE turn around the line of sight
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
