import type { VisitedRoom } from '../visit/visit-data.ts';

declare global {
  interface Window {
    /** The analytics data layer used by tag managers. */
    dataLayer?: Record<string, unknown>[];
  }
}

/** Pushes an event to the data layer. */
export function track(event: string, data: Record<string, unknown> = {}): void {
  window.dataLayer ??= [];
  window.dataLayer.push({ event, ...data });
}

/** Reports a loaded room with its elements. */
export function trackRoom({ id, elements }: VisitedRoom): void {
  track('room_loaded', { room_id: id, elements: elements.map(({ id, element }) => ({ id, element })) });
}
