import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Browser, chromium, type Page } from 'playwright';
import sharp from 'sharp';
import { buildRoom, type Written } from '../../harness/canvas-page.ts';
import { browserFlags, findChromium } from '../../harness/chromium.ts';
import { startWebApp, type WebApp } from '../../harness/web-app.ts';
import { idsOf, median, type Outcomes, type Scope, whyNoChromium, without } from '../bench.ts';
import { countBytes } from '../memory/count-bytes.ts';
import { drawNothing, scriptOf } from '../screens/drag.ts';

declare global {
  interface Window {
    /** Milliseconds that the page's callbacks have run. */
    scriptTime: number;
  }
}

/** Different images in the large and in the small room. */
const COUNTS = { full: 2000, quick: 300, few: 20 } as const;
const MEGABYTE = 1e6;
/** Frames whose work is measured, while the camera turns. */
const FRAMES = 60;
const WALKS = 3;
/** Milliseconds in which a visitor's surroundings become sharp. */
const SETTLED = 1500;
const WINDOW = { width: 1280, height: 720 };
const COLUMNS = 100;
/** Units between images, and from the wall to where the visitor walks. */
const GAP = { x: 120, y: 90 };
const AWAY = 250;

async function uploadImages(app: WebApp, count: number): Promise<number[]> {
  const folder = await mkdtemp(join(tmpdir(), 'enfilade-stage-'));
  try {
    const ids: number[] = [];
    for (let index = 0; index < count; index++) {
      const path = join(folder, `${index}.jpg`);
      const background = { r: (index * 67) % 256, g: (index * 101) % 256, b: (index * 151) % 256 };
      await sharp({ create: { width: 1200, height: 900, channels: 3, background } })
        .jpeg()
        .toFile(path);
      ids.push((await app.upload(path)).id);
    }
    return ids;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Position of an image on a long wall. */
const placeOf = (index: number) => ({
  position_x: (index % COLUMNS) * GAP.x,
  position_y: Math.floor(index / COLUMNS) * GAP.y - 400,
});

async function publish(app: WebApp, files: readonly number[]): Promise<string> {
  const elements = files.map(
    (file_id, index): Written => ({ element: 'image', name: `No. ${index}`, file_id, width: 100, ...placeOf(index) }),
  );
  const camera = { position: { x: 0, y: 0, z: AWAY }, angle: { x: 0, y: 0, z: 0 } };
  const { id } = await buildRoom(app, elements, {
    width: 30_000,
    height: 4000,
    depth: 20_000,
    config: { camera, pixelratio: 1 },
  });
  const { slug } = await app.client.endpoints.create({ body: { name: `Wall ${id}`, room_id: id } });
  return `${app.origin}/${slug}`;
}

/** Opens a room. @returns the page, and the milliseconds until its first frame */
async function open(browser: Browser, url: string): Promise<{ page: Page; first: number }> {
  const context = await browser.newContext({ viewport: WINDOW });
  const page = await context.newPage();
  await page.addInitScript(countBytes);
  await page.addInitScript(countScript);
  await page.goto(url);
  await page.locator('#entrance.is-ready').waitFor();
  await page.locator('#entrance').press('Enter');
  await page.locator('#room[data-state="ready"]').waitFor({ timeout: 120_000 });
  const first = await page.evaluate(() => performance.getEntriesByName('enfilade:first-frame')[0]!.startTime);
  return { page, first };
}

const bytesOf = (page: Page) => page.evaluate(() => window.gpuBytes());

/** Walks along the wall. @returns the largest number of draw calls, and of bytes */
async function walk(page: Page, count: number): Promise<{ calls: number; bytes: number }> {
  const most = { calls: 0, bytes: 0 };
  const length = Math.min(count, COLUMNS) * GAP.x;
  for (let x = 0; x <= length; x += length / 8) {
    await page.evaluate(
      ([at, away]) => {
        const { rig } = window.enfilade!.stage!;
        rig.moveTo({ x: at!, y: 0, z: away! }, { x: at!, y: 0, z: 0 }, 1, false);
        window.enfilade!.stage!.invalidate();
      },
      [x, AWAY],
    );
    await page.waitForTimeout(SETTLED);
    const { calls } = await page.evaluate(() => window.enfilade!.stage!.drawn);
    most.calls = Math.max(most.calls, calls);
    most.bytes = Math.max(most.bytes, await bytesOf(page));
  }
  return most;
}

/** Counts the time that a page's callbacks run. Runs in the page before its first script. */
function countScript(): void {
  window.scriptTime = 0;
  const timed =
    <T extends unknown[]>(callback: (...given: T) => void) =>
    (...given: T) => {
      const begun = performance.now();
      callback(...given);
      window.scriptTime += performance.now() - begun;
    };
  const [frame, timeout] = [window.requestAnimationFrame.bind(window), window.setTimeout.bind(window)];
  window.requestAnimationFrame = (callback) => frame(timed(callback));
  Object.assign(window, {
    setTimeout: (callback: () => void, ...rest: unknown[]) =>
      timeout(typeof callback === 'function' ? timed(callback) : callback, ...(rest as [number])),
  });
}

/** Milliseconds of script per frame. @param draw draws a frame of the page */
async function frameOf(page: Page, draw: (at: number) => Promise<unknown>): Promise<number> {
  await drawNothing(page);
  for (let at = 0; at < 5; at++) await draw(at);
  await page.evaluate(() => {
    window.scriptTime = 0;
  });
  for (let at = 0; at < FRAMES; at++) await draw(at);
  return (await page.evaluate(() => window.scriptTime)) / FRAMES;
}

/** A position from which all images are in sight. */
const OVERVIEW = { x: (COLUMNS * GAP.x) / 2, z: 7000 } as const;

const turn = (page: Page) => (at: number) =>
  page.evaluate(
    ([x, z]) => {
      const { rig } = window.enfilade!.stage!;
      rig.moveTo({ x: x!, y: 0, z: z! }, { x: x!, y: 0, z: 0 }, 1, false);
      window.enfilade!.stage!.invalidate();
      return new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
    },
    [OVERVIEW.x + at, OVERVIEW.z],
  );

/** The same frame in plain three.js, with a mesh and a material for each image. */
async function measurePlainFrame(browser: Browser, count: number): Promise<number> {
  const context = await browser.newContext({ viewport: WINDOW });
  const page = await context.newPage();
  await page.setContent('<!doctype html><style>body{margin:0}</style><body></body>');
  await page.evaluate(countScript);
  const places = Array.from({ length: count }, (_, index) => placeOf(index));
  await page.evaluate(
    (given) => {
      window.plainImages = given;
    },
    { places, away: OVERVIEW.z, ...WINDOW },
  );
  await page.addScriptTag({ type: 'module', content: await scriptOf('../stage/plain-images.ts') });
  await page.waitForFunction(() => window.drawPlain !== undefined);
  const frame = await frameOf(page, (at) =>
    page.evaluate((step) => {
      requestAnimationFrame(() => window.drawPlain!(step));
      return new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
    }, OVERVIEW.x + at),
  );
  await context.close();
  return frame;
}

/** Measures a room with many different images beside one with few, and beside plain three.js. */
export async function compareStage({ rounds, isQuick }: Scope): Promise<Outcomes> {
  const missing = await whyNoChromium();
  if (missing) return without(idsOf('stage'), missing);
  const app = await startWebApp();
  const browser = await chromium.launch({ executablePath: findChromium(), args: browserFlags() });
  try {
    const count = isQuick ? COUNTS.quick : COUNTS.full;
    const files = await uploadImages(app, count);
    const [many, few] = [await publish(app, files), await publish(app, files.slice(0, COUNTS.few))];
    const firsts = { many: [] as number[], few: [] as number[] };
    const frames: number[] = [];
    const plain: number[] = [];
    let calls = 0;
    let bytes = 0;
    let growth = 0;
    for (let round = 0; round < rounds; round++) {
      const small = await open(browser, few);
      firsts.few.push(small.first);
      await small.page.context().close();
      const { page, first } = await open(browser, many);
      firsts.many.push(first);
      // The first walk loads what later ones find.
      await walk(page, count);
      const begun = await bytesOf(page);
      for (let each = 0; each < WALKS; each++) {
        const most = await walk(page, count);
        calls = Math.max(calls, most.calls);
        bytes = Math.max(bytes, most.bytes);
      }
      growth = Math.max(growth, (await bytesOf(page)) / begun);
      frames.push(await frameOf(page, turn(page)));
      await page.context().close();
      plain.push(await measurePlainFrame(browser, count));
    }
    const [first, other] = [median(firsts.many), median(firsts.few)];
    const [frame, beside] = [median(frames), median(plain)];
    return {
      '6b': { value: calls },
      '6b textures': { value: bytes / MEGABYTE },
      '6b first': { value: first / other, detail: `ms: ${first.toFixed(0)} to ${other.toFixed(0)}` },
      '6b frame': { value: frame / beside, detail: `ms: ${frame.toFixed(2)} to ${beside.toFixed(2)}` },
      '6b walks': { value: growth },
    };
  } finally {
    await browser.close();
    await app.close();
  }
}
