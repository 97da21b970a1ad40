import type { Frame, Page } from 'playwright';
import { describe, test, vi } from 'vitest';
import { BLUNT, enterRoom, newVisitor, type Visitor } from '../harness/browser.ts';
import { webSuite } from '../harness/web-suite.ts';
import { idOf, nextFrames, publishTree, uploadSite, type Written } from './elements/play.ts';
import { fromEverywhere, lookFrom, publishWalls, seenAt, VIEWS } from './pressing/walls.ts';

const suite = webSuite();
const EVERYWHERE = Object.keys(VIEWS);

const door: Written = {
  element: 'button',
  name: 'door',
  config: { title: 'In', font_size: 60, navigation: { type: 'event', type_config: { name: 'pressed' } } },
};
const page: Written = {
  element: 'html',
  name: 'page',
  config: {
    body: `<a href="#pressed" style="display:block;height:100px">Onwards</a>
      <p style="height:100px;margin:0;font-size:80px">Word</p><div style="height:900px"></div>`,
  },
};
const framed = async (): Promise<Written> => ({
  element: 'iframe',
  name: 'frame',
  file_id: await uploadSite(
    suite.app,
    `<!doctype html><body style="margin:0;font-size:40px"><input aria-label="Field" style="display:block;width:360px;height:90px;font-size:40px">
     <p style="margin:0">one two three four</p><div style="height:2000px"></div>`,
  ),
});

async function visit(panels: readonly Written[], options = {}, more: readonly Written[] = []): Promise<Visitor> {
  const visitor = await newVisitor(suite.browser, { deviceScaleFactor: BLUNT, ...options });
  await enterRoom(visitor.page, suite.app.origin + (await publishWalls(suite.app, panels, more)));
  // Controls would lie over what is pressed.
  await visitor.page.addStyleTag({ content: '#overlay { display: none }' });
  return visitor;
}

/** Whether something becomes so, for what another process has to hear of first. */
const settles = (isSo: () => Promise<boolean>): Promise<boolean> =>
  vi.waitUntil(isSo, { timeout: 3000 }).catch(() => false);

/** How often the room has said that its door was pressed. */
const presses = (of: Page | Frame) =>
  of.evaluate(() => (window.dataLayer ?? []).filter(({ event }) => event === 'pressed').length);

/** Whether a door is pressed by an act. */
async function isPressed(on: Page | Frame, act: () => Promise<unknown>): Promise<boolean> {
  const before = await presses(on);
  await act();
  await settles(async () => (await presses(on)) > before);
  await nextFrames(on);
  return (await presses(on)) === before + 1;
}

/** Whether the page's link is followed by an act. */
async function isFollowed(on: Page, act: () => Promise<unknown>): Promise<boolean> {
  await on.evaluate(() => history.replaceState(null, '', location.pathname));
  await act();
  return settles(() => on.evaluate(() => location.hash === '#pressed'));
}

/** The mouse as a hand moves it: it arrives, and presses a moment later. */
const arrive = async (on: Page, { x, y }: { x: number; y: number }) => {
  await on.mouse.move(x + 3, y);
  await on.mouse.move(x, y);
  await nextFrames(on);
};

