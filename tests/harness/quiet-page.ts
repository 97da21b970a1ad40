import type { Page, Request } from 'playwright';
import { expect } from 'vitest';

/** Requests of pages that have not been answered yet, and when the last one came or went. */
const pending = new WeakMap<Page, { requests: Set<Request>; changed: number }>();

/** Milliseconds that an answer may need to lead to another question, once the page has nothing to do. */
const QUIET = 40;

/** Counts what a page asks for, for `quiet`. */
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
  // What a page had asked for that was left is answered to nobody.
  page.on('framenavigated', (frame) => {
    if (frame !== page.mainFrame()) return;
    for (const request of state.requests) if (!request.isNavigationRequest()) state.requests.delete(request);
  });
}

/** Waits until a page has all that it asked for, and has drawn it. */
export async function quiet(page: Page): Promise<void> {
  const state = pending.get(page);
  if (!state) throw new Error('Nobody has counted what this page asks for.');
  await page.waitForLoadState('load');
  for (let changed = -1; changed !== state.changed || state.requests.size > 0; ) {
    await expect.poll(() => state.requests.size, { timeout: 60_000, interval: 10 }).toBe(0);
    changed = state.changed;
    // A page that is still at work may ask for more.
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
