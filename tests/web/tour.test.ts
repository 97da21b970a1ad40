import type { Page } from 'playwright';
import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import { enterRoom, LOOKED_AT, newVisitor } from '../harness/browser.ts';
import { PLACE_COLORS, publishTour } from '../harness/tour-room.ts';
import { webSuite } from '../harness/web-suite.ts';

const suite = webSuite();

const stateOf = (page: Page) =>
  page.evaluate(() => {
    const { stage, state } = window.enfilade!;
    const { x, y, z } = stage!.pose.position;
    return {
      place: stage!.scene.place,
      shown: state.viewPoint,
      heading: ((-stage!.rig.azimuth * 180) / Math.PI + 360) % 360,
      at: [x, y, z].map((value) => Math.round(value) + 0),
      hash: location.hash,
    };
  });

/** Color at a point of the window, away from hotspots and controls. */
async function colorAt(page: Page, x = 0.5, y = 0.25): Promise<string> {
  const { data, info } = await sharp(await page.screenshot())
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  const at = (Math.round(info.height * y) * info.width + Math.round(info.width * x)) * 3;
  return `#${[0, 1, 2].map((part) => data[at + part]!.toString(16).padStart(2, '0')).join('')}`;
}

/** Position in the window of an element. */
const screenOf = (page: Page, name: string) =>
  page.evaluate((wanted) => {
    const { stage } = window.enfilade!;
    const element = stage!.scene.room.elements.find((each) => each.name === wanted)!;
    const matrix = new Float32Array(16);
    stage!.scene.worldMatrix(stage!.scene.entityOf(element.id)!, matrix);
    const point = stage!.camera.position.clone().set(matrix[12]!, matrix[13]!, matrix[14]!).project(stage!.camera);
    const { width, height } = stage!.canvas.getBoundingClientRect();
    return { x: ((point.x + 1) / 2) * width, y: ((1 - point.y) / 2) * height };
  }, name);

describe('a tour', () => {
  test('is walked from place to place: hotspots lead on, and the direction is kept', async () => {
    const { path, places } = await publishTour(suite.app, 3);
    const { page, faults, close } = await newVisitor(suite.browser, {
      ...LOOKED_AT,
      viewport: { width: 900, height: 600 },
    });
    await enterRoom(page, suite.app.origin + path);
    await expect.poll(() => colorAt(page)).toBe(PLACE_COLORS[0]);
    expect(await stateOf(page)).toMatchObject({ place: places[0], shown: places[0], at: [0, 0, 0] });
    await page.keyboard.press('ArrowRight');
    await expect.poll(async () => (await stateOf(page)).heading).toBeGreaterThan(5);
    await expect.poll(async () => (await stateOf(page)).hash).toMatch(/^#view_point=\d+&heading=7\.5&pitch=/);
    const { heading } = await stateOf(page);
    const door = await screenOf(page, 'To 2');
    await page.mouse.click(door.x, door.y);
    await expect.poll(() => colorAt(page)).toBe(PLACE_COLORS[1]);
    const there = await stateOf(page);
    expect(there).toMatchObject({ place: places[1], shown: places[1], at: [0, 0, -1560] });
    expect(Math.abs(there.heading - heading)).toBeLessThan(1);
    // Hotspots of other places are not there.
    const names = () => page.locator('button.stage-press').allTextContents();
    await expect.poll(names).toEqual(['To 3', 'To 1']);
    await page.getByRole('button', { name: 'To 3' }).press('Enter');
    await expect.poll(() => colorAt(page)).toBe(PLACE_COLORS[2]);
    await page.getByRole('button', { name: 'Back to the start' }).click();
    await expect.poll(() => colorAt(page)).toBe(PLACE_COLORS[0]);
    expect(await stateOf(page)).toMatchObject({ place: places[0], at: [0, 0, 0] });
    expect(faults).toEqual([]);
    await close();
  });

  test('has a strip of its places, and links to each with its view', async () => {
    const { path, places } = await publishTour(suite.app, 3);
    const { page, close } = await newVisitor(suite.browser, { ...LOOKED_AT, viewport: { width: 900, height: 600 } });
    await enterRoom(page, `${suite.app.origin}${path}#view_point=${places[1]}&heading=90&pitch=10&fov=40`);
    await expect.poll(() => colorAt(page)).toBe(PLACE_COLORS[1]);
    const linked = await stateOf(page);
    expect(linked.heading).toBeCloseTo(90, 0);
    expect(await page.evaluate(() => window.enfilade!.stage!.camera.getEffectiveFOV())).toBeCloseTo(40, 0);
    const strip = page.getByRole('navigation', { name: 'View points' });
    await strip.getByRole('button', { name: 'Place 2' }).click();
    const third = strip.getByRole('listitem').filter({ hasText: 'Place 3' });
    expect(await third.locator('img').getAttribute('src')).toMatch(/^\/media\/.*width=490$/);
    await third.getByRole('button').click();
    await expect.poll(() => colorAt(page)).toBe(PLACE_COLORS[2]);
    expect(await third.getByRole('button').getAttribute('aria-current')).toBe('true');
    await close();
  });

  test('says so when a link leads to a place that is closed', async () => {
    const { path, places } = await publishTour(suite.app, 2);
    // Visible only to those who are there already.
    await suite.app.client.elements.update({ params: { id: places[1]! }, body: { visible_at: [places[1]!] } });
    const { page, close } = await newVisitor(suite.browser, { ...LOOKED_AT, viewport: { width: 900, height: 600 } });
    await enterRoom(page, suite.app.origin + path);
    await page.getByRole('button', { name: 'To 2' }).press('Enter');
    await page.getByText('This place isn’t open at the moment.').waitFor();
    expect(await stateOf(page)).toMatchObject({ place: places[0] });
    await close();
  });
});
