import type { Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Element } from '../../engine/document/element.ts';
import { accessibilityFaults } from '../harness/admin-page.ts';
import { enterRoom, newVisitor, type Visitor } from '../harness/browser.ts';
import { colorCount, pixelsOf } from '../harness/picture.ts';
import { webSuite } from '../harness/web-suite.ts';
import { idOf, nextFrames } from '../web/elements/play.ts';
import { seenAt } from '../web/pressing/walls.ts';
import { byKeyboard, byTree, type Way } from './ways.ts';

const suite = webSuite({ demo: true });

const ROOMS = ['/lake', '/lake/night', '/lake/cinema', '/lake/hours', '/gallery', '/observatory', '/workshop'];
const VAULT = '/vault';
const CODE = 'open-sesame-1';
/** A desk's and a phone's, with few pixels: they are drawn in software. */
const SIZES = [
  { width: 480, height: 300 },
  { width: 240, height: 520 },
] as const;
/** Whole rooms are drawn at each step, without a graphics card: in few pixels. */
const SMALL = { viewport: { width: 400, height: 260 }, deviceScaleFactor: 0.25 };

/** One of the demo's rooms behind a code. */
beforeAll(async () => {
  const { client } = suite.app;
  const room = await client.visit.two({ params: { slugOne: 'lake', slugTwo: 'hours' } });
  const body = { name: 'Vault', room_id: room.room!.id, is_protected: true };
  const { id } = await client.endpoints.create({ body });
  await client.accessTokens.create({ body: { endpoint_id: id, token: CODE } });
});

/** What a press may change: the room, what covers it, the view point, what plays. */
const stateOf = (page: Page) =>
  page.evaluate(() => {
    const { state, stage } = window.enfilade!;
    const { scene } = stage!;
    const playing = scene.room.elements.map(({ id }) => scene.media(scene.entityOf(id)!)?.status ?? null);
    const { dialog, slide, viewPoint, fullPage } = state;
    return JSON.stringify({ path: location.pathname, dialog, slide: slide?.index, viewPoint, fullPage, playing });
  });

/** Titles of what leads to another room. */
const titlesOfWaysOut = (elements: readonly Element[]): string[] =>
  elements.flatMap(({ config }) => {
    const { title = '', navigation } = config as { title?: string; navigation?: { type: string } };
    return title && navigation?.type === 'slug' ? [title] : [];
  });

/** How many elements can be reached in the room. */
const reachable = (page: Page) => page.locator('#room [data-element-id]').count();

/** Whether the structure of the address is open. */
const isOpen = () => window.enfilade?.state.endpoint?.path === location.pathname;

/** Brings a visitor back to the room as it was: out of a dialog, or from another room. @param count what can be reached in it */
async function undo(page: Page, path: string, count: number): Promise<void> {
  if (new URL(page.url()).pathname !== path) {
    // Its room need not be loaded for a visitor to go back.
    await expect.poll(() => page.evaluate(isOpen)).toBe(true);
    await page.goBack();
    await expect.poll(() => page.evaluate(isOpen)).toBe(true);
    await page.locator('#room[data-state="ready"]').waitFor();
    // What can be pressed comes after the room's first frame.
    await expect.poll(() => reachable(page)).toBeGreaterThanOrEqual(count);
    return;
  }
  const isCovered = () => {
    const { dialog, slide, fullPage } = window.enfilade!.state;
    return dialog !== null || slide !== null || fullPage !== null;
  };
  // A dialog that is only about to be shown does not hear the key yet.
  const leave = async () => {
    if (await page.evaluate(isCovered)) await page.keyboard.press('Escape');
    return page.evaluate(isCovered);
  };
  await expect.poll(leave).toBe(false);
}

/** Presses something and waits until that did something. */
async function does(page: Page, name: string, press: () => Promise<void>): Promise<void> {
  const before = await stateOf(page);
  await press();
  // On the way to another document there is no state to be read.
  await expect.poll(() => stateOf(page).catch(() => before), { message: name, timeout: 30_000 }).not.toBe(before);
}

/** Opens a room, and enters it. */
async function enter(page: Page, way: Way, path: string): Promise<void> {
  await page.goto(suite.app.origin + path);
  await page.locator('#entrance.is-ready').waitFor();
  await way.enter();
  await page.locator('#room[data-state="ready"]').waitFor();
  await page.locator('#entrance').waitFor({ state: 'hidden' });
}

