import type { Page } from 'playwright';
import { describe, expect, test } from 'vitest';
import { tourLinks } from '../../engine/document/tour-links.ts';
import { flatten } from '../../engine/document/tree.ts';
import { accessibilityFaults } from '../harness/admin-page.ts';
import { cutOff, listen, nameless, offered, readAloud, treeOf } from '../harness/assistive.ts';
import { enterRoom, newVisitor } from '../harness/browser.ts';
import { webSuite } from '../harness/web-suite.ts';
import { circuitOf } from './tour-walk.ts';
import { byTree } from './ways.ts';

const suite = webSuite({ demo: true });

const ROOMS = ['/lake', '/lake/night', '/lake/cinema', '/lake/hours', '/gallery', '/observatory', '/workshop'];
const FEW_PIXELS = { viewport: { width: 640, height: 400 }, deviceScaleFactor: 0.25, reducedMotion: 'reduce' } as const;
/** 1280 × 1024 pixels at 400 %. */
const AT_400_PERCENT = { width: 320, height: 256 };

declare global {
  interface Window {
    /** Holds or releases frames; set by `holdable`. */
    holdFrames?: (isHeld: boolean) => void;
  }
}

/** Lets frames be held: while a room is drawn in software, axe hardly gets its turn. */
const holdable = (page: Page) =>
  page.addInitScript(() => {
    const ask = window.requestAnimationFrame.bind(window);
    const waiting: FrameRequestCallback[] = [];
    let isHeld = false;
    window.requestAnimationFrame = (frame) => (isHeld ? -waiting.push(frame) : ask(frame));
    window.holdFrames = (held) => {
      isHeld = held;
      if (!held) for (const frame of waiting.splice(0)) ask(frame);
    };
  });
const hold = (page: Page, isHeld: boolean) => page.evaluate((held) => window.holdFrames!(held), isHeld);

const closeDialogs = (page: Page) =>
  expect
    .poll(async () => {
      const isOpen = () => window.enfilade!.state.dialog !== null || window.enfilade!.state.slide !== null;
      if (await page.evaluate(isOpen)) await page.keyboard.press('Escape');
      return page.evaluate(isOpen);
    })
    .toBe(false);

describe('a screen reader', () => {
  test.each(ROOMS)(
    'reads everything that %s offers, with names, and says each view point once',
    async (path) => {
      const { page, close, faults } = await newVisitor(suite.browser, FEW_PIXELS);
      await page.goto(suite.app.origin + path);
      await page.locator('#entrance.is-ready').waitFor();
      expect(nameless(await treeOf(page))).toEqual([]);
      await page.locator('#entrance').press('Enter');
      await page.locator('#room[data-state="ready"]').waitFor();
      await closeDialogs(page);
      const missing = async () => {
        const { alternatives, longTexts } = await offered(page);
        const tree = await treeOf(page);
        const aloud = readAloud(tree);
        const buttons = tree.filter(
          ({ role, name }) => role === 'button' && /^(?:Description|Transcript): /.test(name),
        );
        return [
          ...nameless(tree).map(({ role }) => `a ${role} without a name`),
          ...alternatives.filter((text) => !aloud.includes(text)),
          ...(buttons.length < longTexts ? [`${longTexts - buttons.length} long texts`] : []),
        ];
      };
      await expect.poll(missing, { timeout: 60_000 }).toEqual([]);
      const heard = await listen(page);
      const viewPoints = await page.evaluate(() =>
        window.enfilade!.state.viewPoints.map(({ config, name }) => config.name || name),
      );
      for (let step = 0; step < viewPoints.length; step++) {
        const before = await page.evaluate(() => window.enfilade!.state.viewPoint);
        await page.getByRole('button', { name: 'Next view point' }).press('Enter');
        await expect.poll(() => page.evaluate(() => window.enfilade!.state.viewPoint)).not.toBe(before);
        const id = await page.evaluate(() => window.enfilade!.state.viewPoint);
        const name = await page.evaluate(
          (at) => window.enfilade!.state.viewPoints.find((each) => each.id === at)?.config.name ?? '',
          id,
        );
        const news: string[] = [];
        await expect.poll(async () => news.push(...(await heard())), { message: `${path} ${name}` }).toBeGreaterThan(0);
        expect(news).toEqual([`You are at: ${name}`]);
      }
      expect(faults).toEqual([]);
      await close();
    },
    300_000,
  );

  test('walks the tour of the demo there and back, hears each place once, and reads what it offers', async () => {
    const { room } = await suite.app.client.visit.two({ params: { slugOne: 'lake', slugTwo: 'hours' } });
    const { elements, config } = room!;
    const names = new Map(
      flatten(elements).map(({ id, config: own, name }) => [id, (own as { name?: string }).name || name]),
    );
    const circuit = circuitOf(tourLinks(flatten(elements)), config.start_view_point_id!);
    const { page, close, faults } = await newVisitor(suite.browser, FEW_PIXELS);
    await enterRoom(page, `${suite.app.origin}/lake/hours`);
    const way = await byTree(page);
    const heard = await listen(page);
    for (const { element, to } of circuit) {
      await expect.poll(async () => (await way.things()).length).toBeGreaterThan(0);
      const hotspot = page.locator(`#room button[data-element-id="${element.id}"]`);
      await hotspot.waitFor({ state: 'attached' });
      const words = (await hotspot.textContent())!;
      await way.press(
        (await way.things()).findIndex((name) => words.startsWith(name) || name.startsWith(words.trim())),
      );
      await expect.poll(() => page.evaluate(() => window.enfilade!.state.viewPoint)).toBe(to);
      const news: string[] = [];
      await expect.poll(async () => news.push(...(await heard()))).toBeGreaterThan(0);
      expect(news).toEqual([`You are at: ${names.get(to)}`]);
      expect(nameless(await treeOf(page))).toEqual([]);
    }
    expect(circuit.at(-1)!.to).toBe(config.start_view_point_id);
    expect(faults).toEqual([]);
    await close();
  }, 600_000);
});

