import type { Stage } from '../../engine/stage/stage.ts';
import { track } from './analytics.ts';
import { readPoseLink } from './pose-link.ts';
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
  else stage?.rig.moveTo(link.position, link.target, undefined, smooth);
  stage?.invalidate();
}
