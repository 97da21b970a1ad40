import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright';
import { inject } from 'vitest';
import { launchForTests } from './chromium.ts';
import { countRequests } from './quiet-page.ts';
import { leavePage, type OpenPage, usedPage } from './used-pages.ts';

/** `quick`: what shows pages soonest. `exact`: a whole Chromium, whose pictures are the same on every machine. */
export type BrowserKind = 'quick' | 'exact';

const started: Partial<Record<BrowserKind, Promise<Browser>>> = {};

const launch = (kind: BrowserKind): Promise<Browser> =>
  kind === 'quick'
    ? launchForTests(inject('shell'), inject('drawing'))
    : launchForTests(inject('chromium'), 'swiftshader');

/**
 * The browser of all test files that a process runs: it ends with the process. What is open in it is a file's own, and closed by
 * `closeContexts` of `used-pages.ts` in `afterAll`.
 */
export async function sharedBrowser(kind: BrowserKind = 'quick'): Promise<Browser> {
  // One that crashed under a file is no reason for the next to fail.
  if (!(await started[kind])?.isConnected()) started[kind] = launch(kind);
  return started[kind]!;
}

/** Milliseconds that anything on a page may take on a slow machine. */
const PATIENCE = 60_000;

/** Pixels of the screen for one of the page, where a room is drawn in software and nobody looks at its pixels. */
export const BLUNT = 0.25;
/** A window whose pixels a test looks at. */
export const LOOKED_AT = { deviceScaleFactor: 1 };

/** A page of its own, with everything that went wrong on it. */
export interface Visitor {
  context: BrowserContext;
  page: Page;
  /** Errors and failed requests, as sentences. */
  faults: string[];
  /**
   * Leaves the page, emptied, to whoever comes next. One that has a clock, scripts or colors that a test gave it, or
   * is offline, is ended by `context.close()` instead.
   */
  close(): Promise<void>;
}

/** What a visitor comes with. */
interface VisitorOptions extends Omit<BrowserContextOptions, 'storageState'> {
  /** What the browser keeps, by key, and for which origin. */
  kept?: { origin: string; entries: Record<string, string> };
  /** Whether nothing was ever fetched in its window, also not by an earlier test. */
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

/** Opens an empty page whose faults are kept. */
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
