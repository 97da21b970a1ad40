import type { Page, Request } from 'playwright';
import { expect } from 'vitest';

/** Pending requests of pages, and the time of the last change. */
const pending = new WeakMap<Page, { requests: Set<Request>; changed: number }>();

/** Milliseconds for a response to cause another request, once the page is idle. */
const QUIET = 40;

/** Tracks a page's requests for `quiet`. */
export function countRequests(page: Page): void {
  const state = { requests: new Set<Request>(), changed: performance.now() };
  pending.set(page, state);
  page.on('request', (request) => {
    state.requests.add(request);
    state.changed = performance.now();
  });
  const end = (request: Request) => {
    state.requests.delete(request);
    state.changed = performance.now();
  };
  page.on('requestfinished', end);
  page.on('requestfailed', end);
  // Requests of the previous document get no response event.
  page.on('framenavigated', (frame) => {
    if (frame !== page.mainFrame()) return;
    for (const request of state.requests) if (!request.isNavigationRequest()) state.requests.delete(request);
  });
}

/** Waits until a page has no pending requests, and has rendered. */
export async function quiet(page: Page): Promise<void> {
  const state = pending.get(page);
  if (!state) throw new Error('Nobody has counted what this page asks for.');
  await page.waitForLoadState('load');
  for (let changed = -1; changed !== state.changed || state.requests.size > 0; ) {
    await expect.poll(() => state.requests.size, { timeout: 60_000, interval: 10 }).toBe(0);
    changed = state.changed;
    // A busy page may still send requests.
    await page.evaluate(
      (quiet) =>
        new Promise((resolve) => {
          const idle = () => requestIdleCallback(resolve, { timeout: 2000 });
          setTimeout(() => requestAnimationFrame(idle), quiet);
        }),
      QUIET,
    );
  }
}
