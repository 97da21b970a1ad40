import type { Page } from 'playwright';
import { expect, test } from 'vitest';
import { enterRoom, newVisitor } from '../harness/browser.ts';
import { webSuite } from '../harness/web-suite.ts';

const suite = webSuite();

const viewOf = (page: Page) =>
  page.evaluate(() => {
    const { pose, camera } = window.enfilade!.stage!;
    const { x, y, z } = pose.position;
    const ahead = camera.getWorldDirection(camera.position.clone()).toArray();
    return {
      at: [x, y, z].map(Math.round),
      ahead: ahead.map((value) => Math.round(value * 10) / 10 + 0),
      fov: pose.fov,
    };
  });

const position = { x: 0, y: 0, z: 900 };
const portrait = { position: { x: -300, y: 20, z: 100 }, target: { x: 300, y: 20, z: 100 }, fov: 50 };

test('a phone held upright starts at its own view, other screens at the usual one', async () => {
  const own = await suite.app.publish({ depth: 3000, config: { camera: { position, portrait } } });
  const usual = await suite.app.publish({ depth: 3000, config: { camera: { position } } });
  const start = { at: [0, 0, 900], ahead: [0, 0, -1] };
  for (const [path, viewport, view] of [
    [own, { width: 640, height: 400 }, { ...start, fov: 50 }],
    [own, { width: 360, height: 640 }, { at: [-300, 20, 100], ahead: [1, 0, 0], fov: 50 }],
    [usual, { width: 360, height: 640 }, { ...start, fov: 75 }],
  ] as const) {
    const { page, close } = await newVisitor(suite.browser, { viewport });
    await enterRoom(page, suite.app.origin + path);
    expect(await viewOf(page)).toEqual(view);
    await page.evaluate(() => {
      window.enfilade!.stage!.rig.moveTo({ x: 0, y: 0, z: 0 }, { x: 0, y: 0, z: -9 }, undefined, false);
      window.enfilade!.stage!.rig.reset(false);
      window.enfilade!.stage!.invalidate();
    });
    await expect.poll(() => viewOf(page)).toEqual(view);
    await close();
  }
});
