import type { Page } from 'playwright';
import { expect, test } from 'vitest';
import { BLUNT, enterRoom, newVisitor, type Visitor } from '../harness/browser.ts';
import { shellModel } from '../harness/shell-model.ts';
import { webSuite } from '../harness/web-suite.ts';
import { idOf, nextFrames, type Written } from './elements/play.ts';
import { lookFrom, publishWalls, seenAt, VIEWS } from './pressing/walls.ts';

const suite = webSuite();

const door: Written = {
  element: 'button',
  name: 'door',
  config: { title: 'In', font_size: 60, navigation: { type: 'event', type_config: { name: 'pressed' } } },
};

/** A visitor with a touch screen, of a room with a door on each wall. */
async function visit(...more: Written[]): Promise<Visitor> {
  const visitor = await newVisitor(suite.browser, { deviceScaleFactor: BLUNT, hasTouch: true });
  await enterRoom(visitor.page, suite.app.origin + (await publishWalls(suite.app, [door], more)));
  // Controls would lie over what is pressed.
  await visitor.page.addStyleTag({ content: '#overlay { display: none }' });
  return visitor;
}

type Hand = 'finger' | 'mouse';

/**
 * Presses twice at a point of the page, as fast as is said, however busy the machine is.
 * @param apart milliseconds
 */
async function pressTwice(page: Page, hand: Hand, { x, y }: { x: number; y: number }, apart: number): Promise<void> {
  const input = await page.context().newCDPSession(page);
  const now = (performance.timeOrigin + performance.now()) / 1000;
  for (const timestamp of [now - apart / 1000, now])
    if (hand === 'finger') {
      await input.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [{ x, y }], timestamp });
      await input.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [], timestamp });
    } else {
      const press = { x, y, button: 'left' as const, clickCount: 1, timestamp };
      await input.send('Input.dispatchMouseEvent', { type: 'mouseMoved', x, y, timestamp });
      await input.send('Input.dispatchMouseEvent', { type: 'mousePressed', ...press });
      await input.send('Input.dispatchMouseEvent', { type: 'mouseReleased', ...press });
    }
  await input.detach();
  await nextFrames(page);
}

test('two quick presses on an element press it once, two slow ones twice, and nothing moves', async () => {
  const visitor = await visit();
  const { page: room } = visitor;
  const id = await idOf(room, 'north door');
  await lookFrom(room, VIEWS['ahead from z = 0']!, id);
  const place = await seenAt(room, id);
  /** How often the room has said that its door was pressed. */
  const presses = () => room.evaluate(() => (window.dataLayer ?? []).filter(({ event }) => event === 'pressed').length);
  const pose = () => room.evaluate(() => window.enfilade!.stage!.camera.position.toArray());
  const before = await pose();
  let wanted = 0;
  for (const hand of ['finger', 'mouse'] as const) {
    await pressTwice(room, hand, place, 300);
    wanted += 1;
    await expect.poll(presses, { message: `quickly by ${hand}` }).toBe(wanted);
    await pressTwice(room, hand, place, 600);
    wanted += 2;
    await expect.poll(presses, { message: `slowly by ${hand}` }).toBe(wanted);
  }
  // Each press of a key counts.
  for (let count = 0; count < 2; count++)
    await room.locator('[data-element-id]', { hasText: 'In' }).first().press('Enter');
  await expect.poll(presses).toBe(wanted + 2);
  await lookFrom(room, VIEWS['ahead from z = 0']!, id);
  expect(await pose()).toEqual(before);
  expect(visitor.faults).toEqual([]);
  await visitor.page.context().close();
});

/** Stands a visitor at the back of a room, and tells where they are and what they see. */
function walkerIn(room: Page) {
  const stands = () =>
    room.evaluate(() => window.enfilade!.stage!.camera.position.toArray().map((each) => Math.round(each / 10) * 10));
  const start = (z = 800) =>
    room.evaluate(async (from) => {
      const stage = window.enfilade!.stage!;
      stage.rig.moveTo({ x: 0, y: 0, z: from }, { x: 0, y: 0, z: 0 }, undefined, false);
      stage.invalidate();
      for (let frame = 0; frame < 4; frame++) await new Promise(requestAnimationFrame);
    }, z);
  const at = (point: readonly [number, number, number]) =>
    room.evaluate(([x, y, z]) => {
      const { camera } = window.enfilade!.stage!;
      const seen = camera.position.clone().set(x, y, z).project(camera);
      return { x: ((seen.x + 1) / 2) * innerWidth, y: ((1 - seen.y) / 2) * innerHeight };
    }, point);
  return { stands, start, at };
}

test('a double tap or double click on anything else goes there, at eye height and within the room', async () => {
  const { id: file_id } = await suite.app.upload('fixtures/media/pictures/chapel-light.webp');
  const post = {
    element: 'image',
    file_id,
    width: 100,
    height: 100,
    position_x: 300,
    position_z: -300,
    config: { zoomable: false },
  } as const;
  const visitor = await visit(post);
  const { page: room } = visitor;
  const { stands, start, at } = walkerIn(room);
  for (const hand of ['finger', 'mouse'] as const) {
    await start();
    await pressTwice(room, hand, await at([-200, -500, -300]), 300);
    await expect.poll(stands, { message: `on the floor by ${hand}` }).toEqual([-200, 0, -300]);
    await start();
    await pressTwice(room, hand, await at([300, 0, -300]), 300);
    await expect.poll(stands, { message: `up to the image by ${hand}` }).toEqual([250, 0, -110]);
    await start();
    await pressTwice(room, hand, await at([0, 400, -1200]), 300);
    await expect.poll(stands, { message: `up to the wall by ${hand}` }).toEqual([0, 0, -1000]);
  }
  // Two slow taps go nowhere.
  await start();
  await pressTwice(room, 'finger', await at([-200, -500, -300]), 600);
  expect(await stands()).toEqual([0, 0, 800]);
  expect(visitor.faults).toEqual([]);
  await visitor.page.context().close();
});

test('in a room that is one model, a double tap goes up to the wall of the model', async () => {
  const { client } = suite.app;
  const { id: file_id } = await client.media.upload({ body: {}, files: { file: await shellModel() } });
  const template = await client.templates.create({ body: { name: 'Shell', model_type: 'model', file_id } });
  const path = await suite.app.publish({ width: 3000, height: 1000, depth: 3000, template_id: template.id });
  const visitor = await newVisitor(suite.browser, { deviceScaleFactor: BLUNT, hasTouch: true });
  const { page: room } = visitor;
  await enterRoom(room, suite.app.origin + path);
  await room.addStyleTag({ content: '#overlay { display: none }' });
  const { stands, start, at } = walkerIn(room);
  await start(400);
  // A cube of 1,000 units, in a room of 3,000.
  await pressTwice(room, 'finger', await at([0, 100, -500]), 300);
  await expect.poll(stands).toEqual([0, 0, -300]);
  expect(visitor.faults).toEqual([]);
  await visitor.page.context().close();
});
