import type { Browser, Page } from 'playwright';
import type { Visitor } from './browser.ts';
import type { WebApp } from './web-app.ts';

/** A window in which somebody is signed in to the back-office. */
interface Window {
  visitor: Visitor;
  /** Rights of its user, sizes and colors. */
  kind: string;
  /** What the browser keeps for it from the beginning, by key. */
  kept: Record<string, string>;
  viewport: { width: number; height: number };
}

/** Windows that tests have left at no screen, by the server whose pages they show. */
const left = new WeakMap<WebApp, Window[]>();

/** An address of the back-office without a screen, and what stands there. */
const NOWHERE = '/admin/nowhere';
export const NOTHING_THERE = 'This page does not exist';

/** Leads a window of the back-office to another of its addresses as a link there does: the page is not loaded again. */
export const follow = (page: Page, path: string): Promise<void> =>
  page.evaluate((to) => {
    history.pushState(null, '', to);
    dispatchEvent(new PopStateEvent('popstate'));
  }, path);

/** Closes the messages that a page of the back-office shows. @returns whether none is left, some frames later at most */
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

/** A window of a kind that an earlier test has left: it shows a screen in a fraction of the time that loading the page takes. */
export function leftWindow(app: WebApp, browser: Browser, kind: string): Window | undefined {
  const windows = left.get(app) ?? [];
  const at = windows.findIndex(
    (window) => window.kind === kind && window.visitor.context.browser() === browser && !window.visitor.page.isClosed(),
  );
  return at < 0 ? undefined : windows.splice(at, 1)[0];
}

/** Whether an address is one of the back-office; the editor is a page of its own. */
const isOfOffice = (url: string, origin: string): boolean =>
  url.startsWith(`${origin}/admin`) && !/^\/admin\/editor/i.test(new URL(url).pathname);

/**
 * Leads a window away from its screen, closes the messages in it and removes what the browser has kept since.
 * @returns whether that went: not where something asks before it is left, or another page is shown
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

/** Leaves a window to the next test of the server; one that cannot be led away is emptied instead. */
export async function leaveWindow(app: WebApp, window: Window): Promise<void> {
  if (await isLedAway(window, app.origin).catch(() => false)) left.set(app, [...(left.get(app) ?? []), window]);
  else await window.visitor.close();
}

/** Empties all windows that show pages of a server. */
export async function emptyWindows(app: WebApp): Promise<void> {
  const windows = left.get(app) ?? [];
  left.delete(app);
  for (const { visitor } of windows) await visitor.close();
}
