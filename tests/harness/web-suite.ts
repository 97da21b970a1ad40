import type { Browser } from 'playwright';
import { afterAll, beforeAll } from 'vitest';
import type { GuardOptions } from '../../src/server/providers/guarded-client.ts';
import { type BrowserKind, sharedBrowser } from './browser.ts';
import { emptyWindows } from './left-windows.ts';
import { closeContexts } from './used-pages.ts';
import { startWebApp, type WebApp } from './web-app.ts';

/** What the tests of one file share: a server with its pages, and the browser of its process. */
export interface WebSuite {
  app: WebApp;
  browser: Browser;
}

/**
 * Starts a server before the tests of a file, and a browser unless one runs; ends the server after them. Call it once, outside of all tests.
 * @param kind which browser, where that matters
 * @param isWanted false where the file's tests are skipped
 * @param environment settings of the server, asked for when it starts
 * @param guard what the client for addresses that people enter may reach, asked for when the server starts
 */
export function webSuite({
  demo = false,
  kind = 'quick' as BrowserKind,
  isWanted = true,
  environment = async (): Promise<Record<string, string>> => ({}),
  guard = async (): Promise<GuardOptions> => ({}),
} = {}): WebSuite {
  const suite = {} as WebSuite;
  beforeAll(async () => {
    if (!isWanted) return;
    const [app, browser] = await Promise.all([
      startWebApp({ demo, environment: await environment(), guard: await guard() }),
      sharedBrowser(kind),
    ]);
    Object.assign(suite, { app, browser });
  });
  afterAll(async () => {
    if (suite.app) await emptyWindows(suite.app);
    if (suite.browser) await closeContexts(suite.browser);
    await suite.app?.close();
  });
  return suite;
}
