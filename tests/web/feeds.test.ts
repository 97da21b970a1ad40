import type { Page } from 'playwright';
import { describe, expect, test } from 'vitest';
import type { FeedItem } from '../../src/contract/entities.ts';
import { webSuite } from '../harness/web-suite.ts';
import { idOf, newGuest, visitTree, type Written } from './elements/play.ts';

const suite = webSuite();

const FEED = 7;

const item = (id: number, change: Partial<FeedItem>): FeedItem => ({
  id,
  name: `Person ${id}`,
  message: '',
  file_url: '',
  width: null,
  height: null,
  link: '',
  created_at: '2026-03-01T12:00:00Z',
  ...change,
});

/** Names of the items that stand in the group, as the scene has them. */
const shownIn = (page: Page) =>
  page.evaluate(() => {
    const { scene } = window.enfilade!.stage!;
    const guests = Object.keys(scene.state().elements).map(Number);
    return guests
      .filter((id) => id < 0)
      .map((id) => scene.elementOf(scene.entityOf(id)!)!)
      .map(({ element, config }) => `${element} ${'author' in config ? config.author : ''}`.trim());
  });

describe('a group that a feed fills', () => {
  test('shows the items, follows the feed every minute, keeps them when it fails, and opens them as slides', async () => {
    const { app, browser } = suite;
    const { url: file_url } = await app.upload('fixtures/media/pictures/reeds-at-dusk.jpg');
    const guest = await newGuest(app, browser);
    const { page } = guest;
    let items: FeedItem[] | null = [item(1, { file_url, width: 1200, height: 900 }), item(2, { message: 'Was here' })];
    let asked = 0;
    await page.route(`**/api/v1/feeds/${FEED}/items`, (route) => {
      asked++;
      return items ? route.fulfill({ json: { data: items } }) : route.fulfill({ status: 503, json: { msg: {} } });
    });
    const said: string[] = [];
    page.on('console', (message) => said.push(message.text()));
    await page.clock.install();
    const group: Written = {
      element: 'group',
      name: 'Feed',
      config: { feed_enabled: true, feed_id: FEED, feed_layout: 'fixed', slider_enabled: true },
    };
    const twin: Written = { ...group, name: 'Twin', position_x: 3000 };
    await visitTree(app, guest, [group, twin]);
    await expect.poll(() => shownIn(page)).toEqual(['image Person 1', 'html', 'image Person 1', 'html']);
    // Two groups of one feed, one question.
    expect(asked).toBe(1);
    await page.waitForFunction(() => window.enfilade!.stage!.memory.views === 6);

    items = [item(3, { file_url, message: 'With a picture' }), ...items];
    await page.clock.fastForward(61_000);
    await expect.poll(() => shownIn(page)).toHaveLength(6);
    // A picture does not take the words along that came with it: they are its caption.
    const captions = await page.evaluate(() => {
      const { scene } = window.enfilade!.stage!;
      const guests = Object.keys(scene.state().elements).map(Number);
      return guests
        .filter((id) => id < 0)
        .map((id) => (scene.elementOf(scene.entityOf(id)!)!.config as { title?: string }).title);
    });
    expect(captions).toContain('With a picture');

    items = null;
    for (let minute = 0; minute < 2; minute++) {
      const before = asked;
      await page.clock.fastForward(61_000);
      await expect.poll(() => asked).toBe(before + 1);
    }
    expect(await shownIn(page)).toHaveLength(6);
    await expect.poll(() => said.filter((text) => text.includes('could not be opened'))).toHaveLength(1);

    await page.addStyleTag({ content: '#overlay { display: block !important }' });
    await page.evaluate(
      (id) => window.enfilade!.send({ type: 'slider.open', element_id: id }),
      await idOf(page, 'Feed'),
    );
    const dialog = page.getByRole('dialog', { name: 'Slider' });
    await dialog.getByText('Person 3').waitFor();
    await dialog.getByRole('button', { name: 'Previous slide' }).click();
    await dialog.getByText('Was here').waitFor();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });

    // A room that was left asks no more.
    await page.evaluate(() => {
      const { endpoint } = JSON.parse(document.getElementById('visit')!.textContent!);
      const emptied = { ...endpoint, room: { ...endpoint.room, elements: [] } };
      return window.enfilade!.open({ endpoint: emptied, at: performance.now() });
    });
    const last = asked;
    await page.clock.fastForward(61_000);
    await page.locator('#room[data-state="ready"]').waitFor();
    expect(asked).toBe(last);
    expect(guest.strays).toEqual([]);
    expect(guest.faults.filter((fault) => !/503/.test(fault))).toEqual([]);
    await guest.context.close();
  });
});
