import type { Navigation } from '../../../engine/document/navigation.ts';
import { linkPathOf, safeUrl } from '../address/page-place.ts';
import { track } from '../reports/analytics.ts';
import type { Coming } from './movement.ts';
import type { Dialog } from './visit-store.ts';
import type { RoomArrival } from './way-in.ts';

/** Link actions of a visit. */
export interface LinkHost {
  /** Opens the room at a public path. */
  openRoom(path: string, arrival?: RoomArrival): void;
  goToViewPoint(id: number, coming?: Coming): void;
  /** Opens the room's first slider. */
  openSlider(): void;
  show(dialog: Dialog): void;
  /** Emits a custom event. */
  emitCustom(name: string): void;
}

/** Follows a link. URLs that are neither https nor same-origin are ignored. */
export function followLink(navigation: Navigation, host: LinkHost): void {
  switch (navigation.type) {
    case 'space':
    case 'slug':
      host.openRoom(linkPathOf(navigation), navigation.type_config.arrival);
      break;
    case 'url': {
      const url = safeUrl(navigation.type_config.url);
      if (url) open(url, '_blank', 'noopener,noreferrer');
      break;
    }
    case 'event':
      track(navigation.type_config.name);
      host.emitCustom(navigation.type_config.name);
      break;
    case 'view_point': {
      const { view_point_id, arrival } = navigation.type_config;
      if (view_point_id !== null) host.goToViewPoint(view_point_id, { arrival });
      break;
    }
    case 'slider':
      host.openSlider();
      break;
    case 'modal_content':
      host.show({ kind: 'content', title: navigation.type_config.title, html: navigation.type_config.content });
      break;
    case 'modal_url': {
      const url = safeUrl(navigation.type_config.url);
      if (url) host.show({ kind: 'frame', title: navigation.type_config.title, url });
      break;
    }
    case 'modal_static':
      host.show({ kind: 'static', name: navigation.type_config.name });
      break;
    case 'modal_share': {
      const { feed_id, success_message, reload_room } = navigation.type_config;
      if (feed_id !== null) host.show({ kind: 'share', feed_id, success_message, reload_room });
      break;
    }
    default:
  }
}
