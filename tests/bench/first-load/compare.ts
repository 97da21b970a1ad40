import { join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import { chromium, type Page } from 'playwright';
import sharp from 'sharp';
import { browserFlags, findChromium } from '../../harness/chromium.ts';
import { alternate, idsOf, inFolder, median, type Outcomes, type Scope, whyNoChromium, without } from '../bench.ts';
import { type ServerProcess, startServer } from '../server-process.ts';
import { type Seen, watchPage } from './watch-page.ts';

/** Network conditions, and the rows of the first picture and the full frame. The phone has 9 Mbit/s. */
const NETWORKS = [
  { any: '2b', full: '2', conditions: null },
  {
    any: '2b phone',
    full: '2 phone',
    conditions: { offline: false, latency: 60, downloadThroughput: 9e6 / 8, uploadThroughput: 1.5e6 / 8 },
  },
] as const;

/** Draws a panorama of 4096 × 2048 pixels with the file size of a photo. */
async function drawPanorama(file: string): Promise<void> {
  const [width, height] = [4096, 2048];
  const noise = { type: 'gaussian', mean: 140, sigma: 18 } as const;
  const background = { r: 200, g: 120, b: 60 };
  const grain = await sharp({ create: { width, height, channels: 3, background, noise } })
    .png()
    .toBuffer();
  await sharp(grain).blur(1.2).jpeg({ quality: 80 }).toFile(file);
}

/** When a page showed its panorama, and the kilobytes of JavaScript that it had loaded by then, brotli. */
interface Load extends Required<Seen> {
  anyScript: number;
  fullScript: number;
}

/** Kilobytes of the scripts that a page had loaded at a time, and of those within it. */
async function scriptsUntil(page: Page, time: number): Promise<number> {
  const { loaded, inline } = await page.evaluate((until) => {
    const entries = performance.getEntriesByType('resource') as PerformanceResourceTiming[];
    const scripts = entries.filter(
      ({ name, responseEnd }) => /\.js$/.test(new URL(name).pathname) && responseEnd <= until,
    );
    const within = [...document.scripts].filter(({ src, type }) => src === '' && (type === '' || type === 'module'));
    return {
      loaded: scripts.reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0),
      inline: within.map(({ text }) => text).join('\n'),
    };
  }, time);
  return (loaded + (inline === '' ? 0 : brotliCompressSync(inline).length)) / 1000;
}

/** One load in a new browser with a warm GPU process and an empty cache. */
async function load(url: string, conditions: (typeof NETWORKS)[number]['conditions']): Promise<Load> {
  const browser = await chromium.launch({ executablePath: findChromium(), args: browserFlags() });
  try {
    const warm = await browser.newPage();
    await warm.evaluate(() => document.createElement('canvas').getContext('webgl2')!.finish());
    await warm.close();
    const context = await browser.newContext({ viewport: { width: 1280, height: 720 } });
    const page = await context.newPage();
    const session = await context.newCDPSession(page);
    await session.send('Network.enable');
    if (conditions) await session.send('Network.emulateNetworkConditions', conditions);
    await page.addInitScript(watchPage);
    await page.goto(url, { waitUntil: 'commit' });
    await page.waitForFunction(() => window.seen?.full !== undefined, null, { timeout: 60_000 });
    const seen = (await page.evaluate(() => window.seen)) as Required<Seen>;
    const [anyScript, fullScript] = [await scriptsUntil(page, seen.any), await scriptsUntil(page, seen.submitted)];
    return { ...seen, anyScript, fullScript };
  } finally {
    await browser.close();
  }
}

/** Measures the time until a panorama room is visible, compared with a tuned three.js page and with minimal WebGL. */
export const compareFirstLoad = ({ rounds, isQuick, wants }: Scope): Promise<Outcomes> =>
  inFolder(async (folder) => {
    const missing = await whyNoChromium();
    if (missing) return without(idsOf('first-load'), missing);
    const servers: ServerProcess[] = [];
    try {
      const picture = join(folder, 'panorama.jpg');
      await drawPanorama(picture);
      for (const script of ['serve-enfilade.ts', 'serve-bare.ts'])
        servers.push(await startServer(join(import.meta.dirname, script), folder, picture));
      const ours = servers[0]!.said.url!;
      const { three, webgl } = servers[1]!.said as { three: string; webgl: string };
      // The limit is only shown in full runs.
      const pages = isQuick ? [ours, three] : [ours, three, webgl];
      // The server creates the thumbnail on the first request.
      await load(ours, null);
      const outcomes: Outcomes = {};
      for (const { any, full, conditions } of NETWORKS) {
        const isPhone = conditions !== null;
        const script = isPhone ? ['2c', '2c full'] : [];
        if (![any, full, ...script].some(wants)) continue;
        const results = await alternate(
          pages.map((url) => () => load(url, conditions)),
          rounds,
        );
        const middle = (index: number, field: keyof Load) => median(results[index]!.map((seen) => seen[field]));
        const figure = (field: 'any' | 'full') => {
          const times = pages.map((_, index) => middle(index, field));
          return { value: times[0]! / times[1]!, detail: `ms: ${times.map((time) => time.toFixed(0)).join(' to ')}` };
        };
        Object.assign(outcomes, { [any]: figure('any'), [full]: figure('full') });
        if (isPhone)
          Object.assign(outcomes, {
            '2c': { value: middle(0, 'anyScript') },
            '2c full': { value: middle(0, 'fullScript') },
          });
      }
      return outcomes;
    } finally {
      for (const { child } of servers) child.kill();
    }
  });