/** Turns the window, and sees the room in it each time. */
async function seesRoom(page: Page): Promise<void> {
  for (const size of SIZES) {
    await page.setViewportSize(size);
    // A large picture reaches the screen some frames after it was drawn, where graphics are drawn by software.
    await expect.poll(async () => colorCount(await pixelsOf(page)), { timeout: 60_000 }).toBeGreaterThan(40);
  }
  await page.setViewportSize(SMALL.viewport);
}

/** Goes through a whole room: everything that can be pressed in it, every view point, and out again. */
async function complete(page: Page, way: Way, path: string): Promise<number> {
  const seen = await stateOf(page);
  if (JSON.parse(seen).dialog) await undo(page, path, 0);
  const { room } = (await page.evaluate(() => window.enfilade!.state.endpoint))!;
  const viewPoints = room!.elements.filter(({ element }) => element === 'view_point');
  for (const [index, { config }] of viewPoints.entries()) {
    const name = `${path}: view point ${(config as { name: string }).name}`;
    await does(page, `${name} (${index})`, () => way.control('Next view point'));
  }
  const things = await way.things();
  expect(things.filter((name) => name.trim() === '')).toEqual([]);
  if (room!.config.start_view_point_id !== null) {
    // Each place of a tour has its own doors, which have a walk of their own.
    await does(page, `${path}: ${things[0]}`, () => way.press(0));
    return things.length;
  }
  const count = await reachable(page);
  // What leads out comes last: whoever goes back has the whole room drawn anew, and nobody goes back to a room that is complete.
  const titles = titlesOfWaysOut(room!.elements);
  const isWayOut = (index: number) => titles.some((title) => things[index]!.includes(title));
  const all = [...things.keys()].sort((a, b) => Number(isWayOut(a)) - Number(isWayOut(b)));
  for (const [step, index] of all.entries()) {
    await does(page, `${path}: ${things[index]}`, () => way.press(index));
    if (step < all.length - 1 || !isWayOut(index)) await undo(page, path, count);
  }
  return things.length;
}

describe('the demo', () => {
  test('its rooms are the ones that visitors find, with the one behind a code', async () => {
    const rows = await suite.app.client.visit.list();
    const paths = rows.flatMap((row) => [row.path, ...row.children.map(({ path }) => path)]);
    expect(paths.toSorted()).toEqual([...ROOMS, VAULT].toSorted());
  });

  test('on its lake, a door opens after a look around', async () => {
    const visitor = await newVisitor(suite.browser);
    const { page: lake } = visitor;
    await enterRoom(lake, `${suite.app.origin}/lake`);
    await lake.mouse.move(250, 150);
    await lake.mouse.down();
    await lake.mouse.move(220, 150, { steps: 6 });
    await lake.mouse.up();
    await nextFrames(lake, 60);
    const place = await seenAt(lake, await idOf(lake, 'To the gallery'));
    await lake.mouse.move(place.x, place.y);
    await nextFrames(lake);
    await lake.mouse.click(place.x, place.y);
    await lake.waitForURL('**/gallery');
    await visitor.close();
  });

  test('every link in it leads to one of its rooms', async () => {
    for (const path of ROOMS) {
      const [slugOne, slugTwo] = path.slice(1).split('/') as [string, string?];
      const params = { slugOne, slugTwo: slugTwo ?? '' };
      const { room } = slugTwo
        ? await suite.app.client.visit.two({ params })
        : await suite.app.client.visit.one({ params });
      const links = JSON.stringify(room).matchAll(/"slug_one":"([^"]*)","slug_two":"([^"]*)"/g);
      for (const [, one, two] of links) expect(ROOMS).toContain(two ? `/${one}/${two}` : `/${one}`);
    }
  });
});

