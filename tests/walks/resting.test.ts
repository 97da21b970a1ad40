import type { Page } from 'playwright';
import { describe, expect, test } from 'vitest';
import { buildRoom, openCanvas } from '../harness/canvas-page.ts';
import { pixelsOf } from '../harness/picture.ts';
import { webSuite } from '../harness/web-suite.ts';
import { newGuest, nextFrames, standIn, uploadSite, visitTree, type Written } from '../web/elements/play.ts';

const suite = webSuite();

/** Frames of the browser in a row in which nothing is drawn when a room rests, and among how many they are awaited. */
const STILL = 120;
const AWAITED = 3000;

/** Milliseconds after which every disc rests. */
const LATER = 11_000;

const framesOf = (page: Page) => page.evaluate(() => window.enfilade!.stage!.frames);

/** Waits until a room has drawn nothing for a while. @returns whether it did */
const rests = (page: Page) =>
  page.evaluate(
    async ([still, awaited]) => {
      const { stage } = window.enfilade!;
      let drawn = stage!.frames;
      for (let left = awaited!, count = 0; left > 0; left--) {
        await new Promise(requestAnimationFrame);
        count = stage!.frames === drawn ? count + 1 : 0;
        drawn = stage!.frames;
        if (count === still) return true;
      }
      return false;
    },
    [STILL, AWAITED],
  );

/**
 * Lets a page believe that it is later than it was: a disc pulses for some seconds after what a visitor did, and each of its
 * frames would be drawn.
 */
const later = (page: Page) =>
  page.evaluate((by) => {
    const now = performance.now.bind(performance);
    performance.now = () => now() + by;
  }, LATER);

const disc = (fields: Partial<Written> = {}): Written =>
  ({
    element: 'view_point',
    position_y: -100,
    rotation_x: 0.4,
    ...fields,
    config: { name: 'Here', pulse_radius: 90 },
  }) as Written;

/** A figure of one bone that turns a little from frame to frame. */
const WAVING = `HIERARCHY
ROOT Hips
{
  OFFSET 0 0 0
  CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation
  JOINT Spine
  {
    OFFSET 0 10 0
    CHANNELS 3 Zrotation Xrotation Yrotation
    End Site
    {
      OFFSET 0 10 0
    }
  }
}
MOTION
Frames: 40
Frame Time: 0.05
${Array.from({ length: 40 }, (_, frame) => `0 0 0 0 0 0 ${frame * 2} 0 0`).join('\n')}
`;
const WAVING_AT = 'https://other.example/waving.bvh';
const answers = { 'https://other.example/': { body: WAVING, type: 'text/plain' } };

describe('a room in which nobody does anything', () => {
  test('draws nothing, with a disc in view and all that only stands there; a moved pointer has the disc pulse again', async () => {
    const guest = await newGuest(suite.app, suite.browser);
    const { page } = guest;
    const file_id = await uploadSite(suite.app, standIn('#00ff00'));
    await visitTree(suite.app, guest, [
      disc(),
      { element: 'html', width: 100, height: 80, position_x: -200, config: { body: '<p>Page</p>' } },
      { element: 'iframe', width: 100, height: 80, position_x: 200, file_id },
      { element: 'audio', config: { file_url: '/media/none.mp3' } },
      { element: 'light', config: { light_type: 'spot_light' } },
      { element: 'text', position_y: 150, config: { text: 'Text' } },
    ]);
    await later(page);
    expect(await rests(page)).toBe(true);
    const resting = (await pixelsOf(page)).data;
    const before = await framesOf(page);
    await nextFrames(page, STILL);
    expect(await framesOf(page)).toBe(before);
    await page.mouse.move(10, 10);
    await page.mouse.move(40, 40);
    await page.waitForFunction((count) => window.enfilade!.stage!.frames > count + 10, before);
    await later(page);
    expect(await rests(page)).toBe(true);
    expect((await pixelsOf(page)).data.equals(resting), 'it always rests with the same look').toBe(true);
    await guest.close();
  }, 120_000);

  test('draws nothing with more discs than are drawn one by one', async () => {
    const guest = await newGuest(suite.app, suite.browser);
    const discs = Array.from({ length: 60 }, (_, index) => disc({ position_x: (index - 30) * 10 }));
    await visitTree(suite.app, guest, discs);
    await later(guest.page);
    expect(await rests(guest.page)).toBe(true);
    expect(guest.faults).toEqual([]);
    await guest.close();
  }, 120_000);

  test('draws nothing for a disc that is out of view, whatever the pointer does', async () => {
    const guest = await newGuest(suite.app, suite.browser);
    const { page } = guest;
    await visitTree(suite.app, guest, [disc({ position_z: 580 })]);
    expect(await rests(page)).toBe(true);
    const before = await framesOf(page);
    for (let step = 0; step < 10; step++) {
      await page.mouse.move(100 + step * 10, 100);
      await nextFrames(page, 6);
    }
    expect(await framesOf(page)).toBe(before);
    await guest.close();
  }, 120_000);

  test('draws nothing in the editor, where nothing moves by itself', async () => {
    const { id: file_id } = await suite.app.upload('fixtures/media/orrery.glb');
    const { id } = await buildRoom(suite.app, [
      disc(),
      { element: 'model', file_id, width: 100, height: 100, depth: 100, config: { animate: true } },
    ]);
    const canvas = await openCanvas(suite.app, suite.browser, id);
    await canvas.frames(60);
    const frames = () => canvas.page.evaluate(() => window.enfiladeCanvas!.stage!.frames);
    const before = await frames();
    await canvas.frames(STILL);
    expect(await frames()).toBe(before);
    await canvas.close();
  });
});

describe('for visitors who asked for less motion', () => {
  test('discs, models, figures and the room itself stand still', async () => {
    const { id: file_id, url } = await suite.app.upload('fixtures/media/orrery.glb');
    const template = await suite.app.client.templates.create({
      body: { name: 'Orrery', model_type: 'model', file_id, config: { animate: true } },
    });
    const guest = await newGuest(suite.app, suite.browser, answers);
    const { page } = guest;
    await page.emulateMedia({ reducedMotion: 'reduce' });
    const moving: Written[] = [
      disc(),
      { element: 'model', file_id, width: 200, height: 200, depth: 200, config: { animate: true } },
      { element: 'motion', height: 100, position_x: -150, config: { src: WAVING_AT, animate: true } },
      { element: 'motion', height: 100, position_x: 150, config: { src: WAVING_AT, animate: true, stream: true } },
      {
        element: 'native_video',
        width: 200,
        height: 200,
        depth: 200,
        config: { src: '/media/none.mp4', model_file_url: url, model_animate: true, model_mesh_selector: 'Mercury' },
      },
    ];
    await visitTree(suite.app, guest, moving, {
      width: 1000,
      height: 600,
      depth: 1200,
      template_id: template.id,
      config: { camera: { fov: 50, position: { x: 0, y: 0, z: 400 } }, ambient_light: 1, pixelratio: 1 },
    });
    expect(await rests(page)).toBe(true);
    // As still as at the beginning, however late it is.
    const early = (await pixelsOf(page)).data;
    await page.evaluate(() => window.enfilade!.stage!.holdTime(1234.5));
    await nextFrames(page, 4);
    expect((await pixelsOf(page)).data.equals(early)).toBe(true);
    expect(guest.strays).toEqual([]);
    await guest.context.close();
  }, 120_000);
});
