import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startBrowser } from '../harness/browser.ts';
import { pixelsOf } from '../harness/picture.ts';
import { startWebApp, type WebApp } from '../harness/web-app.ts';
import { asset, hasOpenAssets, holdTime, newGuest, sayIfAbsent, visitTree, type Written } from './elements/play.ts';

sayIfAbsent();

let app: WebApp;
let browser: Browser;

beforeAll(async () => {
  [app, browser] = await Promise.all([startWebApp(), startBrowser()]);
});
afterAll(async () => {
  await browser?.close();
  await app?.close();
});

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
  const guest = await newGuest(app, browser);
  await visitTree(app, guest, [element]);
  const pictures = await picturesAt(guest.page, moments);
  expect([guest.faults, guest.strays]).toEqual([[], []]);
  await guest.context.close();
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
    const { id: file_id } = await app.upload('fixtures/media/orrery.glb');
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

describe.skipIf(!hasOpenAssets)('motion capture', () => {
  test('moves a skeleton, the same way each time, and not where it is not to', async () => {
    const { id: file_id } = await app.upload(asset('bvh/fair-dab.bvh'));
    const dance = (animate: boolean): Written =>
      ({ element: 'motion', file_id, height: 260, config: { animate } }) as Written;
    const [first, later, again] = await playAt(dance(true), [1, 3, 1]);
    expect(first!.equals(later!)).toBe(false);
    expect(first!.equals(again!)).toBe(true);
    const [still, stands] = await playAt(dance(false), [1, 3]);
    expect(still!.equals(stands!)).toBe(true);
  });

  test('moves the bones of a model by their names', async () => {
    const { url: src } = await app.upload(asset('bvh/fair-dab.bvh'));
    const { id: file_id } = await app.upload(asset('gltf/RobotExpressive.glb'));
    const [first, later, again] = await playAt({ element: 'motion', file_id, height: 260, config: { src } }, [1, 3, 1]);
    expect(first!.equals(later!)).toBe(false);
    expect(first!.equals(again!)).toBe(true);
  });

  test('comes from a stream, five clips ahead, one after another', async () => {
    const { url: src } = await app.upload(asset('bvh/fair-dab.bvh'));
    const guest = await newGuest(app, browser);
    const { page } = guest;
    const asked: string[] = [];
    page.on('request', (request) => {
      if (request.url().includes('.bvh?r=')) asked.push(request.url());
    });
    await visitTree(app, guest, [{ element: 'motion', height: 260, config: { src, stream: true } }]);
    await expect.poll(() => asked.length, { timeout: 10_000 }).toBe(5);
    expect(new Set(asked).size).toBe(5);
    const clipNow = () =>
      page.evaluate(() => {
        const { scene } = window.enfilade!.stage!;
        return scene.motion(scene.entityOf(scene.room.elements[0]!.id)!)!.clip;
      });
    await expect.poll(clipNow, { timeout: 10_000 }).toBe(0);
    const begun = await page.evaluate(() => window.enfilade!.stage!.scene.state().time);
    await holdTime(page, begun + 12);
    await expect.poll(clipNow, { timeout: 10_000 }).toBe(1);
    await expect.poll(() => asked.length, { timeout: 10_000 }).toBe(6);
    expect([guest.faults, guest.strays]).toEqual([[], []]);
    await guest.context.close();
  });
});
