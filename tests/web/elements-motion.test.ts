import type { Page } from 'playwright';
import { describe, expect, test } from 'vitest';
import { openAdmin } from '../harness/admin-page.ts';
import type { Visitor } from '../harness/browser.ts';
import { buildRoom } from '../harness/canvas-page.ts';
import { pixelsOf } from '../harness/picture.ts';
import { webSuite } from '../harness/web-suite.ts';
import {
  asset,
  hasOpenAssets,
  holdTime,
  newGuest,
  nextFrames,
  sayIfAbsent,
  visitTree,
  type Written,
} from './elements/play.ts';

sayIfAbsent();

const suite = webSuite();

/** The pictures at some moments of the room. */
async function picturesAt(page: Page, moments: readonly number[]): Promise<Buffer[]> {
  const pictures: Buffer[] = [];
  for (const seconds of moments) {
    await holdTime(page, seconds);
    pictures.push((await pixelsOf(page)).data);
  }
  return pictures;
}

/** Opens a room with one element and gives its pictures at some moments. */
async function playAt(element: Written, moments: readonly number[]): Promise<Buffer[]> {
  const guest = await newGuest(suite.app, suite.browser);
  await visitTree(suite.app, guest, [element]);
  const pictures = await picturesAt(guest.page, moments);
  expect([guest.faults, guest.strays]).toEqual([[], []]);
  await guest.close();
  return pictures;
}

describe('what moves by the room’s time', () => {
  test('a view point’s pulse is the same whenever the room’s time is', async () => {
    const pulse: Written = { element: 'view_point', position_y: -100, rotation_x: 0.4, config: { pulse_radius: 90 } };
    const [first, later, again] = await playAt(pulse, [10.2, 10.9, 10.2]);
    expect(first!.equals(later!)).toBe(false);
    expect(first!.equals(again!)).toBe(true);
  });

  test('so is a model’s animation, and one that is not to move stands still', async () => {
    const { id: file_id } = await suite.app.upload('fixtures/media/orrery.glb');
    const model = (animate: boolean): Written =>
      ({
        element: 'model',
        file_id,
        width: 300,
        height: 300,
        depth: 300,
        rotation_x: 0.5,
        config: { animate },
      }) as Written;
    const [first, later, again] = await playAt(model(true), [3, 4.5, 3]);
    expect(first!.equals(later!)).toBe(false);
    expect(first!.equals(again!)).toBe(true);
    const [still, stands] = await playAt(model(false), [3, 4.5]);
    expect(still!.equals(stands!)).toBe(true);
  });
});

describe('a stream whose clips can’t be loaded', () => {
  test('asks again after 5 seconds, then 10, 20 and so on up to 5 minutes, and says so once', async () => {
    const guest = await newGuest(suite.app, suite.browser);
    const { page } = guest;
    let asked = 0;
    page.on('response', (response) => {
      if (response.url().includes('/gone.bvh')) asked++;
    });
    const said: string[] = [];
    page.on('console', (message) => said.push(message.text()));
    await page.clock.install();
    const src = '/media/gone.bvh';
    await visitTree(suite.app, guest, [{ element: 'motion', height: 260, config: { src, stream: true } }]);
    // Five clips are held ready, and each is asked for anew.
    await expect.poll(() => asked, { timeout: 30_000 }).toBe(5);
    let tries = 5;
    for (const seconds of [5, 10, 20, 40, 80, 160, 300, 300]) {
      // The clock runs on while a test waits: half of the time is never too late.
      await page.clock.fastForward(seconds * 500);
      await nextFrames(page);
      expect(asked, `before ${seconds} s`).toBe(tries);
      await page.clock.fastForward(seconds * 500);
      tries += 5;
      await expect.poll(() => asked, { timeout: 30_000 }).toBe(tries);
    }
    expect(said.filter((text) => text.includes('could not be loaded'))).toHaveLength(1);
    await guest.context.close();
  });
});

