import type { Page } from 'playwright';
import { describe, expect, test } from 'vitest';
import { openAdmin } from '../../harness/admin-page.ts';
import { webSuite } from '../../harness/web-suite.ts';

const web = webSuite();

const makeRoom = (title: string) => web.app.client.rooms.create({ body: { title } });
const empty = () => web.app.services.db.deleteFrom('endpoints').execute();
/** The tree as names: those below another one are indented. */
const tree = async () =>
  (await web.app.client.endpoints.list()).flatMap(({ name, children }) => [
    name,
    ...children.map((one) => `- ${one.name}`),
  ]);
const grip = (page: Page, name: string) => page.getByRole('button', { name: new RegExp(`^Reorder: ${name}\\.`) });

async function furnish(...names: string[]): Promise<void> {
  await empty();
  const room = await makeRoom('Room');
  for (const name of names) await web.app.client.endpoints.create({ body: { name, room_id: room.id } });
}

/** Structures at the top level, added all at once. */
async function fill(count: number): Promise<void> {
  await empty();
  const room = await makeRoom('Room');
  const { db } = web.app.services;
  const { organization_id } = await db.selectFrom('users').select('organization_id').executeTakeFirstOrThrow();
  const at = new Date(0).toISOString();
  const rows = Array.from({ length: count }, (_, index) => ({
    organization_id,
    name: `Structure ${index}`,
    slug: `structure-${index}`,
    room_id: room.id,
    parent_endpoint_id: null,
    index: `a${String(index).padStart(4, '0')}`,
    is_visible: 1,
    is_timed: 0,
    show_countdown: 0,
    start_time: null,
    start_time_utc_offset: null,
    is_protected: 0,
    access_token_duration: null,
    created_at: at,
    updated_at: at,
  }));
  for (let from = 0; from < rows.length; from += 500)
    await db
      .insertInto('endpoints')
      .values(rows.slice(from, from + 500))
      .execute();
}

