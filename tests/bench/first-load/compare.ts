import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from 'playwright';
import sharp from 'sharp';
import { browserFlags, findChromium } from '../../harness/chromium.ts';
import { median, type ServerProcess, startServer } from '../server-process.ts';
import { type Seen, watchPage } from './watch-page.ts';

/** Network conditions. The phone has 9 Mbit/s and a round trip of 60 ms. */
const NETWORKS = [
  { name: 'this machine', conditions: null },
  {
    name: '9 Mbit/s, 60 ms',
    conditions: { offline: false, latency: 60, downloadThroughput: 9e6 / 8, uploadThroughput: 1.5e6 / 8 },
  },
] as const;
/** Maximum ratio of our time to that of a tuned three.js page. */
const TARGETS = { any: 0.7, full: 1 } as const;

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

/** One load in a new browser with a warm GPU process and an empty cache. */
async function load(url: string, conditions: (typeof NETWORKS)[number]['conditions']): Promise<Required<Seen>> {
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
    return (await page.evaluate(() => window.seen)) as Required<Seen>;
  } finally {
    await browser.close();
  }
}

/**
 * Measures the time until a panorama room is visible, compared with a tuned three.js page and with minimal WebGL.
 * @returns whether the targets are met
 */
export async function compareFirstLoad(rounds: number): Promise<boolean> {
  const folder = await mkdtemp(join(tmpdir(), 'enfilade-bench-'));
  const servers: ServerProcess[] = [];
  try {
    const picture = join(folder, 'panorama.jpg');
    await drawPanorama(picture);
    for (const script of ['serve-enfilade.ts', 'serve-bare.ts'])
      servers.push(await startServer(join(import.meta.dirname, script), folder, picture));
    const pages = { enfilade: servers[0]!.said.url!, three: servers[1]!.said.three!, webgl: servers[1]!.said.webgl! };
    const names = Object.keys(pages) as (keyof typeof pages)[];
    // The server creates the thumbnail on the first request.
    await load(pages.enfilade, null);
    console.log(`\nFirst load of a panorama room, milliseconds since the navigation, medians of ${rounds} round(s)\n`);
    console.log('                              enfilade  three.js     WebGL     ratio    target');
    let met = true;
    for (const { name, conditions } of NETWORKS) {
      const figures = new Map(names.map((page) => [page, [] as Required<Seen>[]]));
      for (let round = 0; round < rounds; round++)
        for (const place of names.keys()) {
          const page = names[(place + round) % names.length]!;
          figures.get(page)!.push(await load(pages[page], conditions));
        }
      for (const what of ['any', 'full'] as const) {
        const middle = (page: keyof typeof pages) => median(figures.get(page)!.map((seen) => seen[what]));
        const ratio = middle('enfilade') / middle('three');
        const title = `${name}: ${what === 'any' ? 'a picture' : 'in full'}`;
        const columns = [...names.map((page) => middle(page).toFixed(0)), ratio.toFixed(2), TARGETS[what].toFixed(2)];
        const verdict = ratio > TARGETS[what] ? 'misses its target' : '';
        console.log([title.padEnd(28), ...columns.map((text) => text.padStart(8)), verdict].join('  '));
        met &&= ratio <= TARGETS[what];
      }
    }
    return met;
  } finally {
    for (const { child } of servers) child.kill();
    await rm(folder, { recursive: true, force: true });
  }
}
