import { rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { LOOKED_AT } from '../harness/browser.ts';
import { pixelAt, pixelsOf } from '../harness/picture.ts';
import { makeBlock, makePly } from '../harness/splats.ts';
import { webSuite } from '../harness/web-suite.ts';
import { type Guest, idOf, newGuest, nextFrames, plainRoom, visitTree, type Written } from './elements/play.ts';

const suite = webSuite();
let block = 0;

beforeAll(async () => {
  const path = join(tmpdir(), `enfilade-${process.pid}.ply`);
  await writeFile(path, makePly(makeBlock(), 0.06));
  block = (await suite.app.upload(path)).id;
  await rm(path);
});

const model = (config: object = {}): Written =>
  ({ element: 'model', name: 'Block', file_id: block, width: 200, height: 200, depth: 200, config }) as Written;

/** Colors above and below the middle, to its left and right. */
async function corners({ page }: Guest) {
  const pixels = await pixelsOf(page);
  const at = (x: number, y: number) =>
    pixelAt(pixels, Math.round(pixels.width * (0.5 + x)), Math.round(pixels.height * (0.5 + y)));
  return { leftTop: at(-0.05, -0.08), leftBottom: at(-0.05, 0.08), rightTop: at(0.05, -0.08) };
}

const isRed = ([red, green, blue]: number[]) => red! > 150 && green! < 80 && blue! < 80;
const isBlue = ([red, green, blue]: number[]) => blue! > 150 && red! < 80 && green! < 80;

const entered = async (elements: readonly Written[]) => {
  const guest = await newGuest(suite.app, suite.browser, {}, LOOKED_AT);
  await visitTree(suite.app, guest, elements, { ...plainRoom, width: 2000, depth: 2000 });
  return guest;
};

test('splats are shown upright at their place; a room that rests draws nothing', async () => {
  const guest = await entered([model()]);
  // The file's x axis points to the left.
  await expect.poll(async () => isBlue((await corners(guest)).leftTop)).toBe(true);
  const { leftBottom, rightTop } = await corners(guest);
  expect(isRed(rightTop)).toBe(true);
  // Darker below: the file's y axis points down.
  expect(leftBottom[2]).toBeLessThan(160);
  expect(leftBottom[2]).toBeGreaterThan(50);
  const frames = () => guest.page.evaluate(() => window.enfilade!.stage!.frames);
  await expect
    .poll(async () => {
      const before = await frames();
      await nextFrames(guest.page, 20);
      return (await frames()) - before;
    })
    .toBe(0);
  expect(guest.faults).toEqual([]);
  await guest.close();
});

test('a removed model frees its splats and their renderer', async () => {
  const guest = await entered([model()]);
  const { page } = guest;
  await expect.poll(async () => isBlue((await corners(guest)).leftTop)).toBe(true);
  const textures = () => page.evaluate(() => window.enfilade!.stage!.memory.textures);
  const before = await textures();
  await suite.app.client.elements.remove({ params: { id: await idOf(page, 'Block') } });
  await expect.poll(textures).toBeLessThan(before);
  await expect.poll(async () => isBlue((await corners(guest)).leftTop)).toBe(false);
  expect(guest.faults).toEqual([]);
  await guest.close();
});

test('a crop box hides the rest', async () => {
  const guest = await entered([model({ crop_max: { x: 0.5 } })]);
  await expect.poll(async () => isBlue((await corners(guest)).leftTop)).toBe(true);
  expect(isRed((await corners(guest)).rightTop)).toBe(false);
  await guest.close();
});

test('rooms without splats do not load their renderer', async () => {
  const guest = await newGuest(suite.app, suite.browser);
  const loaded: string[] = [];
  guest.page.on('request', (request) => loaded.push(request.url()));
  await visitTree(suite.app, guest, [{ element: 'light', name: 'Lamp' }]);
  expect(loaded.filter((url) => /splats|spark/i.test(url))).toEqual([]);
  await guest.close();
});