describe.each([
  [
    'a visitor with nothing but a keyboard, on a desk and turned on a phone',
    async (page: Page) => byKeyboard(page),
    seesRoom,
  ],
  ['a visitor with nothing but the accessibility tree', byTree, async () => {}],
] as const)('%s', (_, wayOf, sees) => {
  let visitor: Visitor;
  let way: Way;
  beforeAll(async () => {
    visitor = await newVisitor(suite.browser, { reducedMotion: 'reduce', ...SMALL });
    way = await wayOf(visitor.page);
  });
  afterAll(() => visitor.close());

  test.each(ROOMS)(
    'completes %s: enters, each view point, each thing that can be pressed',
    async (path) => {
      await enter(visitor.page, way, path);
      await sees(visitor.page);
      // A pop-up of the time would come in between; that one is its own test.
      const count = await complete(visitor.page, way, path);
      expect(count).toBeGreaterThan(0);
      expect(visitor.faults).toEqual([]);
    },
    300_000,
  );

  test('enters with a code, writes in the guestbook, and leaves', async () => {
    const { page } = visitor;
    await page.goto(`${suite.app.origin}${VAULT}`);
    await page.getByLabel('Your personal code').waitFor();
    await page.keyboard.type(CODE);
    await way.control('Login');
    await page.locator('#entrance.is-ready').waitFor();
    await way.enter();
    await page.locator('#room[data-state="ready"]').waitFor();
    await enter(page, way, '/lake/cinema');
    const open = 'Write in the guestbook';
    // What can be pressed comes after the room's first frame.
    let index = -1;
    await expect.poll(async () => (index = (await way.things()).indexOf(open))).toBeGreaterThanOrEqual(0);
    await does(page, 'the guestbook', () => way.press(index));
    await page.getByLabel('Your name').waitFor();
    await page.getByLabel('Your name').focus();
    await page.keyboard.type('Ada');
    await page.keyboard.press('Tab');
    await page.keyboard.type('By hand, without a mouse.');
    await way.control('Add now');
    await page.getByRole('status').getByText('Thank you.').waitFor();
    // By its name: what was written comes into the room meanwhile, and the places in the order change.
    await way.control('Back to the lights');
    await expect.poll(() => new URL(page.url()).pathname).toBe('/lake/night');
  });
});

describe('axe finds nothing', () => {
  test('in any state of a visit, in the colors of the page and in those of the visitor', async () => {
    const { page, context } = await newVisitor(suite.browser, {
      viewport: { width: 900, height: 600 },
      deviceScaleFactor: 0.25,
    });
    const found: Record<string, string[]> = {};
    const look = async (state: string) => {
      const faults = await accessibilityFaults(page);
      await page.emulateMedia({ forcedColors: 'active' });
      // axe knows the colors of the page, not those that are forced.
      const forced = await accessibilityFaults(page, undefined, ['color-contrast']);
      await page.emulateMedia({ forcedColors: 'none' });
      if (faults.length + forced.length > 0) found[state] = [...faults, ...forced];
    };
    await page.goto(`${suite.app.origin}${VAULT}`);
    await page.getByLabel('Your personal code').waitFor();
    await look('code form');
    await page.getByLabel('Your personal code').fill('wrong-code-1');
    await page.keyboard.press('Enter');
    await page.getByRole('alert').filter({ hasText: 'valid' }).waitFor();
    await look('a wrong code');
    await page.goto(`${suite.app.origin}/lake/cinema`);
    await page.locator('#entrance.is-ready').waitFor();
    await look('entrance');
    await page.locator('#entrance').press('Enter');
    await page.locator('#room[data-state="ready"]').waitFor();
    await page.locator('#entrance').waitFor({ state: 'hidden' });
    await page.getByRole('button', { name: 'More' }).waitFor();
    await look('room');
    for (const [name, state] of [
      ['More', 'more'],
      ['View points', 'view points'],
      ['Subtitles', 'subtitles'],
    ] as const) {
      await page.getByRole('button', { name, exact: true }).press('Enter');
      await look(state);
      await page.keyboard.press('Escape');
    }
    await page.getByRole('button', { name: 'Write in the guestbook' }).focus();
    await look('a thing that has the focus');
    await page.keyboard.press('Enter');
    await page.getByLabel('Your name').waitFor();
    await look('share form');
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: /Came for the lights/ }).press('Enter');
    await page.getByRole('dialog').waitFor();
    await look('slider');
    await page.keyboard.press('Escape');
    await page.goto(`${suite.app.origin}/nowhere`);
    await page.locator('#landing').waitFor();
    await look('no room');
    expect(found).toEqual({});
    await context.close();
  });
});
