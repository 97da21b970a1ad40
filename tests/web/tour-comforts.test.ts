import type { Page } from 'playwright';
import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import { enterRoom, LOOKED_AT, newVisitor } from '../harness/browser.ts';
import { publishTour, type TourRoom } from '../harness/tour-room.ts';
import { webSuite } from '../harness/web-suite.ts';
import { nextFrames } from './elements/play.ts';

const suite = webSuite();
const WIDE = { ...LOOKED_AT, viewport: { width: 900, height: 600 } };
const PHONE = { ...LOOKED_AT, viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };

/** Uploads an image in one color, with another below a height. */
async function uploadImage(color: string, ground = color, [width, height] = [800, 400], from = 0.8): Promise<number> {
  const below = Math.round(height! * (1 - from));
  const base = sharp({ create: { width: width!, height: height!, channels: 3, background: color } });
  const patch = sharp({ create: { width: width!, height: below, channels: 3, background: ground } }).png();
  const image = await base
    .composite([{ input: await patch.toBuffer(), left: 0, top: height! - below }])
    .png()
    .toBuffer();
  const file = new File([new Uint8Array(image)], 'image.png', { type: 'image/png' });
  return (await suite.app.client.media.upload({ body: {}, files: { file } })).id;
}

const configure = ({ roomId }: TourRoom, config: object) =>
  suite.app.client.rooms.update({ params: { id: roomId }, body: { config } });

const addImage = async (
  { roomId }: TourRoom,
  body: { name: string; file_id: number; hidden?: boolean; config: Record<string, unknown> },
) => suite.app.client.rooms.addElement({ params: { id: roomId }, body: { element: 'image', ...body } });

/** Adds a floor on which the places are in a column, the first at the bottom. */
async function addPlan(tour: TourRoom, name: string, places = tour.places, hidden = false): Promise<void> {
  const plan_marks = places.map((view_point_id, nth) => ({ view_point_id, x: 0.5, y: 0.8 - 0.3 * nth }));
  const file_id = await uploadImage('#f0f0f0');
  await addImage(tour, { name, file_id, hidden, config: { appearance: 'plan', alt: `Plan of ${name}`, plan_marks } });
}

const placeOf = (page: Page) => page.evaluate(() => window.enfilade!.stage!.scene.place);
const headingOf = (page: Page) =>
  page.evaluate(() => {
    const azimuth = window.enfilade!.stage!.rig.azimuth;
    return ((((-azimuth * 180) / Math.PI) % 360) + 360) % 360;
  });
const look = (page: Page, azimuth: number, polar: number) =>
  page.evaluate(
    ([across, up]) => {
      const { stage } = window.enfilade!;
      stage!.rig.look(across!, up!);
      stage!.refresh();
    },
    [azimuth, polar],
  );

async function colorAt(page: Page, x: number, y: number): Promise<number[]> {
  const { data, info } = await sharp(await page.screenshot())
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  const at = (Math.round(info.height * y) * info.width + Math.round(info.width * x)) * 3;
  return [0, 1, 2].map((part) => data[at + part]!);
}

