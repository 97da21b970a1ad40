import { type Browser, chromium, type Page } from 'playwright';
import { BROWSER_FLAGS, findChromium } from '../../harness/chromium.ts';
import { startWebApp } from '../../harness/web-app.ts';
import { median } from '../server-process.ts';

/** A slow line: 400 kbit/s, and 200 ms there and back. */
const SLOW = { offline: false, latency: 200, downloadThroughput: 50_000, uploadThroughput: 50_000 } as const;
/** Milliseconds after which something of the room is to be seen over it. */
const POSTER = 2000;
/** Rooms of the demo: one built as a model, one a panorama. */
const ROOMS = ['/gallery', '/lake'] as const;
/** Milliseconds for which a room is watched in which nothing happens, and the percentage of them that it may work. */
const IDLE = { watched: 20_000, most: 2 } as const;

async function openPage(browser: Browser): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 720 } });
  return context.newPage();
}

/** Milliseconds since the navigation at which a page shows its poster, or the small copy of its panorama. */
async function posterSeen(url: string): Promise<number> {
  const browser = await chromium.launch({ executablePath: findChromium(), args: BROWSER_FLAGS });
  try {
    const page = await openPage(browser);
    const session = await page.context().newCDPSession(page);
    await session.send('Network.enable');
    await session.send('Network.emulateNetworkConditions', SLOW);
    await page.goto(url, { waitUntil: 'commit' });
    const seen = await page.waitForFunction(
      () => {
        const poster = document.querySelector<HTMLImageElement>('#poster');
        return poster?.complete || document.querySelector('.first-picture') ? performance.now() : undefined;
      },
      null,
      { polling: 'raf', timeout: 60_000 },
    );
    return (await seen.jsonValue())!;
  } finally {
    await browser.close();
  }
}

/** Percentage of the time that the main thread of a page works in a room in which nothing happens. */
async function idleShare(browser: Browser, url: string): Promise<number> {
  const page = await openPage(browser);
  await page.goto(url);
  await page.locator('#entrance.is-ready').waitFor();
  await page.locator('#entrance').press('Enter');
  await page.locator('#room[data-state="ready"]').waitFor();
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable', { timeDomain: 'timeTicks' });
  const worked = async () => {
    const { metrics } = await session.send('Performance.getMetrics');
    const metricOf = (wanted: string) => metrics.find(({ name }) => name === wanted)!.value;
    return { at: metricOf('Timestamp'), task: metricOf('TaskDuration') };
  };
  // Controls fade, and what was loaded is put away.
  await page.waitForTimeout(IDLE.watched / 2);
  const before = await worked();
  await page.waitForTimeout(IDLE.watched);
  const after = await worked();
  await page.context().close();
  return (100 * (after.task - before.task)) / (after.at - before.at);
}

function print(name: string, figures: readonly number[], most: number): boolean {
  const middle = median([...figures]);
  const columns = [middle.toFixed(1), `${most}`].map((text) => text.padStart(9));
  console.log([name.padEnd(52), ...columns, middle > most ? 'over its limit' : ''].join('  '));
  return middle <= most;
}

/**
 * Measures what visitors of the demo notice: how soon something of a room is seen over a slow line, and what a room costs
 * in which nothing happens.
 * @returns whether the limits are kept
 */
export async function compareVisits(rounds: number): Promise<boolean> {
  const app = await startWebApp({ demo: true });
  const browser = await chromium.launch({ executablePath: findChromium(), args: BROWSER_FLAGS });
  try {
    const share: number[] = [];
    const seen = new Map<string, number[]>(ROOMS.map((path) => [path, []]));
    for (const path of ROOMS) await fetch(app.origin + path);
    for (let round = 0; round < rounds; round++) {
      for (const [path, figures] of seen) figures.push(await posterSeen(app.origin + path));
      share.push(await idleShare(browser, `${app.origin}/gallery`));
    }
    console.log(`\nVisits, medians of ${rounds} round(s)\n`);
    console.log(`${''.padEnd(52)}  ${['enfilade', 'limit'].map((title) => title.padStart(9)).join('  ')}`);
    const rows = [...seen].map(([path, figures]) =>
      print(`${path}: poster at 400 kbit/s, milliseconds`, figures, POSTER),
    );
    rows.push(print('/gallery at rest: main thread, percent', share, IDLE.most));
    return rows.every(Boolean);
  } finally {
    await browser.close();
    await app.close();
  }
}
