import { findElement, walk } from '../../../engine/document/tree.ts';
import type { Scene, SceneEvent } from '../../../engine/scene/scene.ts';
import { track } from '../reports/analytics.ts';
import { timedPopup } from './popups.ts';
import type { VisitStore } from './visit-store.ts';

/** Whether anything in a room can be heard. */
export const hasMedia = (scene: Scene): boolean =>
  [...walk(scene.room.elements)].some(({ id }) => {
    const entity = scene.entityOf(id);
    return entity !== undefined && scene.media(entity) !== undefined;
  });

/** Shows what a scene tells in the controls over the room. */
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
      track('media_end', { id: event.element_id, name: findElement(scene.room.elements, event.element_id)?.name });
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
