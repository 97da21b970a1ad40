import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildRoom, type CanvasPage, openCanvas } from '../../harness/canvas-page.ts';
import { webSuite } from '../../harness/web-suite.ts';

const suite = webSuite();
let canvas: CanvasPage;
let ids: Record<string, number>;

beforeAll(async () => {
  const file = await suite.app.upload('fixtures/media/panorama-poster.jpg');
  const room = await buildRoom(suite.app, [
    { element: 'light', name: 'Lamp', position_x: -150, config: { light_type: 'point_light', distance: 60 } },
    { element: 'image', name: 'Picture', width: 100, height: 50, position_x: 40, position_z: 10, file_id: file.id },
    {
      element: 'audio',
      name: 'Sound',
      position_y: 80,
      config: { proximity_sensor: true, proximity_sensor_distance: 70 },
    },
    { element: 'view_point', name: 'Spot', position_y: -90, config: { target_position: { x: 60, y: -90, z: 0 } } },
    {
      element: 'html',
      name: 'Page',
      width: 60,
      height: 30,
      position_y: 40,
      position_x: -40,
      config: { body: '<p>Page</p>' },
    },
  ]);
  ids = room.ids;
  canvas = await openCanvas(suite.app, suite.browser, room.id);
});
afterAll(() => canvas?.close());

/** Places of the property handles that are shown, by their names; pixels of the page. */
async function handles(): Promise<Record<string, { x: number; y: number }>> {
  await canvas.frames();
  const found = await canvas.page.evaluate(() =>
    ['dot', 'square'].flatMap((shape) => {
      const points = window.enfiladeCanvas!.stage!.three.getObjectByName(`property-handles ${shape}`)!;
      return points.visible ? (points.userData.handles as { name: string; at: [number, number, number] }[]) : [];
    }),
  );
  const entries = found.map(async ({ name, at }) => [name, await canvas.seen(at)] as const);
  return Object.fromEntries(await Promise.all(entries));
}

async function select(name: string): Promise<void> {
  await canvas.page.getByRole('tree', { name: 'Elements', exact: true }).getByTitle(name, { exact: true }).click();
  await expect.poll(async () => (await canvas.outlined()).selected).toBe(ids[name]);
  await canvas.page.mouse.move(5, 200);
}

const label = () => canvas.page.locator('.tools-value');
const steps = () =>
  canvas.page.evaluate(() => window.enfiladeCanvas!.document.steps.filter(({ isUndone }) => !isUndone).length);
const configOf = async (name: string) => (await canvas.element(ids[name]!)).config as Record<string, unknown>;

test('the distance of a light is dragged at its ball, with the value beside it, and is one step that is undone', async () => {
  await select('Lamp');
  const { 'distance -x': from } = await handles();
  const before = await steps();
  const to = await canvas.seen([-150 - 91, 0, 0]);
  await canvas.drag(from!, to, { release: false });
  expect(await label().textContent()).toMatch(/^Distance: (90|91|92) units$/);
  expect(await steps(), 'the document waits for the end').toBe(before);
  expect((await configOf('Lamp')).distance, 'the room shows it meanwhile').toBeCloseTo(91, -1);
  await canvas.page.mouse.up();
  await canvas.frames();
  expect(await label().isVisible()).toBe(false);
  expect(await steps()).toBe(before + 1);
  expect((await configOf('Lamp')).distance).toBeCloseTo(91, -1);
  await canvas.key('Control+z');
  expect((await configOf('Lamp')).distance).toBe(60);
});

test('Esc during a drag shows what the document has, and makes no step', async () => {
  await select('Lamp');
  const { 'distance +y': from } = await handles();
  const before = await steps();
  await canvas.drag(from!, await canvas.seen([-150, 140, 0]), { release: false });
  expect((await configOf('Lamp')).distance).toBeGreaterThan(100);
  await canvas.key('Escape');
  await canvas.page.mouse.up();
  await canvas.frames();
  expect((await configOf('Lamp')).distance).toBe(60);
  expect(await steps()).toBe(before);
  expect((await canvas.outlined()).selected, 'it stays selected').toBe(ids.Lamp);
});

test('an image is sized at its corner in its ratio, with Shift freely; the opposite corner stays', async () => {
  await select('Picture');
  const { 'size 1 -1': from, 'size -1 1': opposite } = await handles();
  await canvas.drag(from!, await canvas.seen([140, -60, 0]));
  const sized = await canvas.element(ids.Picture!);
  expect(sized.width! / sized.height!).toBeCloseTo(2, 1);
  expect(sized.width).toBeGreaterThan(140);
  expect([sized.scale_x, sized.scale_y]).toEqual([1, 1]);
  const after = (await handles())['size -1 1']!;
  expect(Math.hypot(after.x - opposite!.x, after.y - opposite!.y)).toBeLessThan(3);
  await canvas.page.keyboard.down('Shift');
  const { 'size 1 0': edge } = await handles();
  await canvas.drag(edge!, { x: edge!.x - 40, y: edge!.y });
  await canvas.page.keyboard.up('Shift');
  const freed = await canvas.element(ids.Picture!);
  expect(freed.height).toBe(sized.height);
  expect(freed.width).toBeLessThan(sized.width! - 10);
});

test('a piece of page is sized at its edge, how far a sound is heard at its ring, a view point has its target', async () => {
  await select('Page');
  const { 'size 1 0': edge } = await handles();
  await canvas.drag(edge!, { x: edge!.x + 60, y: edge!.y });
  expect((await canvas.element(ids.Page!)).width).toBeGreaterThan(70);
  expect((await canvas.element(ids.Page!)).height).toBe(30);
  await select('Sound');
  const { 'proximity 0': ring } = await handles();
  await canvas.drag(ring!, { x: ring!.x + 50, y: ring!.y });
  expect((await configOf('Sound')).proximity_sensor_distance).toBeGreaterThan(80);
  await select('Spot');
  const { target } = await handles();
  await canvas.drag(target!, await canvas.seen([0, 0, -600]));
  const { z } = (await configOf('Spot')).target_position as { z: number };
  expect(z, 'on the wall behind').toBe(-600);
  expect(canvas.faults).toEqual([]);
});

test('the camera with which visitors start is shown and dragged while the settings of the space are open', async () => {
  await canvas.key('Escape');
  await canvas.page.getByRole('button', { name: 'Room settings' }).click();
  await canvas.page.evaluate(() => {
    const { tools } = window.enfiladeCanvas!;
    tools!.camera.follow({ x: 0, y: 500, z: 900 }, { x: 0, y: 0, z: 200 });
  });
  await canvas.stands();
  const { position } = await handles();
  await canvas.drag(position!, await canvas.seen([-100, 0, 400]));
  const camera = await canvas.page.evaluate(() => window.enfiladeCanvas!.document.room.config.camera);
  expect(camera.position.x).toBeLessThan(-70);
  expect(camera.position.y).toBe(0);
  expect(camera.angle).toEqual({ x: 0, y: 0, z: 0 });
  await canvas.page.getByRole('button', { name: 'Close the room settings' }).click();
  expect(await handles()).toEqual({});
});