describe('the plan of a tour', () => {
  test('opens by button and P, shows where the visitor is and looks, and leads to its places', async () => {
    const tour = await publishTour(suite.app, 3);
    await addPlan(tour, 'Ground floor', tour.places.slice(0, 2));
    await addPlan(tour, 'Attic', tour.places.slice(2));
    await addPlan(tour, 'Secret', tour.places, true);
    const { page, faults, close } = await newVisitor(suite.browser, WIDE);
    await enterRoom(page, suite.app.origin + tour.path);
    const button = page.getByRole('button', { name: 'Plan', exact: true });
    expect(await button.getAttribute('aria-expanded')).toBe('false');
    await button.click();
    const panel = page.getByRole('region', { name: 'Plan' });
    await panel.getByRole('img', { name: 'Plan of Ground floor' }).waitFor();
    expect(await panel.getByRole('tab').allTextContents()).toEqual(['Ground floor', 'Attic']);
    expect(await panel.locator('[aria-current="location"]').getAttribute('aria-label')).toBe('Place 1, you are here');
    const cone = panel.locator('div:has(> svg path)').last();
    expect(await cone.evaluate(({ style }) => [style.left, style.top, style.rotate])).toEqual(['50%', '80%', '0deg']);
    await page.keyboard.press('ArrowRight');
    await expect.poll(() => cone.evaluate(({ style }) => Number.parseFloat(style.rotate))).toBeGreaterThan(5);
    await panel.getByRole('button', { name: 'Place 2' }).click();
    await expect.poll(() => placeOf(page)).toBe(tour.places[1]);
    await expect.poll(() => cone.evaluate(({ style }) => style.top)).toBe('50%');
    // Another floor by keyboard, which doesn't turn the view.
    const before = await headingOf(page);
    await panel.getByRole('tab', { name: 'Ground floor' }).focus();
    await page.keyboard.press('ArrowRight');
    await panel.getByRole('img', { name: 'Plan of Attic' }).waitFor();
    expect(await headingOf(page)).toBeCloseTo(before, 3);
    await panel.getByRole('button', { name: 'Place 3' }).press('Enter');
    await expect.poll(() => placeOf(page)).toBe(tour.places[2]);
    await page.getByRole('button', { name: 'Back to the start' }).click();
    await panel.getByRole('img', { name: 'Plan of Ground floor' }).waitFor();
    await page.emulateMedia({ media: 'print' });
    expect(await panel.isVisible()).toBe(false);
    await page.emulateMedia({ media: 'screen' });
    await panel.getByRole('button', { name: 'Place 2' }).focus();
    await page.keyboard.press('Escape');
    await expect.poll(() => panel.count()).toBe(0);
    await expect.poll(() => button.evaluate((node) => node === document.activeElement)).toBe(true);
    await page.keyboard.press('p');
    await panel.waitFor();
    await page.keyboard.press('p');
    await expect.poll(() => panel.count()).toBe(0);
    // Plans don't stand in the room.
    expect(await page.locator('button.stage-press, figure.stage-press').allTextContents()).not.toContain(
      'Ground floor',
    );
    expect(faults).toEqual([]);
    await close();
  });

  test('fills the width of a phone', async () => {
    const tour = await publishTour(suite.app, 2);
    await addPlan(tour, 'Ground floor');
    const { page, context } = await newVisitor(suite.browser, PHONE);
    await enterRoom(page, suite.app.origin + tour.path);
    await page.getByRole('button', { name: 'Plan', exact: true }).tap();
    const panel = page.getByRole('region', { name: 'Plan' });
    const mark = panel.getByRole('button', { name: 'Place 2' });
    const box = (await panel.boundingBox())!;
    expect([box.x, box.x + box.width]).toEqual([12, 378]);
    expect((await mark.boundingBox())!.width).toBeGreaterThanOrEqual(36);
    await mark.tap();
    await expect.poll(() => placeOf(page)).toBe(tour.places[1]);
    await panel.getByRole('button', { name: 'Close plan' }).tap();
    await expect.poll(() => panel.count()).toBe(0);
    await context.close();
  });

  test('has no button without a visible plan', async () => {
    const tour = await publishTour(suite.app, 2);
    await addPlan(tour, 'Secret', tour.places, true);
    const { page, close } = await newVisitor(suite.browser, WIDE);
    await enterRoom(page, suite.app.origin + tour.path);
    await page.getByRole('button', { name: 'Back to the start' }).waitFor();
    await page.keyboard.press('p');
    await nextFrames(page, 5);
    expect(await page.getByLabel('Plan', { exact: true }).count()).toBe(0);
    expect(await page.getByRole('button', { name: /north/ }).count()).toBe(0);
    expect(await page.getByRole('button', { name: /turn(?:ing)?$/ }).count()).toBe(0);
    await close();
  });
});

test('the compass shows the heading, and turns to the north', async () => {
  const tour = await publishTour(suite.app, 2);
  await configure(tour, { compass: true });
  const { page, close } = await newVisitor(suite.browser, WIDE);
  await enterRoom(page, suite.app.origin + tour.path);
  await look(page, -Math.PI / 2, Math.PI / 2);
  const compass = page.getByRole('button', { name: 'Heading 90°. Turn to the north.' });
  await compass.click();
  await expect.poll(async () => Math.min(await headingOf(page), 360 - (await headingOf(page)))).toBeLessThan(0.5);
  await page.getByRole('button', { name: /^Heading (?:0|360)°/ }).waitFor();
  await close();
});

