import type { Browser, Page } from 'playwright';
import type { Visitor } from './browser.ts';
import type { WebApp } from './web-app.ts';

/** A window with a user signed in to the back office. */
interface Window {
  visitor: Visitor;
  /** Rights of its user, size and colors. */
  kind: string;
  /** Initial entries of the browser's storage, by key. */
  kept: Record<string, string>;
  viewport: { width: number; height: number };
}

/** Reusable windows that show no screen, by server. */
const left = new WeakMap<WebApp, Window[]>();

/** A back office URL without a screen, and the text shown there. */
const NOWHERE = '/admin/nowhere';
export const NOTHING_THERE = 'This page does not exist';

/** Navigates within the back office without loading the page again. */
export const follow = (page: Page, path: string): Promise<void> =>
  page.evaluate((to) => {
    history.pushState(null, '', to);
    dispatchEvent(new PopStateEvent('popstate'));
  }, path);

/** Closes the notifications on a page of the back office. @returns whether all are closed within some frames */
export const closeMessages = (page: Page): Promise<boolean> =>
  page.evaluate(async () => {
    const crosses = () => [...document.querySelectorAll<HTMLElement>('.mantine-Notification-closeButton')];
    for (let frames = 0; frames < 60; frames++) {
      for (const cross of crosses()) cross.click();
      if (document.querySelector('.mantine-Notification-root') === null) return true;
      await new Promise(requestAnimationFrame);
    }
    return false;
  });

/** A reusable window of a kind: it shows a screen in a fraction of the time of a page load. */
export function leftWindow(app: WebApp, browser: Browser, kind: string): Window | undefined {
  const windows = left.get(app) ?? [];
  const at = windows.findIndex(
    (window) => window.kind === kind && window.visitor.context.browser() === browser && !window.visitor.page.isClosed(),
  );
  return at < 0 ? undefined : windows.splice(at, 1)[0];
}

/** Whether a URL is in the back office; the editor is a page of its own. */
const isOfOffice = (url: string, origin: string): boolean =>
  url.startsWith(`${origin}/admin`) && !/^\/admin\/editor/i.test(new URL(url).pathname);

/**
 * Navigates a window away from its screen, closes its notifications, and removes storage entries of the test.
 * @returns false if a dialog asks before leaving, or another page is shown
 */
async function isLedAway({ visitor, kept, viewport }: Window, origin: string): Promise<boolean> {
  const { page, context } = visitor;
  if (page.isClosed() || context.pages().length > 1 || !isOfOffice(page.url(), origin)) return false;
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  await context.unrouteAll({ behavior: 'ignoreErrors' });
  await page.setViewportSize(viewport);
  await page.mouse.move(0, 0);
  await follow(page, NOWHERE);
  const isAway = await page.evaluate(
    async ([values, nothing]) => {
      for (const [key, value] of Object.entries(values)) if (localStorage.getItem(key) !== value) return false;
      for (const key of Object.keys(localStorage)) if (!Object.hasOwn(values, key)) localStorage.removeItem(key);
      sessionStorage.clear();
      for (let frames = 0; frames < 60; frames++) {
        const isThere = document.querySelector('h1')?.textContent === nothing;
        const isCovered = document.querySelector('[role="dialog"]') !== null;
        if (isThere && !isCovered) return true;
        await new Promise(requestAnimationFrame);
      }
      return false;
    },
    [kept, NOTHING_THERE] as const,
  );
  return isAway && (await closeMessages(page)) && visitor.faults.splice(0).length === 0;
}

/** Leaves a window to the server's next test; a window that can't be reused is emptied instead. */
export async function leaveWindow(app: WebApp, window: Window): Promise<void> {
  if (await isLedAway(window, app.origin).catch(() => false)) left.set(app, [...(left.get(app) ?? []), window]);
  else await window.visitor.close();
}

/** Empties all windows of a server. */
export async function emptyWindows(app: WebApp): Promise<void> {
  const windows = left.get(app) ?? [];
  left.delete(app);
  for (const { visitor } of windows) await visitor.close();
}
