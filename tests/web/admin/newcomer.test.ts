import { readdirSync, readFileSync } from 'node:fs';
import type { Page } from 'playwright';
import { describe, expect, test } from 'vitest';
import { newVisitor } from '../../harness/browser.ts';
import { ADMIN } from '../../harness/web-app.ts';
import { webSuite } from '../../harness/web-suite.ts';

/** Most clicks and screens from signing in to a link that opens for whoever has an access token. */
const MOST = { clicks: 12, screens: 3 };

const IMAGES = 'fixtures/media/pictures';

/** A newcomer at the page: every click and every screen counts, as they are, with no address typed. */
class Newcomer {
  readonly #page: Page;
  clicks = 0;
  readonly screens = new Set<string>();

  constructor(page: Page) {
    this.#page = page;
    page.on('framenavigated', (frame) => {
      if (frame === page.mainFrame()) this.#note();
    });
  }

  #note(): void {
    const { pathname } = new URL(this.#page.url());
    // The page before the sign-in leads there by itself.
    if (pathname.startsWith('/admin')) this.screens.add(pathname);
  }

  async press(name: string): Promise<void> {
    this.clicks++;
    await this.#page
      .getByRole('button', { name, exact: true })
      .or(this.#page.getByRole('link', { name, exact: true }))
      .first()
      .click();
  }

  /** Chooses in a group of choices. */
  async choose(text: string): Promise<void> {
    this.clicks++;
    await this.#page.getByText(text, { exact: true }).click();
  }

  /** A click into a field, and typing. */
  async type(label: string, text: string): Promise<void> {
    this.clicks++;
    await this.#page.getByLabel(label).first().fill(text);
  }

  /** The files are dropped or chosen: one press, and the window of the system. */
  async takeFiles(files: string | { name: string; mimeType: string; buffer: Buffer }[]): Promise<void> {
    this.clicks += 2;
    await this.#page.setInputFiles('input[type="file"]', files);
  }
}

const web = webSuite();

/** Ten images that are no 360° photos. */
function tenImages() {
  return readdirSync(IMAGES)
    .filter((name) => /\.(?:webp|jpg)$/.test(name))
    .slice(0, 10)
    .map((name) => ({
      name,
      mimeType: name.endsWith('.jpg') ? 'image/jpeg' : 'image/webp',
      buffer: readFileSync(`${IMAGES}/${name}`),
    }));
}

describe('a newcomer goes from signing in to a protected, timed space with a link', () => {
  test.each([
    { what: 'a 360° photo', files: () => 'fixtures/media/panorama.jpg', title: 'Lake', count: 0 },
    { what: 'a model', files: () => 'fixtures/media/terrace.glb', title: 'Terrace', count: 0 },
    { what: 'ten images', files: tenImages, title: 'Ten works', count: 10 },
  ])('from $what in at most 12 clicks and 3 screens', async ({ what, files, title, count }) => {
    const { page, close, faults } = await newVisitor(web.browser, { viewport: { width: 1280, height: 800 } });
    const newcomer = new Newcomer(page);
    await page.goto(`${web.app.origin}/admin`);
    await newcomer.type('E-mail', ADMIN.email);
    await newcomer.type('Password', ADMIN.password);
    await newcomer.press('Login');
    await page.getByRole('heading', { name: 'Dashboard' }).waitFor();
    await newcomer.press('New');
    newcomer.clicks++;
    await page.getByRole('menuitem', { name: 'Space or tour' }).click();
    await page.getByRole('heading', { name: 'New space' }).waitFor();
    await newcomer.takeFiles(files());
    await page.getByRole('region', { name: 'First view' }).waitFor();
    await newcomer.type('Title', title);
    await newcomer.choose('With an access token');
    await newcomer.type('Hours', '00');
    // The minutes get the focus by themselves.
    await page.getByLabel('Minutes').fill('00');
    await newcomer.press('Create');
    const slug = title.toLowerCase().replaceAll(' ', '-');
    await page.getByRole('link', { name: `${web.app.origin}/${slug}` }).waitFor({ timeout: 60_000 });
    const tokens = (await page.getByLabel('Access tokens').textContent())!.trim().split(/\s+/);
    console.log(`A newcomer needs ${newcomer.clicks} clicks and ${newcomer.screens.size} screens from ${what}.`);
    expect(newcomer.clicks).toBeLessThanOrEqual(MOST.clicks);
    expect([...newcomer.screens].length, [...newcomer.screens].join(', ')).toBeLessThanOrEqual(MOST.screens);
    const [endpoint] = (await web.app.client.endpoints.list()).filter((row) => row.slug === slug);
    expect(endpoint).toMatchObject({ is_protected: true, start_time: '00:00' });
    const room = await web.app.client.rooms.read({ params: { id: endpoint!.room_id! } });
    expect(room.elements.filter(({ element }) => element === 'image')).toHaveLength(count);
    expect(faults).toEqual([]);
    const guest = await newVisitor(web.browser);
    await guest.page.goto(`${web.app.origin}/${slug}`);
    await guest.page.getByLabel('Your personal code').fill(tokens[0]!);
    await guest.page.getByRole('button', { name: 'Login' }).click();
    await guest.page.locator('#entrance.is-ready').waitFor();
    await guest.close();
    await close();
  });
});
