import type { Browser, Locator, Page } from 'playwright';
import { type Longest, scroll } from './back-office.ts';
import { workOf } from './trace.ts';

/** Access tokens per page. */
const PAGE = 100;

/** An empty page. */
async function open(browser: Browser): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  const page = await context.newPage();
  await page.setContent('<!doctype html><style>li{height:40px}</style><ul></ul>');
  return page;
}

/** Shows a row per name, all of them immediately. */
const fill = (page: Page, names: readonly string[]) =>
  page.evaluate((texts) => {
    const rows = texts.map((text) => {
      const row = document.createElement('li');
      row.textContent = text;
      return row;
    });
    document.querySelector('ul')!.replaceChildren(...rows);
  }, names);

const row = (page: Page, name: string): Locator => page.getByText(name, { exact: true });

/**
 * The same lists in a minimal page: all rows are in the document, a search hides the others, and renaming saves
 * nothing.
 */
export async function measurePlainLists(browser: Browser, long: number): Promise<Longest> {
  const page = await open(browser);
  const last = long - 2;
  const names = Array.from({ length: long }, (_, index) => `Row ${index}`);
  await page.mouse.move(600, 400);
  const listOpened = await workOf(page, async () => {
    await fill(page, names);
    await row(page, 'Row 0').waitFor();
  });
  const listScrolled = await workOf(page, async () => {
    await scroll(page, 40);
    await page.waitForFunction(() => document.scrollingElement!.scrollTop > 12_000);
  });
  const searched = await workOf(page, async () => {
    await page.evaluate((last) => {
      for (const one of document.querySelectorAll('li')) one.hidden = one.textContent !== `Row ${last}`;
    }, last);
    await row(page, 'Row 0').waitFor({ state: 'hidden' });
  });
  const renamed = await workOf(page, async () => {
    await page.evaluate((at) => {
      document.querySelectorAll('li')[at]!.textContent = 'Renamed';
    }, last);
    await row(page, 'Renamed').waitFor();
  });
  await fill(page, []);
  await row(page, 'Renamed').waitFor({ state: 'detached' });
  const pageOpened = await workOf(page, async () => {
    await fill(page, names.slice(0, PAGE));
    await row(page, 'Row 0').waitFor();
  });
  const pageScrolled = await workOf(page, async () => {
    await scroll(page, 12);
    await page.waitForFunction(() => document.scrollingElement!.scrollTop > 2000);
  });
  await page.context().close();
  return {
    'list opened': listOpened.longest,
    'list scrolled': listScrolled.longest,
    'page opened': pageOpened.longest,
    'page scrolled': pageScrolled.longest,
    'tree scrolled': listScrolled.longest,
    'tree searched': searched.longest,
    renamed: renamed.longest,
  };
}