describe('a stream’s clips', () => {
  test('are asked for under other addresses in every visit, and in every preview', async () => {
    const src = '/media/gone.bvh';
    const { id } = await buildRoom(suite.app, [{ element: 'motion', height: 260, config: { src, stream: true } }]);
    const slug = `stream-${id}`;
    await suite.app.client.endpoints.create({ body: { name: 'Stream', slug, room_id: id } });
    const askedBy = async ({ page, close }: Visitor, address: string) => {
      const asked = new Set<string>();
      page.on('request', (request) => {
        const { pathname, searchParams } = new URL(request.url());
        if (pathname === src) asked.add(searchParams.get('r')!);
      });
      await page.goto(suite.app.origin + address);
      await expect.poll(() => asked.size, { timeout: 30_000 }).toBeGreaterThan(0);
      await close();
      return [...asked][0];
    };
    const visit = async () => askedBy(await newGuest(suite.app, suite.browser), `/${slug}`);
    const previewPath = `/admin/editor/preview/${id}`;
    const preview = async () => askedBy(await openAdmin(suite.app, suite.browser, '/admin/spaces'), previewPath);
    const all = [await visit(), await visit(), await preview(), await preview()];
    expect(new Set(all).size).toBe(4);
  });
});

describe('motion capture', () => {
  test('moves a skeleton, the same way each time, and not where it is not to', async () => {
    const { id: file_id } = await suite.app.upload('fixtures/media/greeting.bvh');
    const dance = (animate: boolean): Written =>
      ({ element: 'motion', file_id, height: 260, config: { animate } }) as Written;
    const [first, later, again] = await playAt(dance(true), [1, 3, 1]);
    expect(first!.equals(later!)).toBe(false);
    expect(first!.equals(again!)).toBe(true);
    const [still, stands] = await playAt(dance(false), [1, 3]);
    expect(still!.equals(stands!)).toBe(true);
  });

  test.skipIf(!hasOpenAssets)('moves the bones of a model by their names', async () => {
    const { url: src } = await suite.app.upload(asset('bvh/fair-dab.bvh'));
    const { id: file_id } = await suite.app.upload(asset('gltf/RobotExpressive.glb'));
    const guest = await newGuest(suite.app, suite.browser);
    const { page } = guest;
    await visitTree(suite.app, guest, [{ element: 'motion', file_id, height: 260, config: { src } }]);
    const [first, later, again] = await picturesAt(page, [1, 3, 1]);
    expect(first!.equals(later!)).toBe(false);
    expect(first!.equals(again!)).toBe(true);
    // This rig's feet and legs stand apart from what they hang on: they stay with it all the same.
    const gaps = () =>
      page.evaluate(() => {
        const { three } = window.enfilade!.stage!;
        const placeOf = (name: string) => three.getObjectByName(name)!.matrixWorld.elements.slice(12, 15);
        const gap = (a: string, b: string) => {
          const [from, to] = [placeOf(a), placeOf(b)];
          return Math.hypot(...from.map((value, axis) => value - to[axis]!));
        };
        return [
          gap('FootL', 'LowerLegL'),
          gap('FootR', 'LowerLegR'),
          gap('UpperLegL', 'Body'),
          gap('UpperLegR', 'Body'),
          gap('UpperArmL', 'ShoulderL'),
        ];
      });
    const resting = await gaps();
    for (const moment of [2, 3, 4, 6]) {
      await holdTime(page, moment);
      for (const [index, gap] of (await gaps()).entries()) expect(gap / resting[index]!).toBeCloseTo(1, 2);
    }
    expect([guest.faults, guest.strays]).toEqual([[], []]);
    await guest.close();
  });

  test('comes from a stream, five clips ahead, one after another', async () => {
    const { url: src } = await suite.app.upload('fixtures/media/greeting.bvh');
    const guest = await newGuest(suite.app, suite.browser);
    const { page } = guest;
    const asked: string[] = [];
    page.on('request', (request) => {
      if (request.url().includes('.bvh?r=')) asked.push(request.url());
    });
    await visitTree(suite.app, guest, [{ element: 'motion', height: 260, config: { src, stream: true } }]);
    await expect.poll(() => asked.length, { timeout: 30_000 }).toBe(5);
    expect(new Set(asked).size).toBe(5);
    const clipNow = () =>
      page.evaluate(() => {
        const { scene } = window.enfilade!.stage!;
        return scene.motion(scene.entityOf(scene.room.elements[0]!.id)!)!.clip;
      });
    await expect.poll(clipNow, { timeout: 30_000 }).toBe(0);
    const begun = await page.evaluate(() => window.enfilade!.stage!.scene.state().time);
    await holdTime(page, begun + 12);
    await expect.poll(clipNow, { timeout: 30_000 }).toBe(1);
    await expect.poll(() => asked.length, { timeout: 30_000 }).toBe(6);
    expect([guest.faults, guest.strays]).toEqual([[], []]);
    await guest.close();
  });
});
