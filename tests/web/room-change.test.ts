import type { Page } from 'playwright';
import sharp from 'sharp';
import { beforeAll, describe, expect, test } from 'vitest';
import { enterRoom, LOOKED_AT, newVisitor } from '../harness/browser.ts';
import { plainPanorama } from '../harness/tour-room.ts';
import { webSuite } from '../harness/web-suite.ts';
import { nextFrames } from './elements/play.ts';

const suite = webSuite();

const COLORS = { red: '#c02020', blue: '#2040d0' } as const;

type Color = keyof typeof COLORS;
/** Paths of two 360° rooms with a door to each other. */
const paths = {} as Record<Color, string>;

async function publish(color: Color, to: string): Promise<string> {
  const { client } = suite.app;
  const file = await plainPanorama(`${color}.png`, COLORS[color]);
  const { id: file_id } = await client.media.upload({ body: {}, files: { file } });
  const template = await client.templates.create({ body: { name: color, model_type: 'pano', file_id } });
  const { id } = await client.rooms.create({ body: { title: color, template_id: template.id } });
  await client.rooms.addElement({
    params: { id },
    body: {
      element: 'button',
      name: 'Door',
      position_z: -900,
      config: {
        title: 'Door',
        appearance: 'hotspot',
        navigation: { type: 'slug', type_config: { slug_one: to, slug_two: '', arrival: 'keep' } },
      },
    },
  });
  const { path } = await client.endpoints.create({ body: { name: color, slug: `change-${color}`, room_id: id } });
  return path;
}

beforeAll(async () => {
  paths.red = await publish('red', 'change-blue');
  paths.blue = await publish('blue', 'change-red');
});

/** A visitor in the red room. */
async function visit(options: Parameters<typeof newVisitor>[1] = {}) {
  const visitor = await newVisitor(suite.browser, {
    ...LOOKED_AT,
    viewport: { width: 640, height: 400 },
    deviceScaleFactor: 1,
    ...options,
  });
  await enterRoom(visitor.page, suite.app.origin + paths.red);
  return visitor;
}

/** Mean color of the upper part of the window, away from controls and the door. */
async function colorOf(page: Page): Promise<[red: number, blue: number]> {
  const { channels } = await sharp(await page.screenshot({ clip: { x: 220, y: 90, width: 200, height: 40 } })).stats();
  return [Math.round(channels[0]!.mean), Math.round(channels[2]!.mean)];
}

const isIn = (page: Page, color: Color) =>
  expect.poll(async () => ((await colorOf(page))[0] > 150 ? 'red' : 'blue')).toBe(color);

const title = (page: Page) => page.evaluate(() => window.enfilade!.stage!.scene.room.title);

const goThrough = (page: Page) => page.getByRole('button', { name: 'Door' }).press('Enter');

/** Records the entrance whenever it is shown. */
const watchEntrance = (page: Page) =>
  page.evaluate(() => {
    const entrance = document.getElementById('entrance')!;
    const entrances: string[] = [];
    const look = () => {
      if (!entrance.hidden) entrances.push(entrance.className);
    };
    new MutationObserver(look).observe(entrance, { attributes: true });
    Object.assign(window, { entrances });
  });

