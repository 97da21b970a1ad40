import { isDeepStrictEqual } from 'node:util';
import type { CDPSession, Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Element } from '../../engine/document/element.ts';
import { accessibilityFaults } from '../harness/admin-page.ts';
import { newVisitor, type Visitor } from '../harness/browser.ts';
import { webSuite } from '../harness/web-suite.ts';

const suite = webSuite({ demo: true });

const ROOMS = ['/lake', '/lake/night', '/lake/cinema', '/lake/hours', '/gallery', '/observatory', '/workshop'];
const CODE = 'open-sesame-1';
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

/** A way to go through a room without a pointer. */
interface Way {
  enter(): Promise<void>;
  /** What can be pressed in the room, in order. */
  things(): Promise<string[]>;
  /** Presses one of them, by its place in that order. */
  press(index: number): Promise<void>;
  /** Presses one of the controls over the room, by its name. */
  control(name: string): Promise<void>;
}

function byKeyboard(page: Page): Way {
  /** What has the focus: its name, and its place in the room; null outside of it. */
  const focused = () =>
    page.evaluate(() => {
      const { activeElement } = document;
      const holder = activeElement?.closest<HTMLElement>('#room [data-element-id]');
      if (!holder) return null;
      const name = activeElement!.getAttribute('title') ?? activeElement!.textContent ?? '';
      return { name, id: holder.dataset.elementId!, at: [...holder.querySelectorAll('*')].indexOf(activeElement!) };
    });
  type Focused = NonNullable<Awaited<ReturnType<typeof focused>>>;
  /** What the keyboard reaches, in order. */
  let places: Focused[] = [];
  const focus = ({ id, at }: Focused) =>
    page.evaluate(
      ([id, at]) => {
        const holder = document.querySelector<HTMLElement>(`#room [data-element-id="${id}"]`)!;
        (at < 0 ? holder : (holder.querySelectorAll('*')[at] as HTMLElement)).focus();
      },
      [id, at] as const,
    );
  const tabTo = async (wanted: string, found: () => Promise<boolean>) => {
    for (let tabs = 0; tabs < 200; tabs++) {
      await page.keyboard.press('Tab');
      if (await found()) return;
    }
    throw new Error(`The keyboard does not reach “${wanted}”.`);
  };
  return {
    enter: () => page.keyboard.press('Enter'),
    things: async () => {
      await page.locator('#room').focus();
      for (places = []; ; ) {
        await page.keyboard.press('Tab');
        const place = await focused();
        if (place === null) return places.map(({ name }) => name);
        places.push(place);
      }
    },
    press: async (index) => {
      const { name } = places[index]!;
      const before = places[index - 1];
      // Everything was reached from the room's beginning once: to go all that way again would draw a picture at each step.
      if (!before) await page.locator('#room').focus();
      else if (!isDeepStrictEqual(await focused(), before)) await focus(before);
      await tabTo(name, async () => (await focused())?.name === name);
      await page.keyboard.press('Enter');
    },
    control: async (name) => {
      const isIt = () =>
        page.evaluate((wanted) => {
          const { activeElement } = document;
          return (activeElement?.getAttribute('aria-label') ?? activeElement?.textContent?.trim()) === wanted;
        }, name);
      // What was pressed before is pressed again where it is.
      if (!(await isIt())) await tabTo(name, isIt);
      await page.keyboard.press('Enter');
    },
  };
}

interface Node {
  nodeId: string;
  parentId?: string;
  ignored: boolean;
  role?: { value: string };
  name?: { value: string };
  backendDOMNodeId: number;
}

