import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright';
import { inject } from 'vitest';
import { launchForTests } from './chromium.ts';
import { countRequests } from './quiet-page.ts';
import { leavePage, type OpenPage, usedPage } from './used-pages.ts';

/** `quick`: the fastest browser. `exact`: full Chromium, which renders identically on every machine. */
export type BrowserKind = 'quick' | 'exact';

const started: Partial<Record<BrowserKind, Promise<Browser>>> = {};

const launch = (kind: BrowserKind): Promise<Browser> =>
  kind === 'quick'
    ? launchForTests(inject('shell'), inject('drawing'))
    : launchForTests(inject('chromium'), 'swiftshader');

/**
 * The browser shared by all test files of a process, closed with the process. Each file closes its pages with
 * `closeContexts` of `used-pages.ts` in `afterAll`.
 */
export async function sharedBrowser(kind: BrowserKind = 'quick'): Promise<Browser> {
  // A browser that crashed in one file must not fail the next.
  if (!(await started[kind])?.isConnected()) started[kind] = launch(kind);
  return started[kind]!;
}

/** Milliseconds that an action on a page may take on a slow machine. */
const PATIENCE = 60_000;

/** Device pixels per CSS pixel for rooms rendered in software whose pixels are not inspected. */
export const BLUNT = 0.25;
/** Options of a window whose pixels a test inspects. */
export const LOOKED_AT = { deviceScaleFactor: 1 };

/** A page in a context of its own, with its errors. */
export interface Visitor {
  context: BrowserContext;
  page: Page;
  /** Errors and failed requests, as text. */
  faults: string[];
  /**
   * Empties the page and leaves it to the next test. Pages with a clock, scripts or colors of a test, and offline
   * pages, are closed with `context.close()` instead.
   */
  close(): Promise<void>;
}

interface VisitorOptions extends Omit<BrowserContextOptions, 'storageState'> {
  /** Entries of the browser's storage by key, and their origin. */
  kept?: { origin: string; entries: Record<string, string> };
  /** Whether the context must have an empty cache, without requests of earlier tests. */
  isNew?: boolean;
}

async function newPage(
  browser: Browser,
  { kept, ...options }: Omit<VisitorOptions, 'isNew'>,
  kind: string,
): Promise<OpenPage> {
  const localStorage = Object.entries(kept?.entries ?? {}).map(([name, value]) => ({ name, value }));
  const storageState = { cookies: [], origins: kept ? [{ origin: kept.origin, localStorage }] : [] };
  const context = await browser.newContext({ ...options, storageState });
  context.setDefaultTimeout(PATIENCE);
  const page = await context.newPage();
  countRequests(page);
  const origins = new Set<string>();
  page.on('framenavigated', (frame) => {
    if (frame.url().startsWith('http')) origins.add(new URL(frame.url()).origin);
  });
  return { context, page, kind, origins };
}

/** Opens an empty page and records its errors. */
export async function newVisitor(
  browser: Browser,
  { kept, isNew = false, ...rest }: VisitorOptions = {},
): Promise<Visitor> {
  const options = { viewport: { width: 640, height: 400 }, deviceScaleFactor: BLUNT, ...rest };
  const kind = JSON.stringify(options);
  const used = isNew ? undefined : usedPage(browser, kind, kept?.origin);
  if (used && kept)
    await used.page.evaluate((entries) => {
      for (const [key, value] of Object.entries(entries)) localStorage.setItem(key, value);
    }, kept.entries);
  const opened = used ?? (await newPage(browser, { ...options, kept }, kind));
  const { context, page } = opened;
  const faults: string[] = [];
  page.on('pageerror', (error) => faults.push(`error: ${error.message}`));
  page.on('console', (message) => {
    if (message.type() === 'error') faults.push(`console: ${message.text()}`);
  });
  page.on('response', (response) => {
    if (response.status() >= 400) faults.push(`${response.status()}: ${response.url()}`);
  });
  return { context, page, faults, close: () => leavePage(opened) };
}

/** Opens a room, enters it, and waits until every element is drawn. */
export async function enterRoom(page: Page, url: string): Promise<void> {
  await page.goto(url);
  await page.locator('#entrance.is-ready').waitFor();
  await page.locator('#entrance').press('Enter');
  await page.locator('#room[data-state="ready"]').waitFor();
  await page.locator('#entrance').waitFor({ state: 'hidden' });
}
