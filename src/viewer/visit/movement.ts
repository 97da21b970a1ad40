import type { Stage } from '../../../engine/stage/stage.ts';
import { readPoseLink } from '../address/pose-link.ts';
import { track } from '../reports/analytics.ts';
import type { VisitStore } from './visit-store.ts';

/** Takes the visitor to a view point, where the room has it. @param smooth whether the camera glides there */
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

/** Takes the visitor where the end of the page's address leads, if anywhere. */
export function goToLinkedPlace(stage: Stage | undefined, store: VisitStore, smooth: boolean): void {
  const link = readPoseLink(location.hash);
  if (!link) return;
  if ('viewPoint' in link) goToViewPoint(stage, store, link.viewPoint, smooth);
  else if (stage) {
    const { position: from, target } = link;
    const to = stage.rig.inside(from);
    // What it looks at moves along, so that it looks the same way.
    const seen = { x: target.x + to.x - from.x, y: target.y + to.y - from.y, z: target.z + to.z - from.z };
    stage.rig.moveTo(to, seen, undefined, smooth);
  }
  stage?.invalidate();
}