describe('the tree of structures', () => {
  test('is reordered with the pointer: before another one, and into it', async () => {
    await furnish('One', 'Two', 'Three');
    const { page, close } = await openAdmin(web.app, web.browser, '/admin/structures');
    const line = (name: string) => page.locator('li').filter({ has: page.getByRole('link', { name, exact: true }) });
    const drag = async (name: string, target: string, part: number) => {
      await line(name).hover();
      const from = (await grip(page, name).boundingBox())!;
      const to = (await line(target).boundingBox())!;
      await page.mouse.move(from.x + 10, from.y + 10);
      await page.mouse.down();
      await page.mouse.move(from.x + 14, from.y + 20, { steps: 3 });
      await page.mouse.move(to.x + 60, to.y + to.height * part, { steps: 8 });
      await page.mouse.move(to.x + 62, to.y + to.height * part);
      await page.mouse.up();
    };
    await drag('Three', 'One', 0.1);
    await expect.poll(tree).toEqual(['Three', 'One', 'Two']);
    await drag('Two', 'One', 0.5);
    await expect.poll(tree).toEqual(['Three', 'One', '- Two']);
    await page.getByText('Address is now /one/two').waitFor();
    // The line below an open row is the one above its first child.
    await drag('Three', 'One', 0.95);
    await expect.poll(tree).toEqual(['One', '- Three', '- Two']);
    const notification = page.locator('.mantine-Notification-root').filter({ hasText: 'Address is now /one/three' });
    await notification.getByRole('button', { name: 'Undo' }).click();
    await expect.poll(tree).toEqual(['Three', 'One', '- Two']);
    await close();
  });

  test('is reordered with the keyboard, which says what it did', async () => {
    await furnish('One', 'Two', 'Three');
    const { page, close } = await openAdmin(web.app, web.browser, '/admin/structures');
    await grip(page, 'Three').focus();
    await page.keyboard.press('ArrowUp');
    await expect.poll(tree).toEqual(['One', 'Three', 'Two']);
    await page.getByRole('status').filter({ hasText: 'Three moved' }).waitFor({ state: 'attached' });
    await grip(page, 'Three').focus();
    await page.keyboard.press('ArrowRight');
    await expect.poll(tree).toEqual(['One', '- Three', 'Two']);
    await grip(page, 'Three').focus();
    await page.keyboard.press('ArrowLeft');
    await expect.poll(tree).toEqual(['One', 'Three', 'Two']);
    await grip(page, 'One').focus();
    await page.keyboard.press('ArrowUp');
    await page.getByRole('status').filter({ hasText: "can't be moved there" }).waitFor({ state: 'attached' });
    await close();
  });

  test('a move is undone to its place, also before a sibling on the next page', async () => {
    await fill(249);
    const { data } = await web.app.client.endpoints.rows({ query: { search: 'Structure 248' } });
    const [{ id, room }] = data as [(typeof data)[number]];
    for (const name of ['Aisle', 'Bay', 'Cove'])
      await web.app.client.endpoints.create({ body: { name, room_id: room!.id, parent_endpoint_id: id } });
    const below = async () =>
      (await web.app.client.endpoints.rows({ query: { parent_id: id } })).data.map(({ name }) => name);
    const { page, close } = await openAdmin(web.app, web.browser, '/admin/structures');
    await page.getByRole('treeitem').first().waitFor();
    await page.getByRole('tree', { name: 'Structures' }).evaluate((list) => {
      for (let box: Element | null = list; box; box = box.parentElement) box.scrollTop = box.scrollHeight;
    });
    await grip(page, 'Aisle').focus();
    await page.keyboard.press('ArrowLeft');
    await expect.poll(below).toEqual(['Bay', 'Cove']);
    const notification = page.locator('.mantine-Notification-root').filter({ hasText: 'Address is now /aisle' });
    await notification.getByRole('button', { name: 'Undo' }).click();
    await expect.poll(below).toEqual(['Aisle', 'Bay', 'Cove']);
    await close();
  });

  test('many move below one, which is undone, and their spaces are published', async () => {
    await furnish('West', 'Hall', 'Attic', 'East');
    const { page, faults, close } = await openAdmin(web.app, web.browser, '/admin/structures');
    const choose = async () => {
      for (const name of ['Attic', 'Hall']) await page.getByRole('checkbox', { name: `Select ${name}` }).check();
    };
    await choose();
    await page.getByRole('button', { name: 'Move 2 structures', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: 'Move 2 structures' });
    await dialog.getByRole('combobox', { name: 'Below' }).click();
    await page.getByRole('option', { name: 'West (/west)' }).click();
    await dialog.getByRole('button', { name: 'Move', exact: true }).click();
    await expect.poll(async () => (await tree()).toSorted()).toEqual(['- Attic', '- Hall', 'East', 'West']);
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect.poll(tree).toEqual(['West', 'Hall', 'Attic', 'East']);
    await choose();
    await page.getByRole('button', { name: 'Publish 2 structures' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Publish' }).click();
    await page.getByText('1 space published.').waitFor();
    expect(faults).toEqual([]);
    await close();
  });

  test('a search opens the branches in which something is found, and leaves the others as they were', async () => {
    await empty();
    const { id: room_id } = await makeRoom('Branches');
    for (const name of ['North', 'South']) {
      const { id } = await web.app.client.endpoints.create({ body: { name, room_id } });
      const body = { name: `Cellar ${name}`, room_id, parent_endpoint_id: id };
      await web.app.client.endpoints.create({ body });
    }
    const { page, close } = await openAdmin(web.app, web.browser, '/admin/structures');
    const names = () => page.getByRole('tree', { name: 'Structures' }).getByRole('treeitem').count();
    await page.getByRole('button', { name: 'Close North' }).click();
    await expect.poll(names).toBe(3);
    await page.getByText('4 structures', { exact: true }).waitFor();
    const search = page.getByRole('searchbox', { name: 'Search structures' });
    await search.fill('cellar north');
    await page.getByText('Cellar North').waitFor();
    await expect.poll(names).toBe(2);
    await page.getByRole('button', { name: 'Close North' }).click();
    await expect.poll(names).toBe(1);
    await search.fill('');
    await expect.poll(names).toBe(3);
    expect(await page.getByText('Cellar North').count()).toBe(0);
    await close();
  });

  test('5,000 structures come in pages of 250, of which only the visible rows are rendered', async () => {
    await fill(5000);
    const { page, close } = await openAdmin(web.app, web.browser, '/admin');
    const sizes: number[] = [];
    page.on('response', async (response) => {
      if (response.url().includes('/backend/endpoints')) sizes.push((await response.body()).length);
    });
    const list = page.getByRole('tree', { name: 'Structures' });
    await page.getByRole('link', { name: 'Structures', exact: true }).click();
    await list.getByText('Structure 0', { exact: true }).waitFor();
    await page.mouse.move(600, 400);
    for (let turn = 0; turn < 40; turn++) await page.mouse.wheel(0, 400);
    await list.getByText('Structure 249', { exact: true }).waitFor();
    expect(await list.getByRole('treeitem').count()).toBeLessThan(100);
    await page.getByRole('button', { name: '20', exact: true }).click();
    await list.getByText('Structure 4750', { exact: true }).waitFor();
    expect(await list.getByRole('treeitem').count()).toBeLessThan(100);
    expect(Math.max(...sizes)).toBeLessThan(300_000);
    await empty();
    await close();
  });
});

describe('the columns of structures', () => {
  test('show URL, space and tokens, sort and filter the list, and branches close together', async () => {
    await empty();
    const { client } = web.app;
    const { id: room_id } = await makeRoom('Gallery');
    const add = async (name: string, more: object = {}) =>
      (await client.endpoints.create({ body: { name, room_id, ...more } })).id;
    const west = await add('West');
    await add('Hall 10', { parent_endpoint_id: west, is_visible: false });
    await add('Hall 9', { parent_endpoint_id: west });
    await add('East');
    const { page, close } = await openAdmin(web.app, web.browser, '/admin/structures', {
      viewport: { width: 1440, height: 800 },
    });
    const list = page.getByRole('tree', { name: 'Structures' });
    const names = () => list.locator('a[title]:not([aria-label])').allTextContents();
    await expect.poll(names).toEqual(['West', 'Hall 10', 'Hall 9', 'East']);
    await list.getByText('/west/hall-10').waitFor();
    expect(await list.getByText('Gallery').count()).toBe(4);
    await page.getByRole('button', { name: 'Name', exact: true }).click();
    await expect.poll(names).toEqual(['East', 'Hall 9', 'Hall 10', 'West']);
    expect(await grip(page, 'East').count()).toBe(0);
    await page.getByRole('button', { name: 'Name ascending' }).click();
    await expect.poll(names).toEqual(['West', 'Hall 10', 'Hall 9', 'East']);
    await page.getByRole('button', { name: 'Name descending' }).click();
    await expect.poll(names).toEqual(['West', 'Hall 10', 'Hall 9', 'East']);
    await page.getByRole('combobox', { name: 'State' }).click();
    await page.getByRole('option', { name: 'Hidden' }).click();
    await expect.poll(names).toEqual(['West', 'Hall 10']);
    await page.goto(`${web.app.origin}/admin/structures`);
    await page.getByRole('button', { name: 'Collapse all' }).click();
    await expect.poll(names).toEqual(['West', 'East']);
    await page.getByRole('button', { name: 'Open West' }).click();
    await expect.poll(names).toEqual(['West', 'Hall 10', 'Hall 9', 'East']);
    await page.getByRole('button', { name: 'Close West' }).click();
    await expect.poll(names).toEqual(['West', 'East']);
    await page.getByRole('button', { name: 'Expand all' }).click();
    await expect.poll(names).toEqual(['West', 'East']);
    await empty();
    await close();
  });
});

describe('the list of access tokens', () => {
  test('20,000 tokens open and scroll: a page of a hundred is drawn', async () => {
    await furnish('Arena');
    const { client } = web.app;
    const [arena] = await client.endpoints.list();
    for (let turn = 0; turn < 2; turn++)
      await client.accessTokens.createMany({ body: { endpoint_id: arena!.id, count: 10_000, length: 12 } });
    const { page, close } = await openAdmin(web.app, web.browser, '/admin');
    const list = page.getByRole('table', { name: 'Access tokens' });
    await page.getByRole('link', { name: 'Access tokens', exact: true }).click();
    await list.getByRole('rowheader').nth(99).waitFor();
    await page.mouse.move(600, 400);
    for (let turn = 0; turn < 12; turn++) await page.mouse.wheel(0, 400);
    await page.getByText('20,000 tokens').waitFor();
    expect(await list.getByRole('rowheader').count()).toBe(100);
    await list.getByRole('columnheader', { name: 'First used' }).waitFor();
    expect(await page.evaluate(() => scrollY)).toBeGreaterThan(0);
    await page.getByRole('button', { name: 'next page' }).click();
    await page.waitForURL('**/admin/access-tokens?page=2');
    expect(await page.evaluate(() => scrollY)).toBe(0);
    await empty();
    await close();
  });
});

describe('files of access tokens', () => {
  test('as CSV or JSON are taken in as a whole, or refused with their lines', async () => {
    await furnish('Arena');
    const { client } = web.app;
    const [arena] = await client.endpoints.list();
    const { page, close, faults } = await openAdmin(web.app, web.browser, '/admin/access-tokens');
    await page.getByRole('button', { name: 'Import' }).click();
    const dialog = page.getByRole('dialog', { name: 'Import access tokens' });
    await dialog.getByLabel('Structure').click();
    await page.getByRole('option', { name: 'Arena' }).click();
    const send = async (name: string, content: string) => {
      await page.setInputFiles('input[type="file"]', {
        name,
        mimeType: name.endsWith('.csv') ? 'text/csv' : 'application/json',
        buffer: Buffer.from(content),
      });
      const button = dialog.getByRole('button', { name: 'Import', exact: true });
      await expect.poll(() => button.isEnabled()).toBe(true);
      await button.click();
    };
    await send('wrong.json', JSON.stringify([{ token: 'early-bird' }, { token: 'late', valid_duration: 1 }]));
    await dialog.getByText(/^Line 1, valid_duration: /).waitFor();
    expect((await client.accessTokens.list()).meta.total).toBe(0);
    await send('codes.csv', 'row-1\nrow-2\nrow-1\n');
    await dialog.getByText(/^2 added\. 1 duplicate skipped\./).waitFor();
    await send('codes.json', JSON.stringify([{ token: 'early-bird', valid_duration: 45 }]));
    await dialog.getByText(/^1 added\. 0 duplicates skipped/).waitFor();
    await send('codes.json', JSON.stringify([{ token: 'row-1', valid_duration: 60 }]));
    await dialog.getByText(/^0 added\. 1 updated\. 0 duplicates skipped/).waitFor();
    const heading = dialog.getByRole('switch', { name: 'First line is a heading' });
    await page.setInputFiles('input[type="file"]', {
      name: 'people.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from('Seat,Reference\n10023456,row-2\n10023457,row-1\n'),
    });
    await dialog.getByRole('cell', { name: '10023457' }).waitFor();
    const button = dialog.getByRole('button', { name: 'Import', exact: true });
    expect([await heading.isChecked(), await button.isDisabled()]).toEqual([true, true]);
    await dialog.getByRole('combobox', { name: 'Token column' }).click();
    await page.getByRole('option', { name: '2: Reference' }).click();
    await heading.uncheck();
    await heading.check();
    await button.click();
    await dialog.getByText(/^0 added\. 2 duplicates skipped/).waitFor();
    await dialog.getByText('Line 3: duplicate').waitFor();
    const { data } = await client.accessTokens.list({ query: { endpoint_id: arena!.id } });
    expect(data.map(({ token, valid_duration }) => [token, valid_duration])).toEqual([
      ['early-bird', 45],
      ['row-2', null],
      ['row-1', 60],
    ]);
    expect(faults.filter((fault) => !fault.includes('422'))).toEqual([]);
    await empty();
    await close();
  });
});

describe('the form of a structure', () => {
  test('the slug follows the title until it is edited, and is normalized', async () => {
    await empty();
    await makeRoom('Vault');
    const { page, close } = await openAdmin(web.app, web.browser, '/admin/structures/add');
    const slug = page.getByLabel('Slug', { exact: true });
    await page.getByLabel('Title').fill('  The  Big -- Hall! ');
    expect(await slug.inputValue()).toBe('the-big-hall');
    await slug.fill('Own Slug');
    await page.getByLabel('Title').fill('Another title');
    await slug.blur();
    expect(await slug.inputValue()).toBe('own-slug');
    await close();
  });

  test('says at their fields what is wrong, and keeps what was typed', async () => {
    await empty();
    const { page, close } = await openAdmin(web.app, web.browser, '/admin/structures/add');
    await page.getByText('Protected', { exact: true }).last().click();
    await page.getByLabel('Default ticket duration (minutes)').fill('3');
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    await page.getByText('Give the structure a title.').waitFor();
    await page.getByText('Select a space.').waitFor();
    await page.getByText('Use at least 5 minutes.').waitFor();
    expect(await page.getByLabel('Default ticket duration (minutes)').inputValue()).toBe('3');
    expect(await web.app.client.endpoints.list()).toEqual([]);
    await close();
  });

  test("a CSV of codes that can't be is refused with its lines, and nothing is saved", async () => {
    await furnish('Gate');
    const [gate] = await web.app.client.endpoints.list();
    const { page, close } = await openAdmin(web.app, web.browser, `/admin/structures/${gate!.id}`);
    await page.getByText('Protected', { exact: true }).last().click();
    await page.setInputFiles('input[type="file"]', 'fixtures/tokens/wrong.csv');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText(/[Ll]ine 2/).waitFor();
    expect((await web.app.client.endpoints.read({ params: { id: gate!.id } })).is_protected).toBe(false);
    await close();
  });

  test('of a new structure has both tabs; its embed code is there once it has an address', async () => {
    const { page, close } = await openAdmin(web.app, web.browser, '/admin/structures/add');
    await page.getByRole('tab', { name: 'Settings', selected: true }).waitFor();
    expect(await page.getByRole('tab', { name: 'Embed-code' }).isDisabled()).toBe(true);
    await close();
  });

  test('the embed code follows its switches, and the preview shows the same address', async () => {
    await furnish('Stage');
    const [stage] = await web.app.client.endpoints.list();
    const { page, close } = await openAdmin(web.app, web.browser, `/admin/structures/${stage!.id}`);
    await page.getByRole('tab', { name: 'Embed-code' }).click();
    const code = page.getByLabel('Embed code');
    expect(await code.inputValue()).toContain(`src="${web.app.origin}/embed/stage"`);
    await page.getByLabel('Hide logo').check();
    await page.getByLabel('Auto load').check();
    expect(await code.inputValue()).toContain('/embed/stage?hideLogo=1&amp;autoload=1"');
    const preview = page.getByTitle('Preview');
    expect(await preview.getAttribute('src')).toBe(`${web.app.origin}/embed/stage?hideLogo=1&autoload=1`);
    // A room in it would take the focus by itself.
    expect(await preview.getAttribute('inert')).not.toBeNull();
    await preview.contentFrame().locator('#room[data-state="ready"]').waitFor({ timeout: 60_000 });
    await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).not.toBe('IFRAME');
    const box = (await preview.boundingBox())!;
    expect([Math.round(box.width), Math.round(box.height)]).toEqual([560, 315]);
    await close();
  });
});
