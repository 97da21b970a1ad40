import type { Vector } from '../../document/fields.ts';

/** Camera position, orientation and projection. Lengths in room units; the camera looks along its local −z. */
export interface CameraPose {
  position: Vector;
  quaternion: { x: number; y: number; z: number; w: number };
  /** Vertical field of view in degrees. */
  fov: number;
  /** Width divided by height. */
  aspect: number;
  near: number;
  far: number;
}

/** A pose prepared for visibility tests: a copy of its numbers, its axes and the slopes of its frustum. */
export interface CameraView {
  /** The pose's eleven numbers, for detecting changes. */
  readonly pose: Float64Array;
  x: number;
  y: number;
  z: number;
  /** Right, up and forward, three numbers each. */
  readonly axes: Float64Array;
  /** Sine and cosine of half the horizontal, then of half the vertical field of view. */
  readonly slopes: Float64Array;
  near: number;
  far: number;
  /** Total distance in units that the camera has traveled. */
  traveled: number;
}

/** A view that differs from every pose, so that the first pose counts as a change. */
export function createCameraView(): CameraView {
  return {
    pose: new Float64Array(11).fill(Number.NaN),
    x: 0,
    y: 0,
    z: 0,
    axes: new Float64Array(9),
    slopes: new Float64Array(4),
    near: 0,
    far: 0,
    traveled: 0,
  };
}

/**
 * Updates the view from a pose.
 * @returns whether the pose changed
 */
export function readPose(view: CameraView, pose: CameraPose): boolean {
  const { position: p, quaternion: q } = pose;
  const was = view.pose;
  if (
    was[0] === p.x &&
    was[1] === p.y &&
    was[2] === p.z &&
    was[3] === q.x &&
    was[4] === q.y &&
    was[5] === q.z &&
    was[6] === q.w &&
    was[7] === pose.fov &&
    was[8] === pose.aspect &&
    was[9] === pose.near &&
    was[10] === pose.far
  )
    return false;
  const turned =
    was[3] !== q.x ||
    was[4] !== q.y ||
    was[5] !== q.z ||
    was[6] !== q.w ||
    was[7] !== pose.fov ||
    was[8] !== pose.aspect ||
    was[9] !== pose.near ||
    was[10] !== pose.far;
  const dx = p.x - was[0]!;
  const dy = p.y - was[1]!;
  const dz = p.z - was[2]!;
  const way = Math.sqrt(dx * dx + dy * dy + dz * dz);
  // NaN for the first pose.
  if (way > 0) view.traveled += way;
  was[0] = view.x = p.x;
  was[1] = view.y = p.y;
  was[2] = view.z = p.z;
  if (turned) readLens(view, pose);
  return true;
}

function readLens(view: CameraView, { quaternion, fov, aspect, near, far }: CameraPose): void {
  const { x, y, z, w } = quaternion;
  view.pose.set([x, y, z, w, fov, aspect, near, far], 3);
  view.axes.set([
    1 - 2 * (y * y + z * z),
    2 * (x * y + w * z),
    2 * (x * z - w * y),
    2 * (x * y - w * z),
    1 - 2 * (x * x + z * z),
    2 * (y * z + w * x),
    -2 * (x * z + w * y),
    -2 * (y * z - w * x),
    -(1 - 2 * (x * x + y * y)),
  ]);
  const vertical = (fov * Math.PI) / 360;
  const horizontal = Math.atan(Math.tan(vertical) * aspect);
  view.slopes.set([Math.sin(horizontal), Math.cos(horizontal), Math.sin(vertical), Math.cos(vertical)]);
  view.near = near;
  view.far = far;
}
