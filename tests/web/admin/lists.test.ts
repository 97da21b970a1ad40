import type { Page } from 'playwright';
import { describe, expect, test } from 'vitest';
import { accessibilityFaults, colorFaults, onlyPolicies, openAdmin } from '../../harness/admin-page.ts';
import { webSuite } from '../../harness/web-suite.ts';

const web = webSuite();

const open = async (path: string) => openAdmin(web.app, web.browser, path);
const row = (page: Page, name: string) =>
  page.getByRole('listitem').or(page.getByRole('treeitem')).or(page.getByRole('row')).filter({ hasText: name });

/** Lists with a confirmation before an entry is removed: where, the entry's name, and the words of the question. */
const REMOVALS = [
  {
    what: 'a space',
    path: '/admin/spaces',
    title: 'Are you sure you want to remove this space?',
    text: 'will be removed.',
    make: (name: string) => web.app.client.rooms.create({ body: { title: name } }),
  },
  {
    what: 'a template',
    path: '/admin/spaces/templates',
    title: 'Are you sure you want to remove this template?',
    text: 'The template will be removed. This cannot be undone.',
    make: (name: string) => web.app.client.templates.create({ body: { name } }),
  },
  {
    what: 'a feed',
    path: '/admin/settings/feed',
    title: 'Are you sure you want to remove this feed?',
    text: 'The feed will be removed. This cannot be undone.',
    make: (name: string) => web.app.client.feeds.create({ body: { name, type: 'local' } }),
  },
  {
    what: 'a user',
    path: '/admin/settings/users',
    title: 'Are you sure you want to remove this user?',
    text: 'Gone a user is signed out at once, and their API keys stop working.',
    make: async (name: string) => {
      const { policies } = await web.app.client.users.active();
      return web.app.client.users.invite({ body: { email: 'gone@example.com', name, policies } });
    },
  },
  {
    what: 'a structure',
    path: '/admin/structures',
    title: 'Are you sure you want to remove this structure?',
    text: 'the structures below it will be removed. This cannot be undone.',
    make: async (name: string) => {
      const room = await web.app.client.rooms.create({ body: { title: `Space of ${name}` } });
      return web.app.client.endpoints.create({ body: { name, room_id: room.id } });
    },
  },
  {
    what: 'a token',
    path: '/admin/access-tokens',
    title: 'Are you sure you want to remove this token?',
    text: 'The token will be removed. This cannot be undone.',
    make: async (token: string) => {
      const room = await web.app.client.rooms.create({ body: { title: `Space of ${token}` } });
      const { id } = await web.app.client.endpoints.create({ body: { name: `At ${token}`, room_id: room.id } });
      return web.app.client.accessTokens.create({ body: { endpoint_id: id, token } });
    },
  },
];

