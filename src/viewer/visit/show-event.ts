import type { Scene, SceneEvent } from '../../../engine/scene/scene.ts';
import { track } from '../reports/analytics.ts';
import { timedPopup } from './popups.ts';
import type { VisitStore } from './visit-store.ts';

/** Whether a room has audible elements. */
export const hasMedia = (scene: Scene): boolean =>
  scene.room.elements.some(({ id }) => {
    const entity = scene.entityOf(id);
    return entity !== undefined && scene.media(entity) !== undefined;
  });

/** Applies scene events to the overlay. */
export function showEvent(event: SceneEvent, scene: Scene, store: VisitStore): void {
  switch (event.type) {
    case 'media.fullpage':
      store.set({ fullPage: event.on ? event.element_id : null });
      break;
    case 'media.muted_fallback':
    case 'media.muted_fallback_cleared':
      store.set({ mutedFallback: event.type === 'media.muted_fallback' });
      break;
    case 'media.ended':
      track('media_end', { id: event.element_id, name: scene.elementOf(scene.entityOf(event.element_id)!)?.name });
      break;
    case 'timer':
      store.set({ timer: event.seconds });
      break;
    case 'popup.opened':
      store.showAfter(timedPopup(scene.room));
      break;
    case 'slider': {
      const element = scene.elementOf(scene.entityOf(event.slide)!);
      if (element) store.set({ slide: { element, index: event.index, count: event.count } });
      break;
    }
    case 'slider.closed':
      store.set({ slide: null });
      break;
    case 'fullscreen.off':
      if (document.fullscreenElement) void document.exitFullscreen();
      break;
    default:
  }
}
