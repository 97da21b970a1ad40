import type { Element } from '../../../engine/document/element.ts';
import type { Room } from '../../../engine/document/room.ts';
import type { Scene, SceneEvent } from '../../../engine/scene/scene.ts';
import { track } from '../reports/analytics.ts';
import type { Dialog, VisitStore } from './visit-store.ts';

/** The start pop-up; null if the room has none. */
export const startPopup = ({ config, title, description }: Room): Dialog | null =>
  config.show_start_popup && description.trim() !== '' ? { kind: 'content', title, html: description } : null;

/** The pop-up of the timed sequence. */
function timedPopup({ config }: Room): Dialog {
  const { timed_popup_text: html, timed_popup_action_required: required } = config;
  const links = [config.timed_popup_action_left, config.timed_popup_action_center, config.timed_popup_action_right];
  return { kind: 'content', title: '', html, required, isTimed: true, actions: links.filter((link) => link !== null) };
}

/** Id of a room's first slider, if any. */
export const firstSlider = (elements: readonly Element[]): number | undefined =>
  elements.find(({ element, config }) => element === 'group' && config.slider_enabled)?.id;

/** Whether a room has audible elements, or a 360° video around visitors. */
export function hasMedia(scene: Scene): boolean {
  const { elements, template } = scene.room;
  if (template?.video_file || template?.config?.video_url) return true;
  return elements.some(({ id }) => {
    const entity = scene.entityOf(id);
    return entity !== undefined && scene.media(entity) !== undefined;
  });
}

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
    case 'view_point': {
      const { element_id: id } = event;
      const element = scene.elementOf(scene.entityOf(id)!);
      track('view_point', { id, name: element?.element === 'view_point' ? element.config.name : '' });
      break;
    }
    case 'place.changed':
      store.set({ viewPoint: event.element_id });
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
