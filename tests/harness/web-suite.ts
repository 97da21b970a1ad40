import type { Browser } from 'playwright';
import { afterAll, beforeAll } from 'vitest';
import type { GuardOptions } from '../../src/server/providers/guarded-client.ts';
import { startBrowser } from './browser.ts';
import { startWebApp, type WebApp } from './web-app.ts';

/** What the tests of one file share: a server with its pages, and a browser. */
export interface WebSuite {
  app: WebApp;
  browser: Browser;
}

/**
 * Starts a server and a browser before the tests of a file, and ends them after. Call it once, outside of all tests.
 * @param isWanted false where the file's tests are skipped
 * @param environment settings of the server, asked for when it starts
 * @param guard what the client for addresses that people enter may reach, asked for when the server starts
 */
export function webSuite({
  demo = false,
  isWanted = true,
  environment = async (): Promise<Record<string, string>> => ({}),
  guard = async (): Promise<GuardOptions> => ({}),
} = {}): WebSuite {
  const suite = {} as WebSuite;
  beforeAll(async () => {
    if (!isWanted) return;
    const [app, browser] = await Promise.all([
      startWebApp({ demo, environment: await environment(), guard: await guard() }),
      startBrowser(),
    ]);
    Object.assign(suite, { app, browser });
  });
  afterAll(async () => {
    await suite.browser?.close();
    await suite.app?.close();
  });
  return suite;
}
