import { type Browser, chromium, type Page } from 'playwright';
import { browserFlags, findChromium } from '../../harness/chromium.ts';
import { startWebApp } from '../../harness/web-app.ts';
import { median } from '../server-process.ts';
import { firstSight } from './first-sight.ts';
import { type Idle, idleShare } from './idle-share.ts';

/** A slow line: 400 kbit/s, and 200 ms there and back. */
const SLOW = { offline: false, latency: 200, downloadThroughput: 50_000, uploadThroughput: 50_000 } as const;
/** Milliseconds after which a picture of the room and its title are to be seen over it. */
const POSTER = 2000;
/** Rooms of the demo: one built as a model, one a panorama. */
const ROOMS = ['/gallery', '/lake'] as const;
/** A place from which the nearest disc is in the middle of the screen. */
const AT_DISC = '/gallery#camera=0,-225,2760,0,-397,1980';
/** Percentage of the time that the main thread may work in a room in which nothing happens. */
const IDLE = 2;

async function openPage(browser: Browser): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 720 } });
  return context.newPage();
}

/** One look at a room in a browser of its own, its graphics process warm and its cache empty. */
async function posterSeen(url: string): Promise<number> {
  const browser = await chromium.launch({ executablePath: findChromium(), args: browserFlags() });
  try {
    const warm = await browser.newPage();
    await warm.evaluate(() => document.createElement('canvas').getContext('webgl2')!.finish());
    await warm.close();
    const page = await openPage(browser);
    const session = await page.context().newCDPSession(page);
    await session.send('Network.enable');
    await session.send('Network.emulateNetworkConditions', SLOW);
    return await firstSight(page, session, url);
  } finally {
    await browser.close();
  }
}

function print(name: string, figures: readonly number[], most: number): boolean {
  const middle = median([...figures]);
  const columns = [middle.toFixed(1), `${most}`].map((text) => text.padStart(9));
  console.log([name.padEnd(60), ...columns, middle > most ? 'over its limit' : ''].join('  '));
  return middle <= most;
}

/**
 * Measures what visitors of the demo notice: how soon a picture of a room and its title are on the screen over a slow
 * line, and what a room costs in which nothing happens.
 * @returns whether the limits are kept
 */
export async function compareVisits(rounds: number): Promise<boolean> {
  const app = await startWebApp({ demo: true });
  const browser = await chromium.launch({ executablePath: findChromium(), args: browserFlags() });
  try {
    const idle: Idle[] = [];
    const seen = new Map<string, number[]>(ROOMS.map((path) => [path, []]));
    for (const path of ROOMS) {
      const { ok, status } = await fetch(app.origin + path);
      if (!ok) throw new Error(`${path} answers ${status}.`);
    }
    for (let round = 0; round < rounds; round++) {
      for (const [path, figures] of seen) figures.push(await posterSeen(app.origin + path));
      const page = await openPage(browser);
      idle.push(await idleShare(page, app.origin + AT_DISC));
      await page.context().close();
    }
    console.log(`\nVisits, medians of ${rounds} round(s)\n`);
    console.log(`${''.padEnd(60)}  ${['enfilade', 'limit'].map((title) => title.padStart(9)).join('  ')}`);
    const rows = [...seen].map(([path, figures]) =>
      print(`${path}: poster and title painted at 400 kbit/s, milliseconds`, figures, POSTER),
    );
    const shares = idle.map(({ share }) => share);
    rows.push(print('/gallery at rest: main thread, percent', shares, IDLE));
    console.log(
      `In view meanwhile: the disc of ${idle[0]!.disc}. Frames: ${idle.map((row) => row.frames).join(', ')}.`,
    );
    return rows.every(Boolean);
  } finally {
    await browser.close();
    await app.close();
  }
}
