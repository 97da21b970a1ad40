import type { Page } from 'playwright';
import { describe, expect, test } from 'vitest';
import { enterRoom, LOOKED_AT, newVisitor } from '../harness/browser.ts';
import { pixelAt, pixelsOf } from '../harness/picture.ts';
import { PLACE_COLORS, publishTour } from '../harness/tour-room.ts';
import { webSuite } from '../harness/web-suite.ts';
import { nextFrames } from './elements/play.ts';

const suite = webSuite();

const update = (id: number, body: Parameters<typeof suite.app.client.elements.update>[0]['body']) =>
  suite.app.client.elements.update({ params: { id }, body });

const goTo = (page: Page, element_id: number) =>
  page.evaluate((id) => window.enfilade!.stage!.send({ type: 'go_to', element_id: id }), element_id);

/** Position, heading in degrees, and zoom of the camera. */
const cameraOf = (page: Page) =>
  page.evaluate(() => {
    const { camera, rig } = window.enfilade!.stage!;
    const { x, y, z } = camera.position;
    return {
      at: [x, y, z].map((value) => Math.round(value) + 0),
      heading: Math.round((-rig.azimuth * 180) / Math.PI),
      zoom: camera.zoom,
    };
  });

/** Color of the panorama above the center, away from hotspots. */
async function colorAt(page: Page): Promise<string> {
  const pixel = pixelAt(await pixelsOf(page), 320, 100);
  return `#${[...pixel]
    .map((value) => value.toString(16).padStart(2, '0'))
    .join('')
    .slice(0, 6)}`;
}

/** Titles of the drawn and of the shown hotspots. */
const hotspotsOf = (page: Page) =>
  page.evaluate(() => {
    const { stage } = window.enfilade!;
    const buttons = stage!.scene.room.elements.filter(({ element }) => element === 'button');
    const isTrue = (is: (id: number) => boolean | undefined) =>
      buttons.filter(({ id }) => is(id)).map(({ name, visible_at }) => `${visible_at[0]} ${name}`);
    return {
      drawn: isTrue((id) => stage!.viewOf(id)?.target?.visible),
      shown: isTrue((id) => stage!.viewOf(id)?.object.visible),
    };
  });

/** Enters a tour, where images of the places after the first wait for `send`. */
async function enterHeld(count: number) {
  const tour = await publishTour(suite.app, count);
  const { page, context } = await newVisitor(suite.browser, { ...LOOKED_AT, isNew: true });
  let send = () => {};
  const held = new Promise<void>((resolve) => {
    send = resolve;
  });
  await page.route(/\/media\/.*[1-9]\.png/, async (route) => {
    await held;
    await route.continue();
  });
  await enterRoom(page, suite.app.origin + tour.path);
  await page.addStyleTag({ content: '#overlay { display: none }' });
  await expect.poll(() => colorAt(page)).toBe(PLACE_COLORS[0]);
  return { ...tour, page, send, context };
}

