import { afterAll, beforeAll, expect, test } from 'vitest';
import { accessibilityFaults } from '../../harness/admin-page.ts';
import { buildRoom, type CanvasPage, openCanvas } from '../../harness/canvas-page.ts';
import { webSuite } from '../../harness/web-suite.ts';

const suite = webSuite();
let canvas: CanvasPage;
let ids: Record<string, number>;

beforeAll(async () => {
  const room = await buildRoom(suite.app, [
    { element: 'view_point', name: 'Spot', position_x: 50, config: { target_position: { x: 50, y: 0, z: -200 } } },
    { element: 'html', name: 'Page', width: 100, height: 100, position_x: -150, config: { body: '<p>Page</p>' } },
  ]);
  ids = room.ids;
  canvas = await openCanvas(suite.app, suite.browser, room.id);
});
afterAll(() => canvas?.close());

const stands = () =>
  canvas.page.evaluate(() => {
    const { camera } = window.enfiladeCanvas!.stage!;
    const way = camera.getWorldDirection(camera.position.clone());
    const round = (value: number) => Math.round(value * 10) / 10 || 0;
    return {
      at: [camera.position.x, camera.position.y, camera.position.z].map((value) => Math.round(value) || 0),
      way: [way.x, way.y, way.z].map(round),
    };
  });
const look = (position: object, target: object) =>
  canvas.page.evaluate(([from, to]) => window.enfiladeCanvas!.tools!.camera.follow(from as never, to as never), [
    position,
    target,
  ] as const);
const room = () => canvas.page.evaluate(() => window.enfiladeCanvas!.document.room);
const select = (name: string) =>
  canvas.page.getByRole('tree', { name: 'Elements', exact: true }).getByTitle(name, { exact: true }).click();

test('a view point is gone to, and set from the current view; so is the start camera; each is one step', async () => {
  const { page } = canvas;
  await select('Spot');
  await page.getByRole('button', { name: 'Go there' }).click();
  await expect.poll(stands).toEqual({ at: [50, 0, 0], way: [0, 0, -1] });
  await look({ x: -100, y: 40, z: 300 }, { x: 500, y: 40, z: 300 });
  await canvas.stands();
  await page.getByRole('button', { name: 'Set from current view' }).click();
  const { position_x, position_y, position_z, config } = await canvas.element(ids.Spot!);
  expect([position_x, position_y, position_z]).toEqual([-100, 40, 300]);
  expect((config as { target_position: object }).target_position).toEqual({ x: 500, y: 40, z: 300 });
  await canvas.key('Control+z');
  expect((await canvas.element(ids.Spot!)).position_x).toBe(50);

  await canvas.key('Escape');
  await page.getByRole('button', { name: 'Room settings' }).click();
  await page.getByRole('tab', { name: 'Camera' }).click();
  await page.getByRole('button', { name: 'Set from current view' }).click();
  const { camera } = (await room()).config;
  expect(camera.position).toEqual({ x: -100, y: 40, z: 300 });
  expect(camera.angle).toBeNull();
  expect(camera.rotation.y).toBeCloseTo(-Math.PI / 2, 2);
  await look({ x: 0, y: 0, z: 0 }, { x: 0, y: 0, z: -100 });
  await page.getByRole('button', { name: 'Go there' }).click();
  await expect.poll(stands).toEqual({ at: [-100, 40, 300], way: [1, 0, 0] });
  expect(await accessibilityFaults(page)).toEqual([]);
  await page.getByRole('button', { name: 'Cancel' }).click();
  expect((await room()).config.camera.position).toEqual({ x: 0, y: 0, z: 400 });
});

test('portrait screens get a start view of their own from the current view, with a picture of it', async () => {
  const { page } = canvas;
  await page.getByRole('button', { name: 'Room settings' }).click();
  await page.getByRole('tab', { name: 'Camera' }).click();
  await look({ x: -100, y: 40, z: 300 }, { x: 500, y: 40, z: 300 });
  await canvas.stands();
  await page.getByLabel('Own start view for portrait screens').check();
  const { camera } = (await room()).config;
  expect(camera.portrait).toMatchObject({ position: { x: -100, y: 40, z: 300 }, fov: 75 });
  expect(camera.portrait!.target.x).toBeGreaterThan(-100);
  expect(camera.position).toEqual({ x: 0, y: 0, z: 400 });
  const picture = page.getByRole('img', { name: 'Start view on portrait screens' }).locator('canvas');
  await picture.waitFor();
  expect(await picture.evaluate((node: HTMLCanvasElement) => [node.width, node.height])).toEqual([135, 240]);
  await look({ x: 0, y: 0, z: 0 }, { x: 0, y: 0, z: -100 });
  await page.getByRole('button', { name: 'Go there' }).last().click();
  await expect.poll(stands).toEqual({ at: [-100, 40, 300], way: [1, 0, 0] });
  expect(await accessibilityFaults(page)).toEqual([]);
  await page.getByLabel('Own start view for portrait screens').uncheck();
  expect((await room()).config.camera.portrait).toBeNull();
  await page.getByRole('button', { name: 'Cancel' }).click();
});

