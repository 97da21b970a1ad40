import type { Browser, BrowserContext, Page } from 'playwright';

/** A page in a browser window of its own. */
export interface OpenPage {
  context: BrowserContext;
  page: Page;
  /** Size and preferences of the window. */
  kind: string;
  /** Origins that it and its frames have shown. */
  origins: Set<string>;
}

/** A lightweight page that every server has. */
const NOTHING = '/healthz';

/** Reusable empty pages by browser, the latest last. */
const left = new WeakMap<Browser, OpenPage[]>();

/** Number of pages kept for the tests of the next file. */
const FOR_NEXT = 6;

/**
 * Closes all contexts that a test file left open, except for some reusable pages. All servers of a process use the same
 * origin, so that the browser's HTTP and code caches stay valid.
 */
export async function closeContexts(browser: Browser): Promise<void> {
  const stay = (left.get(browser) ?? []).filter(({ page }) => !page.isClosed()).slice(-FOR_NEXT);
  left.set(browser, stay);
  const staying = new Set(stay.map(({ context }) => context));
  await Promise.all(browser.contexts().map((context) => (staying.has(context) ? null : context.close())));
}

/**
 * A reusable page of an earlier test, as empty as a new one. It shows a room or a screen in a third of the time of a
 * new one, because its process already has the scripts.
 * @param kind required kind of window
 * @param origin required origin; any by default
 */
export function usedPage(browser: Browser, kind: string, origin?: string): OpenPage | undefined {
  const pages = left.get(browser)?.filter(({ page }) => !page.isClosed()) ?? [];
  const at = pages.findIndex((each) => each.kind === kind && (!origin || each.page.url().startsWith(`${origin}/`)));
  const [found] = at < 0 ? [] : pages.splice(at, 1);
  left.set(browser, pages);
  return found;
}

/** Keeps a page for the next test, without storage, windows or interceptors; closes it if that fails. */
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
