import { placePanorama } from '../../../engine/document/places.ts';
import type { Arrival } from '../../../engine/scene/visitor-input.ts';
import { readPoseLink } from '../address/page-place.ts';
import { sayAny } from '../texts/say.ts';
import type { VisitStore } from './visit-store.ts';
import type { WalkedStage } from './way-in.ts';

/** How a visitor arrives at a view point. */
export interface Coming {
  /** The view on arrival; omitted for the view point's own. */
  arrival?: Arrival;
  /** Whether to skip the transition. */
  at_once?: boolean;
}

/** Loads the views on arrival. */
export const loadArrivals = () => import('./arrive-in-room.ts');

/** Moves to a view point of the room; the scene decides whether it is open. */
export function goToViewPoint(
  stage: WalkedStage | undefined,
  store: VisitStore,
  id: number,
  coming: Coming = {},
): void {
  const entity = stage?.scene.entityOf(id);
  if (!stage || entity === undefined) return;
  // Before the first tick, visibility isn't known yet.
  if (stage.frames > 0 && !stage.scene.isVisible(entity)) {
    store.set({ notification: { text: sayAny('placeClosed'), lasts: false } });
    return;
  }
  stage.send({ type: 'go_to', element_id: id, ...coming });
}

/** Applies a deep link, if any. */
export function goToLinkedPlace(stage: WalkedStage | undefined, store: VisitStore, smooth: boolean): void {
  const link = readPoseLink(location.hash);
  if (!link || !stage) return;
  if ('viewPoint' in link) {
    const { viewPoint, view } = link;
    goToViewPoint(stage, store, viewPoint, { ...(view && { arrival: view }), ...(!smooth && { at_once: true }) });
  } else {
    const { position: from, target } = link;
    const { room, place } = stage.scene;
    if (placePanorama(room, place)?.position) {
      // In a panorama, only the direction can be followed.
      void loadArrivals().then(({ lookAlong }) => lookAlong(stage, link));
      return;
    }
    const to = stage.rig.inside(from);
    // Move the target along to keep the view direction.
    const seen = { x: target.x + to.x - from.x, y: target.y + to.y - from.y, z: target.z + to.z - from.z };
    stage.rig.moveTo(to, seen, undefined, smooth);
  }
  stage.invalidate();
}
