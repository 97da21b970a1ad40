import { join } from 'node:path';
import type { Page } from 'playwright';
import { beforeAll, describe, expect, test } from 'vitest';
import { enterRoom, newVisitor } from '../harness/browser.ts';
import { webSuite } from '../harness/web-suite.ts';
import { nextFrames } from './elements/play.ts';

const suite = webSuite();
const camera = { rotate: true, zoom: true };
let template_id: number;

beforeAll(async () => {
  const { id } = await suite.app.upload(join(import.meta.dirname, '../../fixtures/media/panorama.jpg'));
  const body = { name: 'Photo', model_type: 'pano' as const, file_id: id };
  template_id = (await suite.app.client.templates.create({ body })).id;
});

const viewOf = (page: Page) =>
  page.evaluate(() => {
    const { rig, pose } = window.enfilade!.stage!;
    const { x, y, z } = pose.position;
    return {
      turned: rig.azimuth,
      tilted: rig.controls.polarAngle,
      at: [x, y, z].map((value) => Math.round(value) + 0),
    };
  });

describe('a 360° photo', () => {
  test('turns with arrow keys, W A S D, the mouse and its controls, and is never walked through', async () => {
    const path = await suite.app.publish({ template_id, config: { camera } });
    const { page, close } = await newVisitor(suite.browser);
    await enterRoom(page, suite.app.origin + path);
    const start = await viewOf(page);
    for (const key of ['ArrowRight', 'd']) {
      const before = (await viewOf(page)).turned;
      await page.keyboard.press(key);
      await expect.poll(async () => (await viewOf(page)).turned).toBeLessThan(before - 0.1);
    }
    await page.keyboard.press('ArrowUp');
    await expect.poll(async () => (await viewOf(page)).tilted).not.toBeCloseTo(start.tilted, 1);
    const { turned } = await viewOf(page);
    await page.getByRole('navigation', { name: 'Look around' }).getByRole('button', { name: 'Turn left' }).click();
    await expect.poll(async () => (await viewOf(page)).turned).toBeGreaterThan(turned + 0.1);
    const dragged = (await viewOf(page)).turned;
    await page.mouse.move(300, 200);
    await page.mouse.down();
    await page.mouse.move(200, 200, { steps: 4 });
    await page.mouse.up();
    await expect.poll(async () => (await viewOf(page)).turned).not.toBeCloseTo(dragged, 1);
    await page.mouse.dblclick(320, 100);
    await nextFrames(page, 10);
    expect((await viewOf(page)).at).toEqual(start.at);
    for (const name of ['Forward', 'Height', 'Show joystick', 'Hide joystick'])
      expect(await page.getByLabel(name).count(), name).toBe(0);
    await close();
  });

  test('explains on a phone how to turn, without buttons over the photo', async () => {
    const path = await suite.app.publish({ template_id, config: { camera } });
    const { page, close } = await newVisitor(suite.browser, {
      viewport: { width: 360, height: 640 },
      hasTouch: true,
      isMobile: true,
    });
    await enterRoom(page, suite.app.origin + path);
    const pad = await page.getByRole('navigation', { name: 'Look around' }).boundingBox();
    expect(pad!.width).toBeLessThan(2);
    await page.getByRole('button', { name: 'More' }).click();
    await page.getByRole('button', { name: 'Help' }).click();
    await page.getByText('Drag with one finger to look around.').waitFor();
    await close();
  });

  test('is walked through where the room sets a range for it', async () => {
    const range = { manual_panning: true, min_pan: { x: -200, z: -200 }, max_pan: { x: 200, z: 200 } };
    const path = await suite.app.publish({ template_id, config: { camera: { ...camera, ...range } } });
    const { page, close } = await newVisitor(suite.browser);
    await enterRoom(page, suite.app.origin + path);
    await page.keyboard.press('ArrowUp');
    await expect.poll(async () => (await viewOf(page)).at[2]).toBeLessThan(-50);
    await page.getByRole('navigation', { name: 'Move' }).waitFor();
    await close();
  });
});
