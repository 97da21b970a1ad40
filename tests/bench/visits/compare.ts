import { type Browser, chromium, type Page } from 'playwright';
import { browserFlags, findChromium } from '../../harness/chromium.ts';
import { startWebApp } from '../../harness/web-app.ts';
import { median } from '../server-process.ts';
import { firstSight } from './first-sight.ts';
import { type Idle, idleShare } from './idle-share.ts';

/** A slow connection: 400 kbit/s, with a round trip of 200 ms. */
const SLOW = { offline: false, latency: 200, downloadThroughput: 50_000, uploadThroughput: 50_000 } as const;
/** Maximum milliseconds until a picture of the room and its title are visible on that connection. */
const POSTER = 2000;
/** Rooms of the demo: a modeled one, and a panorama. */
const ROOMS = ['/gallery', '/lake'] as const;
/** A camera position with the nearest disc in the center of the screen. */
const AT_DISC = '/gallery#camera=0,-225,2760,0,-397,1980';
/** Maximum percentage of main-thread time in an idle room. */
const IDLE = 2;

async function openPage(browser: Browser): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 720 } });
  return context.newPage();
}

/** One visit in a new browser with a warm GPU process and an empty cache. */
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
 * Measures what visitors of the demo experience: the time until a picture of a room and its title are visible on a slow
 * connection, and the CPU cost of an idle room.
 * @returns whether the limits are met
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