describe('a place of a tour', () => {
  test('is reached although the room is edited while its image loads', async () => {
    const { page, roomId, places, send, context } = await enterHeld(2);
    await goTo(page, places[1]!);
    await update(places[1]!, { position_x: 70 });
    await suite.app.client.rooms.update({ params: { id: roomId }, body: { title: 'Edited' } });
    await expect.poll(() => page.evaluate(() => window.enfilade!.stage!.scene.room.title)).toBe('Edited');
    expect((await cameraOf(page)).at).toEqual([0, 0, 0]);
    send();
    await expect.poll(() => colorAt(page)).toBe(PLACE_COLORS[1]);
    expect((await cameraOf(page)).at).toEqual([70, 0, -1560]);
    await context.close();
  });

  test('keeps its hotspots until the next image is there', async () => {
    const { page, places, send, context } = await enterHeld(3);
    const [first, second] = [[`${places[0]} To 2`], [`${places[1]} To 3`, `${places[1]} To 1`]];
    await expect.poll(() => hotspotsOf(page)).toEqual({ drawn: first, shown: first });
    await goTo(page, places[1]!);
    await expect.poll(() => page.evaluate(() => window.enfilade!.stage!.scene.place)).toBe(places[1]);
    expect((await hotspotsOf(page)).shown).toEqual(first);
    send();
    await expect.poll(async () => (await hotspotsOf(page)).shown).toEqual(second);
    // Those of other places are drawn when the visitor gets there.
    await expect.poll(async () => (await hotspotsOf(page)).drawn).toEqual([...first, ...second]);
    await expect.poll(() => colorAt(page)).toBe(PLACE_COLORS[1]);
    await context.close();
  });

  test('shows its edits: another image, another orientation, another position', async () => {
    const { path, places, roomId } = await publishTour(suite.app, 2);
    const { page, close } = await newVisitor(suite.browser, LOOKED_AT);
    await enterRoom(page, suite.app.origin + path);
    await page.addStyleTag({ content: '#overlay { display: none }' });
    await expect.poll(() => colorAt(page)).toBe(PLACE_COLORS[0]);
    await page.evaluate(() => window.enfilade!.stage!.rig.look(-Math.PI / 4, Math.PI / 2));
    await expect.poll(async () => (await cameraOf(page)).heading).toBe(45);
    const { elements } = await suite.app.client.rooms.read({ params: { id: roomId } });
    const other = elements.find(({ id }) => id === places[1]) as { file_id?: number; file?: { id: number } };
    await update(places[0]!, { file_id: (other.file_id ?? other.file?.id)! });
    await expect.poll(() => colorAt(page)).toBe(PLACE_COLORS[1]);
    await update(places[0]!, { position_y: 30 });
    await expect.poll(async () => (await cameraOf(page)).at).toEqual([0, 30, 0]);
    expect((await cameraOf(page)).heading).toBe(45);
    const turnOf = () =>
      page.evaluate(() => {
        const { stage } = window.enfilade!;
        let turn: number[] = [];
        stage!.three.traverse((object) => {
          const { uniforms } = ((object as { material?: object }).material ?? {}) as {
            uniforms?: Record<string, { value: { elements: number[] } }>;
          };
          if (uniforms?.oldTurn) turn = [...uniforms.turn!.value.elements];
        });
        return turn.map((value) => Math.round(value) + 0);
      });
    const before = await turnOf();
    await update(places[0]!, { config: { panorama_heading: 90 } });
    await expect.poll(turnOf).not.toEqual(before);
    await close();
  });

  test('is looked around at with any button or finger, even in rooms that are only walked', async () => {
    const still = { camera: { rotate: false, rotate_left_button: false, zoom: false } };
    const { path, roomId } = await publishTour(suite.app, 1);
    await suite.app.client.rooms.update({ params: { id: roomId }, body: { config: still } });
    const { page, close } = await newVisitor(suite.browser, LOOKED_AT);
    await enterRoom(page, suite.app.origin + path);
    await expect.poll(() => colorAt(page)).toBe(PLACE_COLORS[0]);
    let heading = (await cameraOf(page)).heading;
    for (const button of ['left', 'right'] as const) {
      await page.mouse.move(320, 100);
      await page.mouse.down({ button });
      await page.mouse.move(200, 100, { steps: 4 });
      await page.mouse.up({ button });
      await expect.poll(async () => (await cameraOf(page)).heading).toBeGreaterThan(heading);
      const now = await cameraOf(page);
      expect(now.at).toEqual([0, 0, 0]);
      heading = now.heading;
    }
    await close();
  });

  test('keeps the view where the visitor looks if its whole image is missing', async () => {
    const { path, places } = await publishTour(suite.app, 2);
    const { page, context } = await newVisitor(suite.browser, { ...LOOKED_AT, isNew: true });
    let fail = () => {};
    const failed = new Promise<void>((resolve) => {
      fail = resolve;
    });
    await page.route(/\/media\/.*1\.png$/, async (route) => {
      await failed;
      await route.abort();
    });
    await enterRoom(page, suite.app.origin + path);
    await page.addStyleTag({ content: '#overlay { display: none }' });
    await goTo(page, places[1]!);
    await expect.poll(async () => (await cameraOf(page)).at).toEqual([0, 0, -1560]);
    await page.evaluate(() => window.enfilade!.stage!.rig.zoomTo(40));
    await expect.poll(async () => (await cameraOf(page)).zoom).toBeGreaterThan(1.2);
    const { zoom } = await cameraOf(page);
    fail();
    await page.getByText('Part of this room could not be loaded.').waitFor({ state: 'attached' });
    // As long as a move would take.
    await nextFrames(page, 30);
    expect((await cameraOf(page)).zoom).toBeCloseTo(zoom, 3);
    await context.close();
  });
});
