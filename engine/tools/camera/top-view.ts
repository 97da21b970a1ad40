import { PerspectiveCamera } from 'three';
import type { PlanFrame } from '../../document/plan-edits.ts';
import type { Stage } from '../../stage/stage.ts';

/** Distance in units of the camera above the highest and below the lowest point of the room. */
const GAP = 100;

/**
 * Draws a part of the room from above, without perspective, −z up.
 * @param width in pixels; at most that of the canvas
 * @returns null while the stage can't draw
 */
export function drawTopView(stage: Stage, frame: PlanFrame, width: number): Promise<HTMLCanvasElement | null> {
  const { left, top, width: across, depth } = frame;
  const { height } = stage.scene.room;
  const camera = new PerspectiveCamera();
  Object.assign(camera, { isPerspectiveCamera: false, isOrthographicCamera: true });
  const [near, far] = [1, height + 2 * GAP];
  camera.projectionMatrix.makeOrthographic(-across / 2, across / 2, depth / 2, -depth / 2, near, far);
  camera.projectionMatrixInverse.copy(camera.projectionMatrix).invert();
  camera.position.set(left + across / 2, height / 2 + GAP, top + depth / 2);
  camera.rotateX(-Math.PI / 2);
  camera.updateMatrixWorld();
  return stage.pictureFrom(camera, width, Math.max(1, Math.round((width * depth) / across)));
}
