import { walk } from '../../../engine/document/tree.ts';
import type { PublicRoom } from '../../contract/entities.ts';

declare global {
  interface Window {
    /** The analytics data layer, as tag managers read it. */
    dataLayer?: Record<string, unknown>[];
  }
}

/** Gives an event to the page's analytics data layer. */
export function track(event: string, data: Record<string, unknown> = {}): void {
  window.dataLayer ??= [];
  window.dataLayer.push({ event, ...data });
}

/** Says that a room has loaded, and what is in it. */
export function trackRoom({ id, elements }: PublicRoom): void {
  track('room_loaded', { room_id: id, elements: [...walk(elements)].map(({ id, element }) => ({ id, element })) });
}
