import { readdirSync, readFileSync } from 'node:fs';
import type { Browser, Page } from 'playwright';
import { build } from 'vite';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { chartTables } from '../../vite.chart-tables.ts';
import { newVisitor, sharedBrowser } from '../harness/browser.ts';
import type { Script } from '../harness/scene-player.ts';
import { tracePlayed } from '../harness/trace-player.ts';
import { closeContexts } from '../harness/used-pages.ts';

const rooms = new URL('../../fixtures/rooms/', import.meta.url);
const scripts = new URL('../engine/scene/scripts/', import.meta.url);
const names = readdirSync(scripts).filter((name) => name.endsWith('.json'));
const read = (name: string, folder: URL) => JSON.parse(readFileSync(new URL(name, folder), 'utf8'));

/** The player as one script for a page, made from the same files that Node runs. */
async function bundlePlayer(): Promise<string> {
  const entry = new URL('../harness/trace-player.ts', import.meta.url).pathname;
  const result = await build({
    configFile: false,
    logLevel: 'error',
    plugins: [chartTables()],
    build: { write: false, minify: false, lib: { entry, formats: ['iife'], name: 'player' } },
  });
  const [output] = [result].flat() as { output: { code?: string }[] }[];
  return output!.output[0]!.code!;
}

declare global {
  /** What the script that `bundlePlayer` makes defines in a page. */
  var player: { tracePlayed: typeof tracePlayed };
}

let browser: Browser;
let page: Page;

beforeAll(async () => {
  const [code] = await Promise.all([bundlePlayer(), sharedBrowser().then((started) => (browser = started))]);
  // A page of ours takes no scripts from elsewhere.
  ({ page } = await newVisitor(browser, { isNew: true }));
  await page.addScriptTag({ content: code });
});
afterAll(() => closeContexts(browser));

describe('a room played in Chromium', () => {
  test('there are rooms to play', () => {
    expect(names.length).toBeGreaterThan(20);
  });

  test.each(names)('%s gives the trace and the states that it gives in Node', async (name) => {
    const document = read(name, rooms);
    const script: Script = read(name, scripts);
    const there = await page.evaluate(([room, steps]) => player.tracePlayed(room, steps), [document, script] as const);
    expect(there).toBe(tracePlayed(document, script));
  });
});
