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