describe('a view that turns by itself', () => {
  test('turns after ten idle seconds, rests on input, and can be stopped', async () => {
    const tour = await publishTour(suite.app, 2);
    await configure(tour, { autorotate_speed: 20 });
    const { page, context } = await newVisitor(suite.browser, WIDE);
    await page.clock.install();
    await enterRoom(page, suite.app.origin + tour.path);
    const stop = page.getByRole('button', { name: 'Stop the view from turning' });
    await stop.waitFor();
    expect(await headingOf(page)).toBeCloseTo(0, 1);
    await page.clock.fastForward(10_000);
    await expect.poll(() => headingOf(page)).toBeGreaterThan(2);
    // The control stays visible while other controls hide.
    expect(await stop.getAttribute('data-turning')).toBe('true');
    await page.mouse.move(300, 300, { steps: 3 });
    await expect.poll(() => stop.getAttribute('data-turning')).toBe('false');
    await page.clock.fastForward(10_000);
    await expect.poll(() => stop.getAttribute('data-turning')).toBe('true');
    await stop.click();
    const start = page.getByRole('button', { name: 'Let the view turn' });
    expect(await start.getAttribute('data-turning')).toBe('false');
    await page.clock.fastForward(20_000);
    await nextFrames(page, 10);
    expect(await start.getAttribute('data-turning')).toBe('false');
    await start.click();
    await expect.poll(() => stop.getAttribute('data-turning')).toBe('true');
    await context.close();
  });

  test('never turns under reduced motion', async () => {
    const tour = await publishTour(suite.app, 2);
    await configure(tour, { autorotate_speed: 20 });
    const { page, context } = await newVisitor(suite.browser, { ...WIDE, reducedMotion: 'reduce' });
    await page.clock.install();
    await enterRoom(page, suite.app.origin + tour.path);
    await page.getByRole('button', { name: 'Back to the start' }).waitFor();
    await page.clock.fastForward(30_000);
    await nextFrames(page, 10);
    expect(await headingOf(page)).toBeCloseTo(0, 1);
    expect(await page.getByRole('button', { name: 'Stop the view from turning' }).count()).toBe(0);
    await context.close();
  });
});

describe('straight below the visitor', () => {
  test('a patch covers the tripod, also in turned photos', async () => {
    const tour = await publishTour(suite.app, 2);
    const file_id = await uploadImage('#00ff00', '#00ff00', [400, 400]);
    const hidden = { name: 'Logo', file_id, config: { appearance: 'nadir', nadir_angle: 30 } };
    await addImage(tour, hidden);
    await suite.app.client.elements.update({
      params: { id: tour.places[0]! },
      body: { config: { panorama_pitch: 40, panorama_roll: 30 } },
    });
    const { page, close } = await newVisitor(suite.browser, WIDE);
    await enterRoom(page, suite.app.origin + tour.path);
    await look(page, 0, 0.02);
    await expect.poll(() => colorAt(page, 0.5, 0.5)).toEqual([0, 255, 0]);
    expect(await colorAt(page, 0.9, 0.1)).not.toEqual([0, 255, 0]);
    await look(page, 0, Math.PI / 2);
    await expect.poll(() => colorAt(page, 0.5, 0.5)).not.toEqual([0, 255, 0]);
    await close();
  });

  test('the photo is blurred with the colors around, and only there', async () => {
    const tour = await publishTour(suite.app, 2);
    // Black within 18° of the nadir.
    const file_id = await uploadImage('#808080', '#000000', [1024, 512], 0.9);
    await suite.app.client.elements.update({ params: { id: tour.places[0]! }, body: { file_id } });
    const down = async () => {
      const { page, close } = await newVisitor(suite.browser, WIDE);
      await enterRoom(page, suite.app.origin + tour.path);
      await look(page, 0, 0.02);
      await nextFrames(page, 5);
      await page.waitForFunction(() => document.getElementById('room')!.dataset.state === 'ready');
      await nextFrames(page, 5);
      const color = await colorAt(page, 0.5, 0.5);
      await close();
      return color;
    };
    await expect.poll(down).toEqual([0, 0, 0]);
    await configure(tour, { nadir_blur: 50 });
    await expect.poll(async () => Math.abs((await down())[0]! - 128)).toBeLessThan(4);
  });
});

