import type { XRDevice } from 'iwer';
import type { Page } from 'playwright';
import { Matrix4, Vector3 } from 'three';
import { describe, expect, test } from 'vitest';
import { UNITS_PER_METER } from '../../engine/document/constants.ts';
import { enterRoom, LOOKED_AT, newVisitor, type Visitor } from '../harness/browser.ts';
import { type Pixels, pixelAt, pixelsOf } from '../harness/picture.ts';
import { webSuite } from '../harness/web-suite.ts';

declare global {
  interface Window {
    /** The emulated headset. */
    headset: XRDevice;
    IWER: typeof import('iwer');
  }
}

const suite = webSuite();

/** A visitor whose browser has a headset: Meta's own emulation of one. @param drawn how many pixels there are for the two eyes */
async function withHeadset(drawn = {}): Promise<Visitor> {
  const visitor = await newVisitor(suite.browser, drawn);
  await visitor.page.addInitScript({ path: 'node_modules/iwer/build/iwer.js' });
  await visitor.page.addInitScript(() => {
    window.headset = new window.IWER.XRDevice(window.IWER.metaQuest3);
    window.headset.installRuntime({ forceInstall: true });
    window.headset.stereoEnabled = true;
  });
  return visitor;
}

const room = { width: 2000, height: 1000, depth: 2000, config: { camera: { position: { x: 0, y: 0, z: 600 } } } };

const sign = {
  element: 'button' as const,
  width: 200,
  height: 100,
  position_z: 100,
  config: {
    title: 'Read on',
    font_size: 40,
    navigation: { type: 'modal_content' as const, type_config: { title: 'More', content: '<p>Here it is.</p>' } },
  },
};

async function chooseMore(page: Page, item: string): Promise<void> {
  // By keyboard: the emulated headset's picture covers the page.
  await page.getByRole('button', { name: 'More' }).press('Enter');
  await page.getByRole('button', { name: item }).press('Enter');
}

/** Whether the headset shows the room, and has drawn it a few times. */
async function showsFrames(page: Page): Promise<void> {
  await page.waitForFunction(() => window.headset.activeSession !== undefined);
  const before = await page.evaluate(() => window.enfilade!.stage!.frames);
  await page.waitForFunction((frames) => window.enfilade!.stage!.frames > frames + 5, before);
}

const poseOf = (page: Page) =>
  page.evaluate(() => {
    const { camera } = window.enfilade!.stage!;
    return { position: camera.position.toArray(), matrix: camera.matrixWorld.toArray() };
  });
/** Mean column of a picture's brass pixels between two columns. */
function middleOfBrass(picture: Pixels, from: number, till: number): number {
  const columns: number[] = [];
  for (let y = 0; y < picture.height; y++)
    for (let x = from; x < till; x++) {
      const [red, , blue] = pixelAt(picture, x, y);
      if (red - blue > 90) columns.push(x);
    }
  return columns.reduce((sum, x) => sum + x, 0) / columns.length;
}
const aheadOf = (matrix: number[]) => new Vector3(0, 0, -1).transformDirection(new Matrix4().fromArray(matrix));