describe('lists', () => {
  test.each(REMOVALS)('asks before $what is removed; Cancel, Esc and the backdrop leave it', async (removal) => {
    const name = `Gone ${removal.what}`;
    await removal.make(name);
    const { page, close } = await open(removal.path);
    const dialog = page.getByRole('dialog');
    const ask = async () => {
      await row(page, name).first().hover();
      await page.getByRole('button', { name: `Remove: ${name}` }).click();
      await dialog.getByText(removal.title).waitFor();
      await dialog.getByText(removal.text).waitFor();
    };
    await ask();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await dialog.waitFor({ state: 'detached' });
    await ask();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await ask();
    await page.mouse.click(5, 5);
    await dialog.waitFor({ state: 'detached' });
    expect(await row(page, name).count()).toBe(1);
    await ask();
    await dialog.getByRole('button', { name: 'Remove' }).click();
    await row(page, name).waitFor({ state: 'detached' });
    await page
      .getByText(/has been removed\./)
      .first()
      .waitFor();
    await close();
  });

  test('a copy of a space is asked for, made and listed', async () => {
    await web.app.client.rooms.create({ body: { title: 'Original' } });
    const { page, close } = await open('/admin/spaces?search=Original');
    await row(page, 'Original').hover();
    await page.getByRole('button', { name: 'Copy: Original' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Copy' }).click();
    await expect.poll(() => page.getByRole('rowheader').count()).toBe(2);
    await close();
  });

  test('a search stands in the address, survives a reload, and says when nothing matches', async () => {
    for (const title of ['Red room', 'Blue room']) await web.app.client.rooms.create({ body: { title } });
    const { page, close } = await open('/admin/spaces');
    await page.getByRole('searchbox', { name: 'Search spaces' }).fill('red');
    await expect.poll(() => new URL(page.url()).search).toBe('?search=red');
    await row(page, 'Red room').waitFor();
    await expect.poll(() => row(page, 'Blue room').count()).toBe(0);
    await page.reload();
    await row(page, 'Red room').waitFor();
    expect(await page.getByRole('searchbox').inputValue()).toBe('red');
    await page.getByRole('searchbox').fill('nothing like it');
    await page.getByText('No spaces match. Try other words or fewer filters.').waitFor();
    await close();
  });

  test('a list that could not be loaded says so, and comes back when it is tried again', async () => {
    await web.app.client.rooms.create({ body: { title: 'Still there' } });
    const { page, context } = await open('/admin');
    await page.getByRole('link', { name: 'Spaces', exact: true }).first().click();
    await row(page, 'Still there').waitFor();
    await page.getByRole('link', { name: 'Dashboard' }).click();
    await page.getByRole('heading', { name: 'Dashboard' }).waitFor();
    await context.setOffline(true);
    await page.getByRole('link', { name: 'Spaces', exact: true }).first().click();
    await page.getByText('The spaces could not be loaded').waitFor();
    await context.setOffline(false);
    await page.getByRole('button', { name: 'Try again' }).click();
    await row(page, 'Still there').waitFor();
    await context.close();
  });

  test.each([
    ['/admin/spaces/999999', '/admin/spaces'],
    ['/admin/spaces/nonsense', '/admin/spaces'],
    ['/admin/structures/999999', '/admin/structures'],
    ['/admin/spaces/templates/999999', '/admin/spaces/templates'],
    ['/admin/access-tokens/999999', '/admin/access-tokens'],
    ['/admin/live-streams/999999', '/admin/live-streams'],
    ['/admin/settings/feed/999999', '/admin/settings/feed'],
  ])('%s, which does not exist, leads back to %s', async (path, list) => {
    const { page, close } = await open(path);
    await page.waitForURL(web.app.origin + list);
    await close();
  });

  test('the palette opens a screen, a space or a structure by a few letters', async () => {
    const room = await web.app.client.rooms.create({ body: { title: 'Hidden gem' } });
    const { page, close } = await open('/admin');
    await page.keyboard.press('Control+k');
    // What is typed before the field has come is not lost, and Enter opens the first of what is found.
    await page.keyboard.type('gem');
    await page.getByRole('button', { name: 'Hidden gem' }).waitFor();
    expect(await page.getByRole('textbox', { name: 'Search or jump to' }).inputValue()).toBe('gem');
    await page.keyboard.press('Enter');
    await page.waitForURL(`${web.app.origin}/admin/editor/${room.id}`);
    await close();
  });
});

describe('many entries of a list', () => {
  test('that match are removed at once, whatever page they are on, and restored together', async () => {
    const { client } = web.app;
    for (let number = 1; number <= 52; number++) await client.rooms.create({ body: { title: `Batch ${number}` } });
    const { page, close } = await open('/admin/spaces?search=Batch');
    await page.getByRole('checkbox', { name: 'All on this page' }).check();
    await page.getByRole('button', { name: 'Select all 52 that match' }).click();
    await page.getByRole('button', { name: 'Remove 52 spaces' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
    await page.getByText('They stay in the bin for 30 days.').waitFor({ timeout: 30_000 });
    const left = async () => (await client.rooms.list({ query: { search: 'Batch' } })).meta.total;
    expect(await left()).toBe(0);
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect.poll(left, { timeout: 30_000 }).toBe(52);
    await close();
  });

  test('what a list was narrowed to is saved under a name, chosen again and forgotten', async () => {
    const { page, close } = await open('/admin/spaces?sort=-edited&used=0');
    await page.getByRole('button', { name: 'Views' }).click();
    await page.getByLabel('View name').fill('Unused, newest');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.goto(`${web.app.origin}/admin/spaces`);
    await page.getByRole('button', { name: 'Views' }).click();
    await page.getByRole('menuitem', { name: 'Unused, newest' }).click();
    await page.waitForURL('**/admin/spaces?sort=-edited&used=0');
    await page.getByRole('button', { name: 'Unused, newest' }).click();
    await page.getByRole('menuitem', { name: 'Delete “Unused, newest”' }).click();
    await page.getByRole('button', { name: 'Views' }).waitFor();
    await close();
  });
});

describe('columns of a list', () => {
  test('are chosen by keys, kept in the browser, and belong to a saved view', async () => {
    await web.app.client.rooms.create({ body: { title: 'Columned' } });
    const { page, close } = await open('/admin/spaces?search=Columned');
    const edited = page.getByRole('columnheader', { name: 'Edited', exact: true });
    await edited.waitFor();
    await page.getByRole('button', { name: 'Columns' }).press('Enter');
    await page.getByRole('menuitemcheckbox', { name: 'Edited', exact: true }).press('Enter');
    await edited.waitFor({ state: 'detached' });
    expect(await page.getByRole('menuitemcheckbox', { name: 'Name' }).count(), 'it always shows').toBe(0);
    await page.keyboard.press('Escape');
    await page.reload();
    await row(page, 'Columned').waitFor();
    expect(await edited.count()).toBe(0);
    expect(await accessibilityFaults(page)).toEqual([]);
    await page.getByRole('button', { name: 'Views' }).click();
    await page.getByLabel('View name').fill('Short');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByRole('button', { name: 'Columns' }).click();
    await page.getByRole('menuitemcheckbox', { name: 'Edited', exact: true }).click();
    await edited.waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Views' }).click();
    await page.getByRole('menuitem', { name: 'Short' }).click();
    await edited.waitFor({ state: 'detached' });
    await close();
  });

  test('order it by their headings, in the address, and say so', async () => {
    for (const title of ['Order A', 'Order B']) await web.app.client.rooms.create({ body: { title } });
    const { page, close } = await open('/admin/spaces?search=Order');
    const heading = (name: string) => page.getByRole('columnheader', { name, exact: true });
    const names = () => page.getByRole('rowheader').allTextContents();
    await expect.poll(names).toEqual(['Order A', 'Order B']);
    expect(await heading('Name').getAttribute('aria-sort')).toBe('ascending');
    expect(await heading('Shown in').getAttribute('aria-sort'), 'there is no such order').toBeNull();
    await heading('Name').getByRole('button').press('Enter');
    await expect.poll(names).toEqual(['Order B', 'Order A']);
    expect(new URL(page.url()).searchParams.get('sort')).toBe('-name');
    await heading('Edited').getByRole('button').click();
    await expect.poll(() => heading('Edited').getAttribute('aria-sort')).toBe('descending');
    expect(await heading('Name').getAttribute('aria-sort')).toBe('none');
    await page.reload();
    await expect.poll(() => heading('Edited').getAttribute('aria-sort')).toBe('descending');
    await expect.poll(names).toEqual(['Order B', 'Order A']);
    await heading('Name').getByRole('button').click();
    await expect.poll(() => new URL(page.url()).searchParams.get('sort')).toBeNull();

    const room = await web.app.client.rooms.create({ body: { title: 'Ordered tokens' } });
    const { id } = await web.app.client.endpoints.create({ body: { name: 'Ordered', room_id: room.id } });
    for (const token of ['order-b', 'order-c', 'order-a'])
      await web.app.client.accessTokens.create({ body: { endpoint_id: id, token } });
    await page.goto(`${web.app.origin}/admin/access-tokens?search=order-`);
    await expect.poll(names).toEqual(['order-a', 'order-c', 'order-b']);
    expect(await heading('Added').getAttribute('aria-sort')).toBe('descending');
    expect(await heading('Token').getByRole('button').count(), 'those of all structures').toBe(0);
    await page.goto(`${web.app.origin}/admin/access-tokens?endpoint=${id}`);
    await heading('Token').getByRole('button').press('Enter');
    await expect.poll(names).toEqual(['order-a', 'order-b', 'order-c']);
    await heading('Token').getByRole('button').press(' ');
    await expect.poll(names).toEqual(['order-c', 'order-b', 'order-a']);
    expect(new URL(page.url()).search).toBe(`?endpoint=${id}&sort=-token`);
    await heading('Added').getByRole('button').click();
    await expect.poll(names).toEqual(['order-a', 'order-c', 'order-b']);
    expect(new URL(page.url()).search).toBe(`?endpoint=${id}`);
    expect(await accessibilityFaults(page)).toEqual([]);

    await page.setViewportSize({ width: 390, height: 844 });
    await page.getByRole('button', { name: 'Filters' }).click();
    await page.getByRole('combobox', { name: 'Order' }).click();
    await page.getByRole('option', { name: 'Token, descending' }).click();
    await page.getByRole('button', { name: 'Done' }).click();
    await expect.poll(names).toEqual(['order-c', 'order-b', 'order-a']);
    await close();
  });
});

describe('a name in a list', () => {
  const field = (page: Page, name: string) => page.getByRole('textbox', { name: `Name of ${name}` });

  test.each([
    ['/admin/spaces', 'space', (name: string) => web.app.client.rooms.create({ body: { title: name } })],
    ['/admin/spaces/templates', 'template', (name: string) => web.app.client.templates.create({ body: { name } })],
    [
      '/admin/settings/feed',
      'feed',
      (name: string) => web.app.client.feeds.create({ body: { name, type: 'local' as const } }),
    ],
    [
      '/admin/structures',
      'structure',
      async (name: string) => {
        const room = await web.app.client.rooms.create({ body: { title: `Space of ${name}` } });
        return web.app.client.endpoints.create({ body: { name, room_id: room.id } });
      },
    ],
  ])('of %s is changed by F2 and Enter, left by Esc, and undone', async (path, thing, make) => {
    await make(`Old ${thing}`);
    const { page, close } = await open(`${path}?search=${thing}`);
    const link = (name: string) => page.getByRole('link', { name, exact: true });
    await link(`Old ${thing}`).press('F2');
    await field(page, `Old ${thing}`).fill('Not this');
    await page.keyboard.press('Escape');
    await expect.poll(() => link(`Old ${thing}`).evaluate((each) => each === document.activeElement)).toBe(true);
    await page.keyboard.press('F2');
    await field(page, `Old ${thing}`).fill('');
    await page.keyboard.press('Enter');
    await page
      .getByRole('alert')
      .filter({ hasText: /Give the|Enter/ })
      .waitFor();
    expect(await field(page, `Old ${thing}`).getAttribute('aria-invalid')).toBe('true');
    await field(page, `Old ${thing}`).fill(`New ${thing}`);
    await page.keyboard.press('Enter');
    await link(`New ${thing}`).waitFor();
    await expect.poll(() => link(`New ${thing}`).evaluate((each) => each === document.activeElement)).toBe(true);
    await page.getByText(`“Old ${thing}” is now “New ${thing}”.`).waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    await link(`Old ${thing}`).waitFor();
    await close();
  });

  test('that somebody else has changed is not replaced without a word', async () => {
    const { id } = await web.app.client.templates.create({ body: { name: 'Contested' } });
    const { page, close } = await open('/admin/spaces/templates?search=Contested');
    await row(page, 'Contested').hover();
    await page.getByRole('button', { name: 'Rename: Contested' }).click();
    await field(page, 'Contested').fill('Contested by me');
    await web.app.client.templates.update({ params: { id }, body: { name: 'Contested by them' } });
    await page.keyboard.press('Enter');
    await page.getByRole('alert').filter({ hasText: 'Someone else changed this' }).waitFor();
    expect((await web.app.client.templates.read({ params: { id } })).name).toBe('Contested by them');
    await page.keyboard.press('Enter');
    await page.getByRole('link', { name: 'Contested by me', exact: true }).waitFor();
    await close();
  });

  test('stays what it is for whoever may not change it', async () => {
    await web.app.client.templates.create({ body: { name: 'Fixed name' } });
    const templates = { view_any: true, create: false, update: false, delete: true };
    const policies = onlyPolicies({ templates });
    const { page, close } = await openAdmin(web.app, web.browser, '/admin/spaces/templates', { policies });
    await page.getByRole('checkbox', { name: 'Select Fixed name' }).press('F2');
    expect(await page.getByRole('textbox').count()).toBe(0);
    expect(await page.getByRole('button', { name: 'Rename: Fixed name' }).count()).toBe(0);
    await close();
  });
});

describe('on a phone', () => {
  test('the actions of a row stand in one menu in every list, and its name is not cut', async () => {
    const { client } = web.app;
    const name = 'A name that is rather long for the width of a telephone';
    const { id: template_id } = await client.templates.create({ body: { name } });
    const room = await client.rooms.create({ body: { title: name, template_id } });
    const { id: endpoint_id } = await client.endpoints.create({ body: { name, room_id: room.id } });
    const { token } = await client.accessTokens.create({ body: { endpoint_id, token: 'telephone-1' } });
    await client.feeds.create({ body: { name, type: 'local' } });
    const { policies } = await client.users.active();
    await client.apiKeys.create({ body: { name, policies, expires_at: null } });
    await client.users.invite({ body: { email: 'phone@example.com', name, policies } });
    await client.webhooks.create({ body: { name, url: 'https://example.com/hook', events: ['space.published'] } });
    const viewport = { width: 390, height: 844 };
    const { page, close } = await openAdmin(web.app, web.browser, '/admin', { viewport, scheme: 'dark' });
    for (const [path, called, item] of [
      ['spaces', name, 'Rename'],
      ['spaces/templates', name, 'Rename'],
      ['structures', name, 'Visit'],
      ['access-tokens', token, 'Remove'],
      ['settings/feed', name, 'Messages'],
      ['settings/users', name, 'Deactivate'],
      ['settings/api-keys', name, 'Remove'],
      ['webhooks', name, 'Pause'],
    ] as const) {
      await page.goto(`${web.app.origin}/admin/${path}`);
      await page.getByRole('button', { name: `Actions: ${called}` }).click();
      await page.getByRole('menuitem', { name: item }).waitFor();
      expect(await colorFaults(page), path).toEqual([]);
      expect(await page.getByRole('button', { name: `Remove: ${called}` }).count(), path).toBe(0);
      await page.keyboard.press('Escape');
      const text = page.getByText(called, { exact: true }).first();
      const cut = await text.evaluate(
        (each) => each.scrollWidth > each.clientWidth + 1 || each.scrollHeight > each.clientHeight + 1,
      );
      expect(cut, path).toBe(false);
    }
    await page.goto(`${web.app.origin}/admin/spaces`);
    await page.getByRole('button', { name: `Actions: ${name}` }).click();
    await page.getByRole('menuitem', { name: 'Rename' }).click();
    const field = page.getByRole('textbox', { name: `Name of ${name}` });
    await expect.poll(() => field.evaluate((each) => each === document.activeElement)).toBe(true);
    await page.keyboard.type('Short');
    await page.keyboard.press('Enter');
    await page.getByRole('link', { name: 'Short', exact: true }).waitFor();
    await close();
  });
});