test('digits go to bookmarks that Ctrl and a digit saved in this browser; the menu does both', async () => {
  const { page } = canvas;
  await look({ x: 10, y: 20, z: 100 }, { x: 10, y: 20, z: -100 });
  await canvas.stands();
  await page.locator('[aria-label="Room"]').focus();
  await canvas.key('Control+2');
  await look({ x: 0, y: 0, z: 400 }, { x: 0, y: 0, z: 0 });
  await canvas.stands();
  await canvas.key('2');
  await expect.poll(stands).toEqual({ at: [10, 20, 100], way: [0, 0, -1] });
  await canvas.key('7');
  await page.getByText('There is no bookmark 7 yet').waitFor();
  await page.getByRole('button', { name: /^Views:/ }).click();
  await page.getByRole('menuitem', { name: /^Save this view as bookmark 1/ }).click();
  await page.getByRole('button', { name: /^Views:/ }).click();
  await page.getByRole('menuitem', { name: /^Go to bookmark 1/ }).waitFor();
  await page.keyboard.press('Escape');
  const kept = await page.evaluate(() => Object.entries(localStorage).filter(([key]) => key.includes('bookmarks')));
  expect(kept).toHaveLength(1);
  expect(Object.keys(JSON.parse(kept[0]![1]))).toEqual(['1', '2']);
});

test('without perspective what is far is as large as what is near; things are picked and dragged, and pages stand right', async () => {
  const { page } = canvas;
  await page.locator('[aria-label="Room"]').focus();
  await canvas.key('Alt+1');
  await canvas.stands();
  await canvas.key('Alt+5');
  await canvas.stands();
  const widthAt = async (z: number) => (await canvas.seen([50, 0, z])).x - (await canvas.seen([0, 0, z])).x;
  expect(await widthAt(-500)).toBeCloseTo(await widthAt(500), 3);
  const before = await widthAt(0);
  await page.mouse.move(700, 500);
  await page.mouse.wheel(0, -300);
  await canvas.frames();
  expect(await widthAt(0)).toBeGreaterThan(before * 1.2);
  // The page lies where its hole is.
  const box = (await page.locator('.stage-html').boundingBox())!;
  const middle = await canvas.at(ids.Page!);
  expect(Math.hypot(box.x + box.width / 2 - middle.x, box.y + box.height / 2 - middle.y)).toBeLessThan(3);
  await canvas.press({ x: middle.x + 8, y: middle.y + 8 });
  expect((await canvas.outlined()).selected).toBe(ids.Page);
  const arrow = await page.evaluate(() => window.enfiladeCanvas!.stage!.three.getObjectByName('handles')!.scale.x);
  const from = await canvas.at(ids.Page!, [arrow * 0.4, 0, 0]);
  await canvas.drag(from, { x: from.x + 60, y: from.y });
  expect((await canvas.element(ids.Page!)).position_x).toBeGreaterThan(-140);
  await canvas.key('Escape');
  await canvas.key('Alt+5');
  await canvas.stands();
  expect(await widthAt(-500)).toBeLessThan(await widthAt(500));
  expect(canvas.faults).toEqual([]);
});

test('two points that are pressed are measured, in units, meters and along the axes; Esc ends it', async () => {
  const { page } = canvas;
  await look({ x: 0, y: 0, z: 400 }, { x: 0, y: 0, z: 0 });
  await canvas.stands();
  await page.getByRole('button', { name: 'Measure' }).click();
  const label = page.locator('.tools-measure');
  await page.getByText('Press the first point').waitFor();
  await canvas.press(await canvas.seen([-100, 150, -600]));
  await canvas.press(await canvas.seen([200, 250, -600]));
  const text = (await label.textContent())!;
  expect(text).toMatch(/^31\d(\.\d)? units \(1\.0\d m\) · X (29|30)\d?(\.\d)?, Y (99|100)(\.\d)?, Z 0(\.\d)?$/);
  expect((await canvas.outlined()).selected, 'nothing is selected by that').toBeNull();
  expect(await canvas.draws('measure')).toBe(true);
  // By the keyboard alone: from what is ahead to what is ahead a few steps on.
  await page.locator('[aria-label="Room"]').focus();
  await canvas.key('Enter');
  await canvas.key('ArrowRight');
  await canvas.stands();
  await canvas.key('Enter');
  await expect.poll(() => label.textContent()).toMatch(/^[1-9][\d.]* units .* X [1-9]/);
  await canvas.key('Escape');
  expect(await canvas.draws('measure')).toBe(false);
  expect(await page.getByRole('button', { name: 'Measure' }).getAttribute('aria-pressed')).toBe('false');
});
