import { join } from 'node:path';
import { type Browser, chromium, type Page } from 'playwright';
import sharp from 'sharp';
import { browserFlags, findChromium } from '../../harness/chromium.ts';
import {
  alternate,
  idsOf,
  inFolder,
  median,
  type Outcome,
  type Outcomes,
  type Scope,
  whyNoChromium,
  without,
} from '../bench.ts';
import { countBytes } from '../memory/count-bytes.ts';
import { type ServerProcess, startServer } from '../server-process.ts';
import { type Change, watchPlaces } from './watch-places.ts';

/** Places of the measured tour. */
const PLACES = 5;
/** A phone’s connection. */
const PHONE = { offline: false, latency: 60, downloadThroughput: 9e6 / 8, uploadThroughput: 1.5e6 / 8 };
/** Milliseconds without a new file after which a page has prefetched what it wants. */
const QUIET = 1500;

/** Places and width of the tour whose memory is measured, in full and quick runs. */
const LARGE = { full: { count: 30, width: 8192 }, quick: { count: PLACES, width: 4096 } } as const;
/** Rounds through that tour. */
const ROUNDS = 3;

/** Draws 360° photos with the file size of photos, each in another color. */
async function drawPhotos(folder: string, count: number = PLACES, width: number = 4096): Promise<void> {
  const height = width / 2;
  const noise = { type: 'gaussian', mean: 0, sigma: 12 } as const;
  for (let nth = 0; nth < count; nth++) {
    const background = { r: (60 + 40 * nth) % 240, g: (1220 - 40 * nth) % 240, b: nth % 2 === 0 ? 60 : 180 };
    const grain = sharp({ create: { width, height, channels: 3, background: '#000', noise } });
    const photo = sharp({ create: { width, height, channels: 3, background } });
    const noisy = photo.composite([{ input: await grain.png().toBuffer(), blend: 'add' }]);
    await noisy.jpeg({ quality: 80 }).toFile(join(folder, `place-${nth}.jpg`));
  }
}

/** Opens a tour at its first place, and waits until that is complete. @param watch runs before the page's scripts */
async function open(browser: Browser, url: string, isPhone: boolean, watch?: () => void): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 720 } });
  const page = await context.newPage();
  await page.addInitScript(watchPlaces);
  if (watch) await page.addInitScript(watch);
  const session = await context.newCDPSession(page);
  if (isPhone) {
    await session.send('Network.enable');
    await session.send('Network.emulateNetworkConditions', PHONE);
  }
  await page.goto(url);
  if (await page.locator('#entrance').count()) {
    await page.locator('#entrance.is-ready').waitFor();
    await page.locator('#entrance').press('Enter');
    await page.evaluate(() => {
      const visit = window.enfilade!;
      window.goTo = (nth) => visit.goToViewPoint(visit.state.viewPoints[nth]!.id);
    });
  }
  await page.waitForFunction(() => window.goTo !== undefined && window.lastUpload > 0, null, { timeout: 60_000 });
  return page;
}

/** Waits until a page loads nothing more. */
const prefetched = (page: Page) =>
  page.waitForFunction((quiet) => {
    const ends = performance
      .getEntriesByType('resource')
      .map((entry) => (entry as PerformanceResourceTiming).responseEnd);
    return performance.now() - Math.max(...ends, window.lastUpload) > quiet;
  }, QUIET);

/** Goes from place to place, each time after a rest. @returns the median time to the next place’s first frame */
async function walk(browser: Browser, url: string): Promise<number> {
  const page = await open(browser, url, false);
  const times: number[] = [];
  for (let nth = 1; nth < PLACES; nth++) {
    await prefetched(page);
    times.push((await page.evaluate((place) => window.measureChange(place), nth)).first);
  }
  await page.context().close();
  return median(times);
}

/** Goes to the second place as soon as the first one is complete. @returns the time to its full resolution */
async function hurry(browser: Browser, url: string): Promise<Change> {
  const page = await open(browser, url, true);
  const change = await page.evaluate(() => window.measureChange(1));
  await page.context().close();
  return change;
}

/** Goes through a tour several times. @returns the memory after the last round to that after the first one */
async function goRound(browser: Browser, url: string, count: number): Promise<Outcome> {
  const page = await open(browser, url, false, countBytes);
  const session = await page.context().newCDPSession(page);
  const rounds: { heap: number; gpu: number }[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    for (let nth = 1; nth <= count; nth++) {
      await page.evaluate((place) => window.goTo!(place), nth % count);
      await prefetched(page);
    }
    await session.send('HeapProfiler.collectGarbage');
    const { usedSize } = await session.send('Runtime.getHeapUsage');
    rounds.push({ heap: usedSize / 1e6, gpu: (await page.evaluate(() => window.gpuBytes())) / 1e6 });
  }
  await page.context().close();
  const [first, last] = [rounds[0]!, rounds.at(-1)!];
  const listed = (field: 'heap' | 'gpu') => rounds.map((memory) => memory[field].toFixed(1)).join(', ');
  return {
    value: Math.max(last.heap / first.heap, last.gpu / first.gpu),
    detail: `MB: heap ${listed('heap')} · GPU ${listed('gpu')}`,
  };
}

/** Measures changes of places in a tour, beside Photo Sphere Viewer and pannellum with the same photos. */
export const compareTours = ({ rounds, wants, isQuick }: Scope): Promise<Outcomes> =>
  inFolder(async (folder) => {
    const missing = await whyNoChromium();
    if (missing) return without(idsOf('tours'), missing);
    const servers: ServerProcess[] = [];
    const browser = await chromium.launch({ executablePath: findChromium(), args: browserFlags() });
    try {
      await drawPhotos(folder);
      const count = String(PLACES);
      servers.push(
        await startServer(join(import.meta.dirname, 'serve-enfilade.ts'), join(folder, 'data'), folder, count),
      );
      servers.push(await startServer(join(import.meta.dirname, 'serve-others.ts'), folder, count));
      const { sphere, pannellum } = servers[1]!.said as { sphere: string; pannellum: string };
      const urls = [servers[0]!.said.url!, sphere, pannellum];
      const names = ['', 'Photo Sphere Viewer ', 'pannellum '];
      // The server creates the tiles on the first request.
      await walk(browser, urls[0]!);
      const outcomes: Outcomes = {};
      const listed = (times: readonly number[]) =>
        `ms: ${times.map((time, index) => `${names[index]}${time.toFixed(0)}`).join(' · ')}`;
      if (wants('8')) {
        const results = await alternate(
          urls.map((url) => () => walk(browser, url)),
          rounds,
        );
        const times = results.map(median);
        outcomes['8'] = { value: times[0]!, detail: listed(times) };
      }
      if (wants('8 full')) {
        const results = await alternate(
          urls.map((url) => () => hurry(browser, url)),
          rounds,
        );
        const times = results.map((changes) => median(changes.map(({ full }) => full)));
        outcomes['8 full'] = { value: times[0]! / times[2]!, detail: listed(times) };
      }
      if (wants('8 memory')) {
        const { count, width } = LARGE[isQuick ? 'quick' : 'full'];
        let url = urls[0]!;
        if (!isQuick) {
          await drawPhotos(folder, count, width);
          const data = join(folder, 'large');
          servers.push(await startServer(join(import.meta.dirname, 'serve-enfilade.ts'), data, folder, String(count)));
          url = servers.at(-1)!.said.url!;
        }
        outcomes['8 memory'] = await goRound(browser, url, count);
      }
      return outcomes;
    } finally {
      await browser.close();
      for (const { child } of servers) child.kill();
    }
  });
