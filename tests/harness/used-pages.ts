import type { Browser, BrowserContext, Page } from 'playwright';

/** A page in a browser window of its own. */
export interface OpenPage {
  context: BrowserContext;
  page: Page;
  /** Sizes and preferences that the window was opened with. */
  kind: string;
  /** Origins that it and its frames have shown. */
  origins: Set<string>;
}

/** A page that does nothing, on every server. */
const NOTHING = '/healthz';

/** Pages that tests have left, emptied, by the browser that has them; the latest last. */
const left = new WeakMap<Browser, OpenPage[]>();

/** Of them, as many stay for the tests of the next file. */
const FOR_NEXT = 6;

/**
 * Closes all that a test file left open, but for some emptied pages: the servers of a process stand at one address, one after the
 * other, so that what the browser has fetched and compiled serves them all.
 */
export async function closeContexts(browser: Browser): Promise<void> {
  const stay = (left.get(browser) ?? []).filter(({ page }) => !page.isClosed()).slice(-FOR_NEXT);
  left.set(browser, stay);
  const staying = new Set(stay.map(({ context }) => context));
  await Promise.all(browser.contexts().map((context) => (staying.has(context) ? null : context.close())));
}

/**
 * A page that an earlier test has left, as empty as a new one: it shows a room or a screen in a third of the time that a new
 * one needs, for its process has the scripts already.
 * @param kind of which window it has to be
 * @param origin that it has to stand at; any one unless given
 */
export function usedPage(browser: Browser, kind: string, origin?: string): OpenPage | undefined {
  const pages = left.get(browser)?.filter(({ page }) => !page.isClosed()) ?? [];
  const at = pages.findIndex((each) => each.kind === kind && (!origin || each.page.url().startsWith(`${origin}/`)));
  const [found] = at < 0 ? [] : pages.splice(at, 1);
  left.set(browser, pages);
  return found;
}

/** Keeps a page for the next test, without anything that was stored, opened or intercepted; closes it where that cannot be. */
export async function leavePage(open: OpenPage): Promise<void> {
  const { context, page, kind, origins } = open;
  const browser = context.browser();
  const size = (JSON.parse(kind) as { viewport: { width: number; height: number } }).viewport;
  if (!browser || page.isClosed() || !page.url().startsWith('http')) return context.close();
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  await context.unrouteAll({ behavior: 'ignoreErrors' });
  for (const other of context.pages()) if (other !== page) await other.close();
  await page.mouse.move(0, 0);
  await page.goto(new URL(NOTHING, page.url()).href);
  const session = await context.newCDPSession(page);
  for (const origin of origins) await session.send('Storage.clearDataForOrigin', { origin, storageTypes: 'all' });
  await session.send('Page.resetNavigationHistory');
  await session.detach();
  await page.evaluate(() => {
    localStorage.clear();
    sessionStorage.clear();
  });
  await context.clearCookies();
  await page.setViewportSize(size);
  left.set(browser, [...(left.get(browser) ?? []), open]);
}