test('a phone turns the view on top of the heading', async () => {
  const tour = await publishTour(suite.app, 2);
  const permissions = ['accelerometer', 'gyroscope', 'magnetometer'];
  const { page, context } = await newVisitor(suite.browser, { ...PHONE, permissions });
  await enterRoom(page, suite.app.origin + tour.path);
  await look(page, -Math.PI / 2, Math.PI / 2);
  const hold = (alpha: number, beta: number) =>
    page.evaluate(
      (angles) => void dispatchEvent(new DeviceOrientationEvent('deviceorientation', { ...angles, gamma: 0 })),
      { alpha, beta },
    );
  await page.getByRole('button', { name: 'More' }).tap();
  await page.getByRole('button', { name: 'Look around by moving the device' }).tap();
  const near = (degrees: number) =>
    expect.poll(async () => Math.abs((await headingOf(page)) - degrees)).toBeLessThan(1);
  await expect
    .poll(async () => {
      await hold(200, 90);
      return page.evaluate(() => window.enfilade!.state.followsDevice ?? false);
    })
    .toBe(true);
  await near(90);
  await hold(170, 90);
  await near(120);
  // Turned by a finger or a link: the device goes on from there.
  await look(page, 0, Math.PI / 2);
  await hold(160, 20);
  await near(10);
  // At a place, one looks almost straight down.
  const polar = await page.evaluate(() => window.enfilade!.stage!.rig.controls.polarAngle);
  expect(polar).toBeLessThan((25 * Math.PI) / 180);
  await context.close();
});

describe('the transition between places', () => {
  /** What frames showed during a change: the least share of the new image, and the farthest move into the old one. */
  const change = (page: Page, place: number) =>
    page.evaluate(async (id) => {
      const visit = window.enfilade!;
      const { uniforms } = visit
        .stage!.three.children.flatMap((child) =>
          'material' in child ? [child.material as { uniforms?: Record<string, { value: never }> }] : [],
        )
        .find((material) => material.uniforms?.mixing)! as { uniforms: Record<string, { value: never }> };
      visit.goToViewPoint(id);
      let [mixing, zoom] = [1, 0];
      for (let frames = 0; frames < 1000; frames++) {
        await new Promise((resolve) => requestAnimationFrame(resolve));
        mixing = Math.min(mixing, uniforms.mixing!.value);
        zoom = Math.max(zoom, (uniforms.zoom!.value as { y: number }).y);
        if (visit.stage!.scene.place === id && visit.stage!.camera.position.z < -1 && uniforms.mixing!.value === 1)
          break;
      }
      return { fades: mixing < 1, zooms: zoom > 0 };
    }, place);

  test.each([
    ['zoom', '', { fades: true, zooms: true }],
    ['fade', '', { fades: true, zooms: false }],
    ['cut', '', { fades: false, zooms: false }],
    ['zoom', '?transition=cut', { fades: false, zooms: false }],
    ['cut', '?transition=fade', { fades: true, zooms: false }],
    ['cut', '?transition=spin', { fades: false, zooms: false }],
  ] as const)('is a %s by the template, with %o in the address of an embed', async (transition, query, expected) => {
    const tour = await publishTour(suite.app, 2);
    const { template_id } = await suite.app.client.rooms.read({ params: { id: tour.roomId } });
    await suite.app.client.templates.update({ params: { id: template_id! }, body: { config: { transition } } });
    const { page, close } = await newVisitor(suite.browser, WIDE);
    await enterRoom(page, `${suite.app.origin}${query ? '/embed' : ''}${tour.path}${query}`);
    await page.waitForFunction(() =>
      window.enfilade!.stage!.three.children.some(
        (child) =>
          'material' in child &&
          (child.material as { uniforms?: object }).uniforms &&
          'mixing' in (child.material as { uniforms: object }).uniforms,
      ),
    );
    expect(await change(page, tour.places[1]!)).toEqual(expected);
    await close();
  });
});
