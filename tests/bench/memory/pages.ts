import { join } from 'node:path';
import { type Browser, chromium, type Page } from 'playwright';
import { browserFlags, findChromium } from '../../harness/chromium.ts';
import { startWebApp } from '../../harness/web-app.ts';
import { inFolder, type Outcomes, without } from '../bench.ts';
import { startServer } from '../server-process.ts';
import { countBytes } from './count-bytes.ts';

/** Paths of the demo rooms by their name in rows. The others are measured in full runs only. */
const ROOMS = {
  lake: '/lake',
  gallery: '/gallery',
  night: '/lake/night',
  cinema: '/lake/cinema',
  hours: '/lake/hours',
  observatory: '/observatory',
  workshop: '/workshop',
} as const;
type RoomName = keyof typeof ROOMS;
const QUICK: readonly RoomName[] = ['lake', 'gallery'];
const rowsOf = (names: readonly string[]) => names.flatMap((name) => [`${name} heap`, `${name} gpu`]);

export const PAGE_ROWS = rowsOf(Object.keys(ROOMS));
/** The panorama of the demo's lake. */
const PANORAMA = join(import.meta.dirname, '../../../fixtures/media/panorama.jpg');
const MEGABYTE = 1e6;
/** Milliseconds in which a room loads what it loads late. */
const SETTLED = 3000;

/** Megabytes of a page. */
interface Memory {
  heap: number;
  gpu: number;
}

/** Opens a page, waits until it is complete, and measures it. */
async function memoryOfPage(browser: Browser, url: string, complete: (page: Page) => Promise<void>): Promise<Memory> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 720 } });
  try {
    const page = await context.newPage();
    await page.addInitScript(countBytes);
    await page.goto(url);
    await complete(page);
    await page.waitForTimeout(SETTLED);
    const session = await context.newCDPSession(page);
    await session.send('HeapProfiler.collectGarbage');
    const { usedSize } = await session.send('Runtime.getHeapUsage');
    return { heap: usedSize / MEGABYTE, gpu: (await page.evaluate(() => window.gpuBytes())) / MEGABYTE };
  } finally {
    await context.close();
  }
}

async function enter(page: Page): Promise<void> {
  await page.locator('#entrance.is-ready').waitFor();
  await page.locator('#entrance').press('Enter');
  await page.locator('#room[data-state="ready"]').waitFor();
}

/** Memory of the demo rooms in the viewer, a panorama beside plain three.js that shows the same one. */
export const measurePages = (isQuick: boolean): Promise<Outcomes> =>
  inFolder(async (folder) => {
    const app = await startWebApp({ demo: true });
    const browser = await chromium.launch({ executablePath: findChromium(), args: browserFlags() });
    const bare = await startServer(join(import.meta.dirname, '../first-load/serve-bare.ts'), folder, PANORAMA);
    try {
      const all = Object.keys(ROOMS) as RoomName[];
      const names = isQuick ? QUICK : all;
      const outcomes: Outcomes = without(rowsOf(all.filter((name) => !names.includes(name))), 'only in the full run');
      const three = await memoryOfPage(browser, bare.said.three!, (page) => page.locator('canvas').waitFor());
      for (const name of names) {
        const memory = await memoryOfPage(browser, app.origin + ROOMS[name], enter);
        for (const field of ['heap', 'gpu'] as const)
          outcomes[`${name} ${field}`] =
            name === 'lake'
              ? {
                  value: memory[field] / three[field],
                  detail: `MB: ${memory[field].toFixed(1)} to ${three[field].toFixed(1)}`,
                }
              : { value: memory[field] };
      }
      return outcomes;
    } finally {
      bare.child.kill();
      await browser.close();
      await app.close();
    }
  });