/** Knows nothing but the accessibility tree, and does the default action of its nodes, as assistive technology does. */
async function byTree(page: Page): Promise<Way> {
  const session: CDPSession = await page.context().newCDPSession(page);
  const nodes = async (): Promise<Node[]> =>
    (await session.send('Accessibility.getFullAXTree')).nodes as unknown as Node[];
  const isPressed = ({ ignored, role }: Node) => !ignored && /^(?:button|link)$/.test(role?.value ?? '');
  const act = async ({ backendDOMNodeId }: Node) => {
    const { object } = await session.send('DOM.resolveNode', { backendNodeId: backendDOMNodeId });
    const objectId = object.objectId!;
    await session.send('Runtime.callFunctionOn', { objectId, functionDeclaration: 'function () { this.click() }' });
  };
  const find = async (isIt: (node: Node) => boolean): Promise<Node> => {
    let found: Node | undefined;
    await expect.poll(async () => (found = (await nodes()).find(isIt)), { timeout: 60_000 }).toBeTruthy();
    return found!;
  };
  /** What can be pressed in the room, in order. */
  let names: string[] = [];
  const inRoom = async () => {
    const all = await nodes();
    const byId = new Map(all.map((node) => [node.nodeId, node]));
    const isInside = (node: Node | undefined): boolean =>
      node !== undefined && (node.role?.value === 'main' || isInside(byId.get(node.parentId ?? '')));
    return all.filter((node) => isPressed(node) && isInside(node));
  };
  return {
    enter: async () => act(await find((node) => isPressed(node) && /Click to enter/.test(node.name?.value ?? ''))),
    things: async () => (names = (await inRoom()).map(({ name }) => name?.value ?? '')),
    press: async (index) => {
      const name = names[index];
      const after = names.slice(0, index).filter((other) => other === name).length;
      let thing: Node | undefined;
      const find = async () => (thing = (await inRoom()).filter((node) => (node.name?.value ?? '') === name)[after]);
      // What covered the room may have gone a moment ago.
      await expect.poll(find).toBeTruthy();
      await act(thing!);
    },
    control: async (name) => act(await find((node) => isPressed(node) && node.name?.value === name)),
  };
}

/** Titles of what leads to another room. */
const titlesOfWaysOut = (elements: readonly Element[]): string[] =>
  elements.flatMap(({ config, children }) => {
    const { title = '', navigation } = config as { title?: string; navigation?: { type: string } };
    return [...(title && navigation?.type === 'slug' ? [title] : []), ...titlesOfWaysOut(children)];
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

/** Goes through a whole room: everything that can be pressed in it, every view point, and out again. */
async function complete(page: Page, way: Way, path: string): Promise<number> {
  await page.goto(suite.app.origin + path);
  await page.locator('#entrance.is-ready').waitFor();
  await way.enter();
  await page.locator('#room[data-state="ready"]').waitFor();
  await page.locator('#entrance').waitFor({ state: 'hidden' });
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

describe.each([
  ['a visitor with nothing but a keyboard', async (page: Page) => byKeyboard(page)],
  ['a visitor with nothing but the accessibility tree', byTree],
] as const)('%s', (_, wayOf) => {
  let visitor: Visitor;
  let way: Way;
  beforeAll(async () => {
    visitor = await newVisitor(suite.browser, { reducedMotion: 'reduce', ...SMALL });
    way = await wayOf(visitor.page);
  });
  afterAll(() => visitor.context.close());

  test.each(ROOMS)(
    'completes %s: enters, each view point, each thing that can be pressed',
    async (path) => {
      // A pop-up of the time would come in between; that one is its own test.
      const count = await complete(visitor.page, way, path);
      expect(count).toBeGreaterThan(0);
    },
    300_000,
  );

  test('enters with a code, writes in the guestbook, and leaves', async () => {
    const { page } = visitor;
    await page.goto(`${suite.app.origin}/vault`);
    await page.getByLabel('Your personal code').waitFor();
    await page.keyboard.type(CODE);
    await way.control('Login');
    await page.locator('#entrance.is-ready').waitFor();
    await way.enter();
    await page.locator('#room[data-state="ready"]').waitFor();
    await page.goto(`${suite.app.origin}/lake/cinema`);
    await page.locator('#entrance.is-ready').waitFor();
    await way.enter();
    await page.locator('#room[data-state="ready"]').waitFor();
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
    await page.goto(`${suite.app.origin}/vault`);
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
    await page.locator('#entrance.is-refused').waitFor();
    await look('no room');
    expect(found).toEqual({});
    await context.close();
  });
});