// Each in a room of its own, beside each other: they mostly wait for frames.
describe.concurrent('from wherever a visitor stands and looks', () => {
  test('a door opens by mouse, by finger and by keyboard', async ({ expect }) => {
    const visitor = await visit([door], { hasTouch: true });
    const { page: room } = visitor;
    const byKey =
      (key: string) =>
      (_: unknown, { wall }: { wall: string }) =>
        isPressed(room, async () => {
          await room
            .locator(`[data-element-id]`, { hasText: 'In' })
            .nth(['north', 'west', 'south', 'east'].indexOf(wall))
            .focus();
          await room.keyboard.press(key);
        });
    const worked = await fromEverywhere(room, 'door', {
      finger: ({ x, y }) => isPressed(room, () => room.touchscreen.tap(x, y)),
      mouse: (place) =>
        isPressed(room, async () => {
          await arrive(room, place);
          await room.mouse.click(place.x, place.y);
        }),
      // What has the focus is turned to, so that the keys come last.
      enter: byKey('Enter'),
      space: byKey('Space'),
    });
    expect(worked).toEqual({ mouse: EVERYWHERE, finger: EVERYWHERE, enter: EVERYWHERE, space: EVERYWHERE });
    expect(visitor.faults).toEqual([]);
    await visitor.close();
  }, 120_000);

  test('a link in a page is followed by mouse, by finger and by keyboard', async ({ expect }) => {
    const visitor = await visit([page], { hasTouch: true });
    const { page: room } = visitor;
    const offset = [-100, 100, 0] as const;
    const worked = await fromEverywhere(room, 'page', {
      finger: { offset, act: ({ x, y }) => isFollowed(room, () => room.touchscreen.tap(x, y)) },
      mouse: {
        offset,
        act: (place) =>
          isFollowed(room, async () => {
            await arrive(room, place);
            await room.mouse.click(place.x, place.y);
          }),
      },
      key: () => isFollowed(room, () => room.getByRole('link', { name: 'Onwards' }).first().press('Enter')),
    });
    expect(worked).toEqual({ mouse: EVERYWHERE, finger: EVERYWHERE, key: EVERYWHERE });
    expect(visitor.faults).toEqual([]);
    await visitor.close();
  }, 120_000);

  test('a page is scrolled by the wheel, and its words are selected by pressing twice', async ({ expect }) => {
    const visitor = await visit([page]);
    const { page: room } = visitor;
    const scrolled = () =>
      room.evaluate(() => [...document.querySelectorAll('.stage-html')].reduce((sum, each) => sum + each.scrollTop, 0));
    const worked = await fromEverywhere(room, 'page', {
      select: {
        offset: [-100, 0, 0],
        act: async (place) => {
          await room.evaluate(() => {
            getSelection()!.removeAllRanges();
            for (const each of document.querySelectorAll('.stage-html')) each.scrollTop = 0;
          });
          await arrive(room, place);
          await room.mouse.dblclick(place.x, place.y);
          return room.evaluate(() => getSelection()!.toString().trim() === 'Word');
        },
      },
      wheel: async (place) => {
        const before = await scrolled();
        await arrive(room, place);
        await room.mouse.wheel(0, 40);
        return settles(async () => (await scrolled()) > before);
      },
    });
    expect(worked).toEqual({ select: EVERYWHERE, wheel: EVERYWHERE });
    expect(visitor.faults).toEqual([]);
    await visitor.close();
  }, 120_000);

  test('a framed page takes words in its field; by finger, once a first touch has woken it', async ({ expect }) => {
    const visitor = await visit([await framed()], { hasTouch: true });
    const { page: room } = visitor;
    const fields = () =>
      room
        .frames()
        .slice(1)
        .map((frame) => frame.locator('input'));
    const written = async () => (await Promise.all(fields().map((field) => field.inputValue()))).join('');
    /** Whether a word that is typed after an act is in one of the fields. */
    const takes = async (act: () => Promise<unknown>) => {
      for (const field of fields()) await field.evaluate((input: HTMLInputElement) => (input.value = ''));
      await room.locator('#room').focus();
      await act();
      await room.keyboard.type('x');
      return settles(async () => (await written()) === 'x');
    };
    const isAwake = (wanted: boolean) =>
      room.waitForFunction(
        (awake) => (document.querySelector('canvas')!.style.pointerEvents === 'none') === awake,
        wanted,
      );
    const offset = [-100, 100, 0] as const;
    const worked = await fromEverywhere(room, 'frame', {
      mouse: {
        offset,
        act: (place) =>
          takes(async () => {
            await arrive(room, place);
            await room.mouse.click(place.x, place.y);
          }),
      },
      finger: {
        offset,
        act: ({ x, y }) =>
          takes(async () => {
            await room.touchscreen.tap(5, 5);
            await isAwake(false);
            await room.touchscreen.tap(x, y);
            await isAwake(true);
            await room.touchscreen.tap(x, y);
            await nextFrames(room);
          }),
      },
    });
    expect(worked).toEqual({ mouse: EVERYWHERE, finger: EVERYWHERE });
    expect(visitor.faults).toEqual([]);
    await visitor.close();
  }, 180_000);

  test('a framed page is scrolled by the wheel, and its words are selected by dragging over them', async ({
    expect,
  }) => {
    const visitor = await visit([await framed()]);
    const { page: room } = visitor;
    const inFrames = async (read: () => string | number) =>
      (
        await Promise.all(
          room
            .frames()
            .slice(1)
            .map((frame) => frame.evaluate(read)),
        )
      ).join('');
    const worked = await fromEverywhere(room, 'frame', {
      select: {
        offset: [-130, 30, 0],
        act: async ({ x, y }) => {
          await inFrames(() => {
            getSelection()!.removeAllRanges();
            scrollTo(0, 0);
            return '';
          });
          await arrive(room, { x, y });
          await room.mouse.down();
          await room.mouse.move(x + 20, y, { steps: 4 });
          await room.mouse.up();
          return settles(async () => (await inFrames(() => getSelection()!.toString())).length > 0);
        },
      },
      wheel: async (place) => {
        const before = await inFrames(() => scrollY);
        await arrive(room, place);
        await room.mouse.wheel(0, 40);
        return settles(async () => (await inFrames(() => scrollY)) !== before);
      },
    });
    expect(worked).toEqual({ select: EVERYWHERE, wheel: EVERYWHERE });
    expect(visitor.faults).toEqual([]);
    await visitor.close();
  }, 120_000);

  test('a door of an embedded room opens by mouse and by finger', async ({ expect }) => {
    const visitor = await newVisitor(suite.browser, { hasTouch: true });
    const { page: outside } = visitor;
    const path = await publishWalls(suite.app, [door]);
    // A page of this origin into which markup may be written.
    await outside.goto(`${suite.app.origin}/api/openapi.json`);
    await outside.setContent(
      `<iframe src="${suite.app.origin}/embed${path}?autoload=1&hideControls=1&hideLogo=1" style="width:600px;height:380px"></iframe>`,
    );
    const inside = () => outside.frames().find((frame) => frame.url().includes('/embed/'))!;
    await expect.poll(() => inside()?.locator('#room[data-state="ready"]').count()).toBe(1);
    const { x: left, y: top } = (await outside.locator('iframe').boundingBox())!;
    const worked = await fromEverywhere(inside(), 'door', {
      finger: ({ x, y }) => isPressed(inside(), () => outside.touchscreen.tap(left + x, top + y)),
      mouse: ({ x, y }) =>
        isPressed(inside(), async () => {
          await outside.mouse.move(left + x + 3, top + y);
          await outside.mouse.move(left + x, top + y);
          await nextFrames(inside());
          await outside.mouse.click(left + x, top + y);
        }),
    });
    expect(worked).toEqual({ mouse: EVERYWHERE, finger: EVERYWHERE });
    await visitor.close();
  }, 120_000);
});