describe('axe, and 400 %', () => {
  test.each(ROOMS)(
    'find nothing in any state of %s, light, dark or in forced colors',
    async (path) => {
      const { page, context } = await newVisitor(suite.browser, { ...FEW_PIXELS, isNew: true });
      await holdable(page);
      const found: Record<string, string[]> = {};
      const look = async (state: string) => {
        const faults: string[] = [];
        await hold(page, true);
        for (const colorScheme of ['light', 'dark'] as const) {
          await page.emulateMedia({ colorScheme });
          faults.push(...(await accessibilityFaults(page)));
        }
        await page.emulateMedia({ colorScheme: 'light', forcedColors: 'active' });
        // axe knows the colors of the page, not those that are forced.
        faults.push(...(await accessibilityFaults(page, undefined, ['color-contrast'])));
        await page.emulateMedia({ forcedColors: 'none' });
        await hold(page, false);
        await page.setViewportSize(AT_400_PERCENT);
        faults.push(...(await cutOff(page)).map((each) => `at 400 %: ${each}`));
        await page.setViewportSize(FEW_PIXELS.viewport);
        if (faults.length > 0) found[state] = faults;
      };
      await page.goto(suite.app.origin + path);
      await page.locator('#entrance.is-ready').waitFor();
      await look('entrance');
      await page.locator('#entrance').press('Enter');
      await page.locator('#room[data-state="ready"]').waitFor();
      await closeDialogs(page);
      await page.getByRole('button', { name: 'More', exact: true }).waitFor();
      await look('room');
      await page.getByRole('button', { name: 'More', exact: true }).press('Enter');
      await look('menu');
      await page.keyboard.press('Escape');
      const things = page.locator('#room button.stage-press[data-element-id]');
      for (let index = 0; index < Math.min(await things.count(), 4); index++) {
        await things.nth(index).press('Enter');
        const isCovered = () => {
          const { dialog, slide, fullPage } = window.enfilade!.state;
          return dialog !== null || slide !== null || fullPage !== null;
        };
        const isAnswered = `(${isCovered})() || location.pathname !== ${JSON.stringify(path)}`;
        // Some only play or stop.
        await page.waitForFunction(isAnswered, undefined, { timeout: 3000 }).catch(() => {});
        if (new URL(page.url()).pathname !== path) {
          await page.goBack();
          await page.locator('#room[data-state="ready"]').waitFor();
          await things.first().waitFor({ state: 'attached' });
          continue;
        }
        if (!(await page.evaluate(isCovered))) continue;
        await look(`open ${index}`);
        await closeDialogs(page);
        if (await page.evaluate(isCovered)) await page.keyboard.press('Escape');
      }
      await page.goto(`${suite.app.origin}${path}?text`);
      await look('text page');
      const share = page.locator('a[href*="share="]').first();
      if ((await share.count()) > 0) {
        await share.click();
        await look('share form');
      }
      expect(found).toEqual({});
      await context.close();
    },
    400_000,
  );
});