describe('a door to another room', () => {
  test('opens without an entrance or an empty frame, on the same canvas', async () => {
    const { page, faults, close } = await visit();
    await isIn(page, 'red');
    await watchEntrance(page);
    const canvas = await page.$('.stage-canvas');
    const frames: [number, number][] = [];
    await goThrough(page);
    while (frames.length < 4 || (frames.at(-1)![0] > 40 && frames.length < 200)) frames.push(await colorOf(page));
    // Every frame shows one of the rooms, or a mixture of both.
    for (const [red, blue] of frames) expect(red / 192 + (blue - 32) / 176, `${red} ${blue}`).toBeGreaterThan(0.85);
    await isIn(page, 'blue');
    expect(new URL(page.url()).pathname).toBe(paths.blue);
    expect(await page.title()).toBe('blue');
    expect(await page.evaluate(() => (window as Window & { entrances?: string[] }).entrances)).toEqual([]);
    expect(await canvas!.evaluate((node) => node.isConnected)).toBe(true);
    await expect.poll(() => page.locator('.stage-leaving').count()).toBe(0);
    expect(faults).toEqual([]);
    await close();
  });

  test('says the new room to screen readers, which the entrance does for the first one', async () => {
    const { page, faults, close } = await visit();
    const arrival = (name: string) => page.getByRole('status').getByText(`You are at: ${name}`, { exact: true });
    await isIn(page, 'red');
    expect(await arrival('red').count()).toBe(0);
    await goThrough(page);
    await arrival('blue').waitFor({ state: 'attached' });
    await page.goBack();
    await arrival('red').waitFor({ state: 'attached' });
    expect(faults).toEqual([]);
    await close();
  });

  test('keeps the viewing direction, and Back and Forward lead through it again', async () => {
    const { page, faults, close } = await visit();
    await page.keyboard.press('ArrowRight');
    await expect.poll(() => page.evaluate(() => window.enfilade!.stage!.rig.azimuth)).toBeLessThan(-0.1);
    const heading = () => page.evaluate(() => window.enfilade!.stage!.rig.azimuth);
    // The camera glides: it must have come to rest.
    let before: number;
    do {
      before = await heading();
      await nextFrames(page, 5);
    } while ((await heading()) !== before);
    await goThrough(page);
    await isIn(page, 'blue');
    expect(Math.abs((await heading()) - before)).toBeLessThan(0.02);
    await watchEntrance(page);
    await page.goBack();
    await isIn(page, 'red');
    expect(await title(page)).toBe('red');
    await page.goForward();
    await isIn(page, 'blue');
    expect(await title(page)).toBe('blue');
    expect(await page.evaluate(() => (window as Window & { entrances?: string[] }).entrances)).toEqual([]);
    expect(faults).toEqual([]);
    await close();
  });

  test('prefetches the room that the visitor looks at: the press requests nothing before its first frame', async () => {
    const { page, close } = await visit();
    const asked: string[] = [];
    await expect
      .poll(() =>
        page.evaluate(() => performance.getEntriesByType('resource').some(({ name }) => name.includes('/change-blue'))),
      )
      .toBe(true);
    await page.waitForLoadState('networkidle');
    page.on('request', (request) => asked.push(new URL(request.url()).pathname));
    await goThrough(page);
    await isIn(page, 'blue');
    expect(asked.filter((path) => path.startsWith('/api/v1/endpoints'))).toEqual([]);
    await close();
  });

  test('frees what the room used, however often visitors come and go', async () => {
    const { page, close } = await visit();
    const memory = () => page.evaluate(() => window.enfilade!.stage!.memory);
    const round = async () => {
      for (const color of ['blue', 'red'] as const) {
        await goThrough(page);
        await isIn(page, color);
        await page.locator('#room[data-state="ready"]').waitFor();
        await expect.poll(() => page.locator('.stage-leaving').count()).toBe(0);
      }
    };
    await round();
    const after = await memory();
    for (let rounds = 0; rounds < 3; rounds++) await round();
    await expect.poll(memory).toEqual(after);
    await close();
  });

  test('stays closed where the next room is missing, and says so', async () => {
    const { page, close } = await visit();
    await page.evaluate(() => window.enfilade!.goTo('/there-is-none'));
    await page.getByRole('status').filter({ hasText: /\w/ }).waitFor();
    expect(await title(page)).toBe('red');
    expect(new URL(page.url()).pathname).toBe(paths.red);
    await isIn(page, 'red');
    await expect.poll(() => page.getByRole('progressbar').count()).toBe(0);
    await close();
  });

  test('cuts under reduced motion', async () => {
    const { page, close } = await visit({ reducedMotion: 'reduce' });
    await page.evaluate(() => {
      const added: string[] = [];
      new MutationObserver((changes) => {
        for (const { addedNodes } of changes) for (const node of addedNodes) added.push((node as Element).className);
      }).observe(document.getElementById('room')!, { childList: true });
      Object.assign(window, { added });
    });
    await goThrough(page);
    await isIn(page, 'blue');
    const added = await page.evaluate(() => (window as Window & { added?: string[] }).added!);
    expect(added.filter((name) => name.includes('stage-leaving'))).toEqual([]);
    await close();
  });
});