describe('a room in a headset', () => {
  test('the button is there only with a headset', async () => {
    const path = await suite.app.publish(room);
    const { page, close } = await newVisitor(suite.browser);
    await enterRoom(page, suite.app.origin + path);
    await page.getByRole('button', { name: 'More' }).click();
    await page.locator('#overlay').getByRole('link', { name: 'Read this room as text' }).waitFor();
    expect(await page.getByRole('button', { name: 'Enter VR' }).count()).toBe(0);
    await close();

    const other = await withHeadset();
    await enterRoom(other.page, suite.app.origin + path);
    await other.page.getByRole('button', { name: 'More' }).click();
    await other.page.getByRole('button', { name: 'Enter VR' }).waitFor();
    await other.context.close();
  });

  test('both eyes see it from where the camera stood, the head turns the view, and leaving gives the page back', async () => {
    const path = await suite.app.publish(room, [sign]);
    const { page, context, faults } = await withHeadset(LOOKED_AT);
    await enterRoom(page, suite.app.origin + path);
    const before = await poseOf(page);
    await chooseMore(page, 'Enter VR');
    await showsFrames(page);
    const inside = await poseOf(page);
    for (const axis of [0, 1, 2]) expect(inside.position[axis]).toBeCloseTo(before.position[axis]!, 0);

    // The sign stands straight ahead: the left eye sees it right of its own middle, the right eye left of its own.
    const picture = await pixelsOf(page);
    const half = picture.width / 2;
    const offCenter = (from: number) => middleOfBrass(picture, from, from + half) - from - half / 2;
    expect(offCenter(0)).toBeGreaterThan(1);
    expect(offCenter(half)).toBeLessThan(-1);
    // A quarter turn to the left, and a step of half a meter to the right.
    await page.evaluate(() => {
      window.headset.quaternion.set(0, Math.SQRT1_2, 0, Math.SQRT1_2);
      window.headset.position.x += 0.5;
    });
    await showsFrames(page);
    const turned = await poseOf(page);
    expect(aheadOf(inside.matrix).z).toBeCloseTo(-1, 2);
    expect(aheadOf(turned.matrix).x).toBeCloseTo(-1, 2);
    expect(turned.position[0]! - inside.position[0]!).toBeCloseTo(0.5 * UNITS_PER_METER, 0);

    await chooseMore(page, 'Exit VR');
    await page.waitForFunction(() => window.headset.activeSession === undefined);
    await expect
      .poll(async () => (await poseOf(page)).position.map(Math.round))
      .toEqual(before.position.map(Math.round));
    const canvas = page.locator('#room > .stage-canvas');
    expect(await canvas.boundingBox()).toMatchObject({ width: 640, height: 400 });
    expect(await canvas.evaluate((element: HTMLCanvasElement) => element.width)).toBe(640);
    await page.getByRole('button', { name: 'Forward' }).click();
    await expect.poll(async () => (await poseOf(page)).position[2]).toBeLessThan(before.position[2]! - 50);
    expect(faults).toEqual([]);
    await context.close();
  });

  test('a controller walks, turns, and presses what it points at; a dialog brings the visitor back to the page', async () => {
    const path = await suite.app.publish(room, [sign]);
    const { page, context, faults } = await withHeadset();
    await enterRoom(page, suite.app.origin + path);
    await chooseMore(page, 'Enter VR');
    await showsFrames(page);
    const before = await poseOf(page);
    const push = (axis: 'x-axis' | 'y-axis', value: number) =>
      page.evaluate(([name, amount]) => window.headset.controllers.right!.updateAxis('thumbstick', name, amount), [
        axis,
        value,
      ] as const);
    await push('y-axis', 1);
    await expect.poll(async () => (await poseOf(page)).position[2]).toBeGreaterThan(before.position[2]! + 100);
    await push('y-axis', 0);
    // Pushed once, it turns once, however long it stays there.
    await push('x-axis', 1);
    await expect.poll(async () => aheadOf((await poseOf(page)).matrix).x).toBeCloseTo(0.5, 2);
    await showsFrames(page);
    expect(aheadOf((await poseOf(page)).matrix).x).toBeCloseTo(0.5, 2);
    await push('x-axis', -1);
    await expect.poll(async () => aheadOf((await poseOf(page)).matrix).x).toBeCloseTo(0, 2);
    await push('x-axis', 0);

    const press = (value: number) =>
      page.evaluate((amount) => window.headset.controllers.right!.updateButtonValue('trigger', amount), value);
    // Beside the sign there is nothing to press.
    await page.evaluate(() => {
      const { controllers, position } = window.headset;
      controllers.right!.position.set(position.x, position.y, position.z);
      controllers.right!.quaternion.set(0, 1, 0, 0);
    });
    await showsFrames(page);
    await press(1);
    await showsFrames(page);
    await press(0);
    await page.evaluate(() => window.headset.controllers.right!.quaternion.set(0, 0, 0, 1));
    await showsFrames(page);
    await press(1);
    await page.waitForFunction(() => window.headset.activeSession === undefined);
    await page.getByRole('dialog').getByText('Here it is.').waitFor();
    await page.getByRole('button', { name: 'OK' }).click();
    expect(faults).toEqual([]);
    await context.close();
  });

  test('without a controller, a look that rests on something presses it, also in the next room of the same session', async () => {
    const bell = { type: 'event' as const, type_config: { name: 'bell' } };
    const path = await suite.app.publish(room, [{ ...sign, config: { ...sign.config, navigation: bell } }]);
    const { page, context, faults } = await withHeadset();
    await enterRoom(page, suite.app.origin + path);
    await page.evaluate(() => {
      for (const controller of Object.values(window.headset.controllers)) controller.connected = false;
    });
    await chooseMore(page, 'Enter VR');
    await showsFrames(page);
    const rings = () => page.evaluate(() => window.dataLayer!.filter(({ event }) => event === 'bell').length);
    await expect.poll(rings, { timeout: 30_000 }).toBe(1);
    await page.evaluate(async () => {
      const visit = window.enfilade!;
      const { room, ...endpoint } = visit.state.endpoint!;
      const elements = room!.elements.map((element) => ({ ...element, children: [] }));
      const before = visit.stage!.scene;
      await visit.open({ endpoint: { ...endpoint, room: { ...room!, elements } }, at: 0 });
      if (visit.stage!.scene === before) throw new Error('The visitor is still in the first room.');
    });
    await showsFrames(page);
    expect(await page.evaluate(() => window.headset.activeSession !== undefined)).toBe(true);
    await expect.poll(rings, { timeout: 30_000 }).toBe(2);
    await page.evaluate(() => window.enfilade!.endAccess());
    await page.waitForFunction(() => window.headset.activeSession === undefined);
    expect(faults).toEqual([]);
    await context.close();
  });
});
