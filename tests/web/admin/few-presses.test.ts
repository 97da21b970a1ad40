import { readFile } from 'node:fs/promises';
import type { Locator, Page } from 'playwright';
import { expect, test } from 'vitest';
import { openAdmin } from '../../harness/admin-page.ts';
import { newVisitor } from '../../harness/browser.ts';
import { startSite } from '../../harness/site.ts';
import { webSuite } from '../../harness/web-suite.ts';

const web = webSuite();

/** Actions of a person with a pointer: each press, each field typed into, and each choice of files is one. */
class Hand {
  readonly page: Page;
  actions = 0;

  constructor(page: Page) {
    this.page = page;
  }

  /** Presses the middle of something, where it is on the screen. */
  async press(target: Locator): Promise<void> {
    this.actions++;
    await target.click();
  }

  button(name: string | RegExp): Promise<void> {
    return this.press(this.page.getByRole('button', { name, exact: true }).first());
  }

  async type(label: string, text: string): Promise<void> {
    this.actions++;
    const field = this.page
      .getByRole('textbox', { name: label })
      .or(this.page.getByRole('spinbutton', { name: label }));
    await field.first().fill(text);
  }

  async takeFiles(files: string | string[]): Promise<void> {
    this.actions++;
    await this.page.setInputFiles('input[type="file"]', files);
  }

  done(job: string, most: number): void {
    console.log(`${job}: ${this.actions} actions, at most ${most}.`);
    expect(this.actions).toBeLessThanOrEqual(most);
  }
}

const begin = async (path: string) => {
  const opened = await openAdmin(web.app, web.browser, path, {
    deviceScaleFactor: 1,
    viewport: { width: 1440, height: 900 },
  });
  return { ...opened, hand: new Hand(opened.page) };
};

test('from a panorama to a link in at most four actions', async () => {
  const { page, hand, close } = await begin('/admin');
  await hand.button('New');
  await hand.press(page.getByRole('menuitem', { name: 'Space or tour' }));
  await hand.takeFiles('fixtures/media/panorama.jpg');
  await page.getByRole('region', { name: 'First view' }).waitFor();
  await hand.button('Create');
  const shown = page.getByRole('link', { name: `${web.app.origin}/panorama` });
  await shown.waitFor();
  hand.done('A link from a panorama', 4);
  const link = (await shown.getAttribute('href'))!;
  const visitor = await newVisitor(web.browser);
  await visitor.page.goto(link);
  await visitor.page.locator('#entrance.is-ready').waitFor();
  await visitor.close();
  await close();
});

test('a protected, timed space whose hundred access tokens are exported as links, in at most eight actions', async () => {
  const { page, hand, close } = await begin('/admin');
  await hand.button('New');
  await hand.press(page.getByRole('menuitem', { name: 'Space or tour' }));
  await hand.takeFiles('fixtures/media/panorama.jpg');
  await page.getByRole('region', { name: 'First view' }).waitFor();
  await hand.press(page.getByText('With an access token', { exact: true }));
  await hand.type('Access tokens', '100');
  await hand.type('Hours', '00');
  // The minutes get the focus by themselves.
  await page.getByLabel('Minutes').fill('00');
  await hand.button('Create');
  const saved = page.waitForEvent('download');
  await hand.button('Export with links');
  hand.done('A hundred links', 8);
  const csv = await readFile(await (await saved).path(), 'utf8');
  const links = [...csv.matchAll(/https?:\/\/[^",;\s]+#access_token=[^",;\s]+/g)].map(([link]) => link);
  expect(new Set(links).size).toBe(100);
  const visitor = await newVisitor(web.browser);
  await visitor.page.goto(links[99]!);
  await visitor.page.locator('#entrance.is-ready').waitFor();
  await visitor.close();
  await close();
});

test('an embed on another site in at most three actions', async () => {
  const { client } = web.app;
  const { id: room_id } = await client.rooms.create({ body: { title: 'Lobby' } });
  const { id } = await client.endpoints.create({ body: { name: 'Lobby', slug: 'lobby', room_id } });
  const { page, hand, close } = await begin(`/admin/structures/${id}`);
  let code = '';
  const site = await startSite(() => `<!doctype html><title>News</title>${code}`);
  await hand.press(page.getByRole('tab', { name: 'Embed' }));
  code = await page.getByRole('textbox', { name: 'Embed code' }).inputValue();
  await hand.type('Add a site', site.origin);
  await hand.button('Allow and test');
  await page.getByText('Works: this site can embed the page.').waitFor();
  hand.done('An embed', 3);
  const visitor = await newVisitor(web.browser);
  await visitor.page.goto(site.origin);
  await visitor.page.frameLocator('iframe').locator('#entrance.is-ready').waitFor();
  await visitor.close();
  await site.close();
  await close();
});

test('a colleague is invited in at most six actions', async () => {
  const { page, hand, close } = await begin('/admin');
  await hand.press(page.getByRole('link', { name: 'Settings', exact: true }).first());
  await hand.press(page.getByRole('link', { name: 'Users', exact: true }).first());
  await hand.press(page.getByRole('link', { name: 'Add new' }));
  await hand.type('E-mail', 'robin@example.com');
  await hand.type('Name', 'Robin');
  await hand.button('Add');
  await page.getByRole('dialog', { name: 'Link to set a password' }).waitFor();
  hand.done('An invitation', 6);
  const { data } = await web.app.client.users.list({ query: { search: 'robin' } });
  expect(data).toMatchObject([{ email: 'robin@example.com', is_invited: true }]);
  await close();
});