describe.concurrent('what a press on a page is not', () => {
  test('one on what stands before it, by mouse or by finger, also after the page was touched', async ({ expect }) => {
    const letter: Written = {
      element: 'text',
      position_x: 100,
      position_z: -1050,
      scale_x: 2,
      scale_y: 2,
      config: { text: 'I' },
    };
    const visitor = await visit([door], { hasTouch: true }, [letter]);
    const { page: room } = visitor;
    const id = await idOf(room, 'north door');
    await lookFrom(room, { wall: 'north', position: [0, 0, 0] }, id);
    const [free, covered] = [await seenAt(room, id, [-100, 0, 0]), await seenAt(room, id, [104, 0, 0])];
    const mouse = async ({ x, y }: typeof free) => {
      await arrive(room, { x, y });
      await room.mouse.click(x, y);
    };
    const finger = ({ x, y }: typeof free) => room.touchscreen.tap(x, y);
    for (const [name, act] of Object.entries({ mouse, finger })) {
      expect(await isPressed(room, () => act(free)), name).toBe(true);
      expect(await isPressed(room, () => act(covered)), `${name}, covered`).toBe(false);
    }
    await visitor.close();
  });

  test('a drag that begins on its link looks around, and follows nothing', async ({ expect }) => {
    const visitor = await visit([page]);
    const { page: room } = visitor;
    const id = await idOf(room, 'north page');
    await lookFrom(room, { wall: 'north', position: [0, 0, 200] }, id);
    const { x, y } = await seenAt(room, id, [-150, 100, 0]);
    const azimuth = () => room.evaluate(() => window.enfilade!.stage!.rig.azimuth);
    const before = await azimuth();
    const followed = await isFollowed(room, async () => {
      await arrive(room, { x, y });
      await room.mouse.down();
      await room.mouse.move(x + 60, y, { steps: 6 });
      await room.mouse.up();
    });
    expect(followed).toBe(false);
    expect(Math.abs((await azimuth()) - before)).toBeGreaterThan(0.02);
    await visitor.close();
  });

  test('the wheel walks in a room that has it zoom, but over a page that scrolls', async ({ expect }) => {
    const camera = { fov: 60, zoom: true };
    const path = await publishTree(suite.app, { depth: 2400, config: { camera, ambient_light: 1 } }, [
      { ...page, width: 400, height: 300, position_z: -600 },
    ]);
    const visitor = await newVisitor(suite.browser);
    const { page: room } = visitor;
    await enterRoom(room, suite.app.origin + path);
    const stands = () => room.evaluate(() => window.enfilade!.stage!.pose.position.z);
    const scrolled = () => room.locator('.stage-html').evaluate((each) => each.scrollTop);
    await arrive(room, { x: 320, y: 200 });
    await room.mouse.wheel(0, 40);
    await expect.poll(scrolled).toBeGreaterThan(0);
    expect(await stands()).toBeCloseTo(0);
    await arrive(room, { x: 30, y: 200 });
    await room.mouse.wheel(0, -40);
    await expect.poll(stands).toBeLessThan(-20);
    await visitor.close();
  });
});
