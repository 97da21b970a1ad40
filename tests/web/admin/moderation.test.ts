import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { accessibilityFaults, colorFaults, openAdmin, settled } from '../../harness/admin-page.ts';
import { enterRoom, newVisitor, type Visitor } from '../../harness/browser.ts';
import { webSuite } from '../../harness/web-suite.ts';

const web = webSuite();

describe('moderation of what visitors share', () => {
  let admin: Visitor;
  let feed: number;
  let path: string;
  beforeAll(async () => {
    feed = (await web.app.client.feeds.create({ body: { name: 'Guest book', type: 'local' } })).id;
    const navigation = {
      type: 'modal_share' as const,
      type_config: { feed_id: feed, success_message: 'Thank you.', reload_room: false },
    };
    path = await web.app.publish({
      ...{ width: 800, height: 600, depth: 800 },
      config: { top_right_link: { name: 'Write', navigation } },
    });
    admin = await openAdmin(web.app, web.browser, `/admin/settings/feed/${feed}`);
  });
  afterAll(() => admin.close());

  const messages = () => admin.page.getByRole('list', { name: 'Visitors’ messages' }).getByRole('listitem');
  const states = async () =>
    (await web.app.client.feeds.listItems({ query: { sort: 'oldest' } })).data.map(({ message, state }) => [
      message,
      state,
    ]);
  const share = (message: string) => web.app.client.visit.share({ body: { name: 'Kim', message, feed_id: feed } });

  test('a feed is set to hold everything, with blocked words and addresses; a wrong address is said at its field', async () => {
    const { page } = admin;
    await page.getByLabel('Hold for approval').check();
    const words = page.getByLabel('Blocked words').first();
    for (const word of ['rubbish', 'buy now']) {
      await words.fill(word);
      await words.press('Enter');
    }
    const addresses = page.getByLabel('Send an e-mail to').first();
    await addresses.fill('nobody');
    await addresses.press('Enter');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Enter an e-mail address.').waitFor();
    await addresses.press('Backspace');
    await addresses.fill('kim@example.com');
    await addresses.press('Enter');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('The feed has been saved.').waitFor();
    expect((await web.app.client.feeds.read({ params: { id: feed } })).moderation).toEqual({
      hold: true,
      hold_unproven: false,
      blocked_words: ['rubbish', 'buy now'],
      notify: ['kim@example.com'],
    });
  });

  test('a visitor is told that a message waits; the browser did its work; menu and dashboard count it', async () => {
    const visitor = await newVisitor(web.browser);
    await enterRoom(visitor.page, web.app.origin + path);
    await visitor.page.getByRole('button', { name: 'Write' }).click();
    const dialog = visitor.page.getByRole('dialog', { name: 'Share' });
    await dialog.getByLabel('Your name').fill('Ann');
    await dialog.getByLabel('Your message').fill('Lovely rooms');
    const sent = visitor.page.waitForRequest((request) => request.url().endsWith('/api/v1/share'));
    await dialog.getByRole('button', { name: 'Add now' }).click();
    expect((await sent).postData()).toMatch(/name="proof"\r\n\r\nv1\./);
    await visitor.page
      .getByRole('status')
      .getByText('Thank you. Your message will appear once it is approved.')
      .waitFor();
    expect(visitor.faults).toEqual([]);
    await visitor.close();
    const { page } = admin;
    await page.goto(`${web.app.origin}/admin`);
    await page.getByText('1 message waits for approval.').waitFor();
    await page.getByTitle('1 waiting for approval').first().waitFor();
    await page.getByRole('link', { name: 'Review' }).click();
    await expect.poll(() => messages().count()).toBe(1);
    await settled(page);
    expect(await accessibilityFaults(page)).toEqual([]);
  });

  test('one is approved with a press, which can be undone; its number in the menu follows', async () => {
    const { page } = admin;
    await messages().getByRole('button', { name: 'Approve' }).click();
    await page.getByText('1 message is shown to visitors.').waitFor();
    await expect.poll(() => page.getByTitle('1 waiting for approval').count(), { timeout: 30_000 }).toBe(0);
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByTitle('1 waiting for approval').first().waitFor();
    expect(await states()).toEqual([['Lovely rooms', 'waiting']]);
  });

  test('many are hidden, removed, restored and erased at once', async () => {
    const { page } = admin;
    await share('What rubbish');
    await share('Third\nin two lines');
    await page.goto(`${web.app.origin}/admin/settings/shares?sort=oldest`);
    await expect.poll(() => messages().count()).toBe(3);
    await messages().nth(1).getByText('Blocked word “rubbish”').waitFor();
    expect(await colorFaults(page)).toEqual([]);
    for (const index of [0, 1]) await messages().nth(index).getByRole('checkbox').check();
    await page.getByText('2 selected').waitFor();
    await page.getByRole('button', { name: 'Hide' }).first().click();
    await page.getByText('2 messages are hidden from visitors.').waitFor();
    await page.getByRole('button', { name: 'Remove' }).first().click();
    await page.getByText('2 messages are in the bin for 30 days.').waitFor();
    await expect.poll(() => messages().count()).toBe(1);
    await page.getByRole('combobox', { name: 'State' }).click();
    await page.getByRole('option', { name: 'Removed' }).click();
    await expect.poll(() => messages().count()).toBe(2);
    await messages().first().getByRole('button', { name: 'Restore' }).click();
    await page.getByText('1 message is restored.').waitFor();
    await expect.poll(states).toEqual([
      ['Lovely rooms', 'hidden'],
      ['Third\nin two lines', 'waiting'],
    ]);
    await page.getByRole('checkbox', { name: 'All on this page' }).check();
    await page.getByRole('button', { name: 'Delete forever' }).first().click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
    await page.getByText('No messages match.').waitFor();
  });

  test('all words of a message are read in a window, where it can be approved, too', async () => {
    const { page } = admin;
    await page.goto(`${web.app.origin}/admin/settings/shares?state=waiting`);
    await messages().first().getByRole('button', { name: /Third/ }).click();
    const dialog = page.getByRole('dialog', { name: 'Kim' });
    await dialog.getByText('in two lines').waitFor();
    await dialog.getByRole('button', { name: 'Approve' }).click();
    await dialog.waitFor({ state: 'detached' });
    await expect.poll(async () => (await states()).at(-1)).toEqual(['Third\nin two lines', 'shown']);
    expect(admin.faults).toEqual([]);
  });

  test('all that match are hidden at once, on whatever page they are', async () => {
    const { page } = admin;
    const rows = Array.from({ length: 55 }, (_, index) => ({
      feed_id: feed,
      external_id: `crowd-${index}`,
      name: 'Crowd',
      message: `Crowd ${index}`,
      file_url: '',
      link: '',
      created_at: '2026-03-01T00:00:00.000Z',
    }));
    await web.app.services.db.insertInto('feed_items').values(rows).execute();
    await page.goto(`${web.app.origin}/admin/settings/shares?search=Crowd`);
    await page.getByRole('checkbox', { name: 'All on this page' }).check();
    await page.getByRole('button', { name: 'Select all 55 that match' }).click();
    await page.getByText('55 selected').waitFor();
    await page.getByRole('button', { name: 'Hide' }).first().click();
    await page.getByText('55 messages are hidden from visitors.').waitFor();
    const hidden = { state: 'hidden', search: 'Crowd' } as const;
    expect((await web.app.client.feeds.listItems({ query: hidden })).meta.total).toBe(55);
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect.poll(async () => (await web.app.client.feeds.listItems({ query: hidden })).meta.total).toBe(0);
  });
});
