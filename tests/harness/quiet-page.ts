import type { Page, Request } from 'playwright';
import { expect } from 'vitest';

/** Requests of pages that have not been answered yet, and when the last one came or went. */
const pending = new WeakMap<Page, { requests: Set<Request>; changed: number }>();

/** Milliseconds without a request after which none follows from what has come. */
const QUIET = 60;

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
  const isQuiet = () => state.requests.size === 0 && performance.now() - state.changed > QUIET;
  await expect.poll(isQuiet, { timeout: 60_000, interval: 10 }).toBe(true);
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
}
