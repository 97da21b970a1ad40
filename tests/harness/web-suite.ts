import type { Browser } from 'playwright';
import { afterAll, beforeAll } from 'vitest';
import type { GuardOptions } from '../../src/server/providers/guarded-client.ts';
import { type BrowserKind, sharedBrowser } from './browser.ts';
import { emptyWindows } from './left-windows.ts';
import { closeContexts } from './used-pages.ts';
import { startWebApp, type WebApp } from './web-app.ts';

/** Shared by the tests of one file: a server with its pages, and the browser of the process. */
export interface WebSuite {
  app: WebApp;
  browser: Browser;
}

/**
 * Starts a server before the tests of a file, and a browser unless one is running; stops the server afterwards. Call it
 * once, at the top level.
 * @param kind required browser, if it matters
 * @param isWanted false if the file's tests are skipped
 * @param environment returns settings of the server, called at its start
 * @param guard returns hosts that the client for user-supplied URLs may reach, called at the server's start
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
    // The demo's rooms are built first.
  }, 300_000);
  afterAll(async () => {
    if (suite.app) await emptyWindows(suite.app);
    if (suite.browser) await closeContexts(suite.browser);
    await suite.app?.close();
  });
  return suite;
}
