import { type Browser, type BrowserContext, chromium, type Page } from 'playwright';
import { inject } from 'vitest';
import { type Drawing, testFlags } from './chromium.ts';

const started: Partial<Record<Drawing, Promise<Browser>>> = {};

/**
 * The browser of all test files that a process runs: it ends with the process. What is open in it is a file's own, and closed by
 * `closeContexts` in `afterAll`.
 * @param drawing for a file whose pictures must be the same on every machine
 */
export async function sharedBrowser(drawing: Drawing = inject('drawing')): Promise<Browser> {
  // One that crashed under a file is no reason for the next to fail.
  if (!(await started[drawing])?.isConnected())
    started[drawing] = chromium.launch({ executablePath: inject('chromium'), args: testFlags(drawing) });
  return started[drawing]!;
}

/** Closes all that a test file left open. */
export async function closeContexts(browser: Browser): Promise<void> {
  await Promise.all(browser.contexts().map((context) => context.close()));
}

/** Milliseconds that anything on a page may take on a slow machine. */
const PATIENCE = 60_000;

/** Pixels of the screen for one of the page, where a room is drawn in software and nobody looks at its pixels. */
export const BLUNT = 0.5;

/** A page of its own, with everything that went wrong on it. */
export interface Visitor {
  context: BrowserContext;
  page: Page;
  /** Errors and failed requests, as sentences. */
  faults: string[];
}

/** Opens an empty page whose faults are kept. */
export async function newVisitor(
  browser: Browser,
  options: Parameters<Browser['newContext']>[0] = {},
): Promise<Visitor> {
  const context = await browser.newContext({ viewport: { width: 640, height: 400 }, ...options });
  context.setDefaultTimeout(PATIENCE);
  const page = await context.newPage();
  const faults: string[] = [];
  page.on('pageerror', (error) => faults.push(`error: ${error.message}`));
  page.on('console', (message) => {
    if (message.type() === 'error') faults.push(`console: ${message.text()}`);
  });
  page.on('response', (response) => {
    if (response.status() >= 400) faults.push(`${response.status()}: ${response.url()}`);
  });
  return { context, page, faults };
}

/** Opens a room, enters it, and waits until every element is drawn. */
export async function enterRoom(page: Page, url: string): Promise<void> {
  await page.goto(url);
  await page.locator('#entrance.is-ready').waitFor();
  await page.locator('#entrance').press('Enter');
  await page.locator('#room[data-state="ready"]').waitFor();
  await page.locator('#entrance').waitFor({ state: 'hidden' });
}
