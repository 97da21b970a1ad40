import type { Stage } from '../../../engine/stage/stage.ts';
import { readPoseLink } from '../address/page-place.ts';
import { track } from '../reports/analytics.ts';
import type { VisitStore } from './visit-store.ts';

/** Moves to a view point of the room. @param smooth whether the camera glides */
export function goToViewPoint(stage: Stage | undefined, store: VisitStore, id: number, smooth: boolean): void {
  const viewPoint = store.get().viewPoints.find((candidate) => candidate.id === id);
  const entity = stage?.scene.entityOf(id);
  if (!stage || !viewPoint || entity === undefined) return;
  const matrix = new Float32Array(16);
  stage.scene.worldMatrix(entity, matrix);
  const position = { x: matrix[12]!, y: matrix[13]!, z: matrix[14]! };
  const { target_position, damping_factor, name } = viewPoint.config;
  stage.rig.moveTo(position, target_position, damping_factor, smooth);
  stage.invalidate();
  store.set({ viewPoint: id });
  track('view_point', { id, name });
}

/** Applies a deep link, if any. */
export function goToLinkedPlace(stage: Stage | undefined, store: VisitStore, smooth: boolean): void {
  const link = readPoseLink(location.hash);
  if (!link) return;
  if ('viewPoint' in link) goToViewPoint(stage, store, link.viewPoint, smooth);
  else if (stage) {
    const { position: from, target } = link;
    const to = stage.rig.inside(from);
    // Move the target along to keep the view direction.
    const seen = { x: target.x + to.x - from.x, y: target.y + to.y - from.y, z: target.z + to.z - from.z };
    stage.rig.moveTo(to, seen, undefined, smooth);
  }
  stage?.invalidate();
}
