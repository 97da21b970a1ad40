import { type Browser, chromium, type Page } from 'playwright';
import { browserFlags, findChromium } from '../../harness/chromium.ts';
import { startWebApp } from '../../harness/web-app.ts';
import { type Figure, idsOf, median, type Outcomes, type Scope, whyNoChromium, without } from '../bench.ts';
import { firstSight } from './first-sight.ts';
import { type Idle, idleShare } from './idle-share.ts';

/** A slow connection: 400 kbit/s, with a round trip of 200 ms. */
const SLOW = { offline: false, latency: 200, downloadThroughput: 50_000, uploadThroughput: 50_000 } as const;
/** Rooms of the demo, by row: a modeled one, and a panorama. */
const ROOMS = { 'poster gallery': '/gallery', 'poster lake': '/lake' } as const;
/** A camera position with the nearest disc in the center of the screen. */
const AT_DISC = '/gallery#camera=0,-225,2760,0,-397,1980';
/** Milliseconds without a frame until a room is idle, and for which it is watched. */
const IDLE = { full: { still: 5000, watched: 20_000 }, quick: { still: 2500, watched: 4000 } } as const;

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

/**
 * Measures what visitors of the demo experience: the time until a picture of a room and its title are visible on a slow
 * connection, and the CPU cost of an idle room.
 */
export async function compareVisits({ rounds, isQuick, wants }: Scope): Promise<Outcomes> {
  const missing = await whyNoChromium();
  if (missing) return without(idsOf('visits'), missing);
  const app = await startWebApp({ demo: true });
  const browser = await chromium.launch({ executablePath: findChromium(), args: browserFlags() });
  try {
    const outcomes: Outcomes = {};
    const middle = async (measure: () => Promise<number>): Promise<Figure> => {
      const figures: number[] = [];
      for (let round = 0; round < rounds; round++) figures.push(await measure());
      return { value: median(figures) };
    };
    for (const [id, path] of Object.entries(ROOMS)) {
      if (!wants(id)) continue;
      const { ok, status } = await fetch(app.origin + path);
      if (!ok) throw new Error(`${path} answers ${status}.`);
      outcomes[id] = await middle(() => posterSeen(app.origin + path));
    }
    if (!wants('idle')) return outcomes;
    let last: Idle | undefined;
    const idle = await middle(async () => {
      const page = await openPage(browser);
      last = await idleShare(page, app.origin + AT_DISC, isQuick ? IDLE.quick : IDLE.full);
      await page.context().close();
      return last.share;
    });
    outcomes.idle = { ...idle, detail: `in view: ${last!.disc}; ${last!.frames} frames` };
    return outcomes;
  } finally {
    await browser.close();
    await app.close();
  }
}
