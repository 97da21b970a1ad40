import { type Object3D, type Vector2, Vector3 } from 'three';
import type { Stage } from '../../stage/stage.ts';
import { seenAt, towardsEye, unitsHigh } from '../marks/screen.ts';
import { axesOf, type DrawnHandle, SHAPE, UNITS } from './gizmo-shape.ts';

const point = new Vector3();
const other = new Vector3();
const eye = new Vector3();

/** Distance in pixels between a point and a line segment from a to b. */
function toSegment(p: Vector2, a: Vector2, b: Vector2): number {
  const [abx, aby, apx, apy] = [b.x - a.x, b.y - a.y, p.x - a.x, p.y - a.y];
  const length = abx * abx + aby * aby;
  const t = length === 0 ? 0 : Math.min(1, Math.max(0, (apx * abx + apy * aby) / length));
  return Math.hypot(apx - t * abx, apy - t * aby);
}

function isInside({ x, y }: Vector2, corners: readonly Vector2[]): boolean {
  let inside = false;
  for (let i = 0, j = corners.length - 1; i < corners.length; j = i++) {
    const [a, b] = [corners[i]!, corners[j]!];
    if (a.y > y !== b.y > y && x < ((b.x - a.x) * (y - a.y)) / (b.y - a.y) + a.x) inside = !inside;
  }
  return inside;
}

/** Measures distances between handles and the pointer in screen pixels. */
export class GizmoReach {
  readonly #stage: Stage;
  readonly #gizmo: Object3D;

  /** @param gizmo parent of all handles, with the gizmo's transform */
  constructor(stage: Stage, gizmo: Object3D) {
    this.#stage = stage;
    this.#gizmo = gizmo;
  }

  /** Projects a point of the gizmo to page pixels. */
  #seen(x: number, y: number, z: number): Vector2 {
    point
      .set(x, y, z)
      .applyQuaternion(this.#gizmo.quaternion)
      .multiplyScalar(this.#gizmo.scale.x)
      .add(this.#gizmo.position);
    return seenAt(this.#stage, point);
  }

  /** Distance between a handle and the pointer in pixels; −1 if the handle has priority over all others. */
  distance(handle: DrawnHandle, pointer: Vector2): number {
    const { name, mode } = handle;
    if (name === 'XYZ') {
      const side = this.#seen(0, 0, 0).distanceTo(pointer) - SHAPE.middle * this.pixels();
      return side <= 0 ? -1 : side;
    }
    if (mode === 'rotate') return this.#toRing(handle, pointer);
    const axes = axesOf(name);
    if (axes.length === 1) {
      const [from, to] = mode === 'scale' ? [SHAPE.arrow[0], SHAPE.arm + 0.03] : SHAPE.arrow;
      const { x, y, z } = UNITS[axes[0]!];
      return toSegment(pointer, this.#seen(x * from, y * from, z * from), this.#seen(x * to, y * to, z * to));
    }
    // A square is hit only inside, so that arrows can be closer outside of it.
    const [from, to] = SHAPE.square;
    const [a, b] = [UNITS[axes[0]!], UNITS[axes[1]!]];
    const corners = (
      [
        [from, from],
        [to, from],
        [to, to],
        [from, to],
      ] as const
    ).map(([u, v]) => this.#seen(a.x * u + b.x * v, a.y * u + b.y * v, a.z * u + b.z * v));
    return isInside(pointer, corners) ? 0 : Number.POSITIVE_INFINITY;
  }

  /** Pixels per gizmo unit. */
  pixels(): number {
    const { position, scale } = this.#gizmo;
    return (scale.x / (unitsHigh(this.#stage, position) || 1)) * this.#stage.canvas.clientHeight;
  }

  #toRing(handle: DrawnHandle, pointer: Vector2): number {
    const { name } = handle;
    towardsEye(this.#stage, this.#gizmo.position, eye);
    if (name === 'E') return Math.abs(this.#seen(0, 0, 0).distanceTo(pointer) - SHAPE.outerRing * this.pixels());
    const [u, v] = (['x', 'y', 'z'] as const).filter((axis) => axis !== axesOf(name)[0]).map((axis) => UNITS[axis]);
    const isWhole = handle.full?.visible === true;
    let nearest = Number.POSITIVE_INFINITY;
    let before: Vector2 | undefined;
    for (let step = 0; step <= 48; step++) {
      const angle = (step / 48) * 2 * Math.PI;
      const [c, s] = [Math.cos(angle) * SHAPE.ring, Math.sin(angle) * SHAPE.ring];
      other.set(u!.x * c + v!.x * s, u!.y * c + v!.y * s, u!.z * c + v!.z * s);
      const isFront = isWhole || point.copy(other).applyQuaternion(this.#gizmo.quaternion).dot(eye) > -0.02;
      const seen = isFront ? this.#seen(other.x, other.y, other.z) : undefined;
      if (seen && before) nearest = Math.min(nearest, toSegment(pointer, before, seen));
      before = seen;
    }
    return nearest;
  }
}
