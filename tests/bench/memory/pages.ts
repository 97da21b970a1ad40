import { join } from 'node:path';
import { type Browser, chromium, type Page } from 'playwright';
import { browserFlags, findChromium } from '../../harness/chromium.ts';
import { startWebApp } from '../../harness/web-app.ts';
import { inFolder, type Outcomes } from '../bench.ts';
import { startServer } from '../server-process.ts';
import { countBytes } from './count-bytes.ts';

export const PAGE_ROWS = ['lake heap', 'lake gpu', 'gallery heap', 'gallery gpu'] as const;
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

/** Memory of two demo rooms in the viewer, a panorama beside plain three.js that shows the same one. */
export const measurePages = (): Promise<Outcomes> =>
  inFolder(async (folder) => {
    const app = await startWebApp({ demo: true });
    const browser = await chromium.launch({ executablePath: findChromium(), args: browserFlags() });
    const bare = await startServer(join(import.meta.dirname, '../first-load/serve-bare.ts'), folder, PANORAMA);
    try {
      const lake = await memoryOfPage(browser, `${app.origin}/lake`, enter);
      const gallery = await memoryOfPage(browser, `${app.origin}/gallery`, enter);
      const three = await memoryOfPage(browser, bare.said.three!, (page) => page.locator('canvas').waitFor());
      const beside = (field: keyof Memory) => ({
        value: lake[field] / three[field],
        detail: `MB: ${lake[field].toFixed(1)} to ${three[field].toFixed(1)}`,
      });
      return {
        'lake heap': beside('heap'),
        'lake gpu': beside('gpu'),
        'gallery heap': { value: gallery.heap },
        'gallery gpu': { value: gallery.gpu },
      };
    } finally {
      bare.child.kill();
      await browser.close();
      await app.close();
    }
  });
