import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { type TourLink, tourLinks } from '../../engine/document/tour-links.ts';
import { flatten } from '../../engine/document/tree.ts';
import { accessibilityFaults } from '../harness/admin-page.ts';
import { enterRoom, LOOKED_AT, newVisitor, type Visitor } from '../harness/browser.ts';
import { Firefox } from '../harness/firefox/firefox.ts';
import { webSuite } from '../harness/web-suite.ts';
import {
  circuitOf,
  fingerOf,
  lookOf,
  mouseOf,
  passLink,
  type Walker,
  watchEntrance,
  withoutEmptyFrames,
} from './tour-walk.ts';

const suite = webSuite({ demo: true });
const PATH = '/lake/hours';
const programs = inject('firefox');
if (!programs) console.log('Demo tour: Firefox is absent; its walk is skipped.');

let circuit: TourLink[];
beforeAll(async () => {
  const { room } = await suite.app.client.visit.two({ params: { slugOne: 'lake', slugTwo: 'hours' } });
  const { elements, config } = room!;
  const links = tourLinks(flatten(elements));
  circuit = circuitOf(links, config.start_view_point_id!);
  expect(circuit).toHaveLength(links.length);
});

describe('every door of the demo’s tour is passed in both directions', () => {
  test.each([
    ['with a mouse', { viewport: { width: 640, height: 400 } }, async (visitor: Visitor) => mouseOf(visitor)],
    [
      'with a finger on a phone',
      { viewport: { width: 300, height: 620 }, hasTouch: true, isMobile: true },
      (visitor: Visitor) => fingerOf(visitor),
    ],
  ])(
    '%s',
    async (_, options, walkerOf) => {
      const visitor = await newVisitor(suite.browser, { ...LOOKED_AT, ...options });
      const { page, faults, close } = visitor;
      await enterRoom(page, suite.app.origin + PATH);
      const walker = await walkerOf(visitor);
      const entrances = await watchEntrance(page);
      for (const link of circuit) await withoutEmptyFrames(page, link.element.name, () => passLink(walker, link));
      expect(await entrances()).toBe(0);
      expect(faults).toEqual([]);
      await close();
    },
    600_000,
  );

  test('by keyboard, with names and announcements for screen readers, and no accessibility faults', async () => {
    const { page, faults, close } = await newVisitor(suite.browser, { viewport: { width: 640, height: 400 } });
    await enterRoom(page, suite.app.origin + PATH);
    for (const { element, to } of circuit) {
      const hotspot = page.locator(`#room button[data-element-id="${element.id}"]`);
      await hotspot.waitFor({ state: 'attached' });
      expect((await hotspot.textContent())!.trim()).not.toBe('');
      await hotspot.press('Enter');
      await expect.poll(async () => (await lookOf(page)).place, { message: element.name }).toBe(to);
    }
    await page.getByRole('button', { name: 'Plan' }).press('Enter');
    expect(await accessibilityFaults(page)).toEqual([]);
    expect(faults).toEqual([]);
    await close();
  }, 600_000);
});

describe.runIf(programs)('in Firefox', () => {
  let firefox: Firefox;
  beforeAll(async () => {
    firefox = await Firefox.start(programs!);
  });
  afterAll(() => firefox?.close());

  test('every door of the demo’s tour is passed in both directions', async () => {
    const page = await firefox.newPage();
    await page.resize(640, 400);
    await page.goto(suite.app.origin + PATH);
    const isReady = (selector: string) =>
      expect.poll(() => page.evaluate((each) => document.querySelector(each) !== null, selector)).toBe(true);
    await isReady('#entrance.is-ready');
    await page.evaluate(() => document.getElementById('entrance')!.focus());
    await page.press('Enter');
    await isReady('#room[data-state="ready"]');
    await expect.poll(() => page.evaluate(() => document.getElementById('entrance')!.checkVisibility())).toBe(false);
    const walker: Walker = {
      page,
      drag: async (x) => {
        const at = (part: number) => ({ x: 320 + x * (part - 0.5), y: 120 });
        await page.mouse([at(0), at(0.25), at(0.5), at(0.75), at(1)], 'held');
      },
      press: async (x, y) => {
        await page.click({ x, y });
      },
    };
    for (const link of circuit) await passLink(walker, link);
    expect(page.faults).toEqual([]);
    await page.close();
  }, 600_000);
});
