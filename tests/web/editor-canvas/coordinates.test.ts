import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildRoom, type CanvasPage, openCanvas } from '../../harness/canvas-page.ts';
import { webSuite } from '../../harness/web-suite.ts';

const suite = webSuite();
let canvas: CanvasPage;
let id: number;

beforeAll(async () => {
  const room = await buildRoom(suite.app, [
    { element: 'html', name: 'Page', width: 100, height: 100, config: { body: '<p>Page</p>' } },
  ]);
  id = room.ids.Page!;
  canvas = await openCanvas(suite.app, suite.browser, room.id);
  await canvas.press(await canvas.at(id, [30, 30, 0]));
});
afterAll(() => canvas?.close());

test('what is typed stays while it is no number yet', async () => {
  const field = canvas.page.getByLabel('Position Y');
  await field.focus();
  await field.press('Control+a');
  await field.press('-');
  await canvas.page.waitForTimeout(300);
  expect(await field.inputValue()).toBe('-');
  await field.press('5');
  await field.press('Enter');
  expect((await canvas.element(id)).position_y).toBe(-5);
});

test('numbers run while something is dragged, and end where it is let go', async () => {
  const field = canvas.page.getByLabel('Position X');
  const number = async () => Number(await field.inputValue());
  const from = await canvas.at(id, [40, 0, 0]);
  const to = await canvas.at(id, [140.5, 30, 0]);
  await canvas.drag(from, to, { release: false });
  await expect.poll(number).toBeCloseTo(100, -1);
  await canvas.page.keyboard.press('Escape');
  await expect.poll(number).toBe(0);
  await canvas.page.mouse.up();
  await canvas.drag(from, to);
  const { position_x } = await canvas.element(id);
  expect(position_x).toBeGreaterThan(50);
  await expect.poll(number).toBe(position_x);
  expect(canvas.faults).toEqual([]);
});
