import { readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { accessibilityFaults, openAdmin } from '../../harness/admin-page.ts';
import { webSuite } from '../../harness/web-suite.ts';

const web = webSuite();

async function addStructure(name: string, more: object = {}): Promise<number> {
  const { client } = web.app;
  const room = await client.rooms.create({ body: { title: `Space of ${name}` } });
  return (await client.endpoints.create({ body: { name, room_id: room.id, ...more } })).id;
}

const statusOf = async (path: string) => {
  const answer = await fetch(web.app.origin + path, { redirect: 'manual' });
  return [answer.status, answer.headers.get('location')];
};

describe('the page of a structure', () => {
  test('has its address, its QR code, its state, its access tokens and the addresses that it had', async () => {
    const { client } = web.app;
    const id = await addStructure('Workshop', { is_protected: true, start_time: '19:55', show_countdown: true });
    const { page, close, faults } = await openAdmin(web.app, web.browser, `/admin/structures/${id}`);
    const card = page.getByRole('region', { name: 'Public address' });
    await card.getByRole('link', { name: `${web.app.origin}/workshop` }).waitFor();
    expect(await card.getByRole('link', { name: 'Visit' }).getAttribute('href')).toBe(`${web.app.origin}/workshop`);
    await card
      .getByText(/^Visible, opens daily at 19:55 .*, protected without access tokens: nobody can enter yet\.$/)
      .waitFor();
    await page.getByText('Nobody can enter yet', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Add access tokens' }).click();
    const dialog = page.getByRole('dialog', { name: 'Add many access tokens' });
    await dialog.getByLabel('How many').fill('2000');
    await dialog.getByRole('button', { name: 'Add', exact: true }).click();
    await card.getByText(/2,000 access tokens, 0 used\.$/).waitFor();
    await card.getByRole('button', { name: 'QR code' }).click();
    const qr = page.getByRole('dialog', { name: 'QR code' });
    await qr.getByRole('img', { name: `QR code of ${web.app.origin}/workshop` }).waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);
    for (const [button, file, begin] of [
      ['Save as SVG', 'workshop.svg', '<svg'],
      ['Save as PNG', 'workshop.png', '\x89PNG'],
    ] as const) {
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        qr.getByRole('button', { name: button }).click(),
      ]);
      expect(download.suggestedFilename()).toBe(file);
      expect((await readFile(await download.path(), 'latin1')).startsWith(begin)).toBe(true);
    }
    await page.keyboard.press('Escape');
    await qr.waitFor({ state: 'detached' });

    await page.getByLabel('Slug', { exact: true }).fill('Atelier');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('Address is now /atelier').waitFor();
    expect(await statusOf('/workshop')).toEqual([301, '/atelier']);
    const old = page.getByRole('group', { name: 'Old addresses' });
    await old.getByText('/workshop', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect.poll(async () => (await client.endpoints.read({ params: { id } })).path).toBe('/workshop');
    await card.getByRole('link', { name: `${web.app.origin}/workshop` }).waitFor();
    await page.getByRole('button', { name: 'Remove: /atelier' }).click();
    await old.waitFor({ state: 'detached' });
    expect((await statusOf('/atelier'))[0]).toBe(404);
    expect(faults.filter((fault) => !fault.includes('404'))).toEqual([]);
    await close();
  });

  test('says what has no effect yet, and keeps the export where it is public again', async () => {
    const { client } = web.app;
    const id = await addStructure('Open house', { is_protected: false });
    await client.accessTokens.create({ body: { endpoint_id: id } });
    const { page, close } = await openAdmin(web.app, web.browser, `/admin/structures/${id}`);
    await page.getByRole('button', { name: 'Export', exact: true }).waitFor();
    await page.getByLabel('Hours').fill('10');
    await page.getByLabel('Minutes').fill('30');
    await page.getByText('The start time has no effect yet').waitFor();
    await page.getByText('Hidden', { exact: true }).last().click();
    await page.getByText("Visitors can't find or open a hidden structure").waitFor();
    await close();
  });
});

describe('what is removed', () => {
  test('is offered back at once, and stays in the bin, from which it is restored or forgotten', async () => {
    const { client } = web.app;
    const name = 'Short-lived';
    await client.templates.create({ body: { name } });
    const { page, close } = await openAdmin(web.app, web.browser, '/admin/spaces/templates');
    const row = page.getByRole('row').filter({ hasText: name });
    const remove = async () => {
      await row.hover();
      await page.getByRole('button', { name: `Remove: ${name}` }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
      await row.waitFor({ state: 'detached' });
    };
    await remove();
    await page.getByRole('button', { name: 'Undo' }).click();
    await row.waitFor();
    await remove();
    await page.getByRole('link', { name: 'Bin' }).click();
    const entry = page.getByRole('listitem').filter({ hasText: `Template “${name}”` });
    await entry.waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);
    await entry.hover();
    await entry.getByRole('button', { name: `Restore: ${name}` }).click();
    await entry.waitFor({ state: 'detached' });
    const { data } = await client.templates.list();
    const restored = data.find((template) => template.name === name)!;
    await client.templates.remove({ params: { id: restored.id } });
    await page.reload();
    await page.getByRole('button', { name: 'Empty bin' }).click();
    const dialog = page.getByRole('dialog');
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Empty bin' }).click();
    await dialog.getByRole('button', { name: 'Remove' }).click();
    await page.getByText('The bin is empty.').waitFor();
    expect((await client.bin.list()).data).toEqual([]);
    await close();
  });

  test('says beforehand where it is used: a space which structures show it, a template which spaces need it', async () => {
    const { client } = web.app;
    const template = await client.templates.create({ body: { name: 'Needed shell' } });
    const room = await client.rooms.create({ body: { title: 'Needed space', template_id: template.id } });
    await client.endpoints.create({ body: { name: 'Needed way', room_id: room.id } });
    const { page, close } = await openAdmin(web.app, web.browser, '/admin/spaces/templates');
    await page.getByRole('row').filter({ hasText: 'Needed shell' }).hover();
    await page.getByRole('button', { name: 'Remove: Needed shell' }).click();
    await page.getByText('This template is in use by Needed space.').waitFor();
    expect(await page.getByRole('dialog').count()).toBe(0);
    await client.rooms.create({ body: { title: 'Unneeded space' } });
    await page.goto(`${web.app.origin}/admin/spaces`);
    await page.getByText('Unneeded space').waitFor();
    const space = page.getByRole('row').filter({ hasText: 'Needed space' });
    await space.getByRole('cell', { name: 'Needed way' }).waitFor();
    await page.getByRole('combobox', { name: 'Use' }).or(page.getByLabel('Use')).first().click();
    await page.getByRole('option', { name: 'In a structure', exact: true }).click();
    await page.getByText('Unneeded space').waitFor({ state: 'detached' });
    expect(new URL(page.url()).searchParams.get('used')).toBe('1');
    await space.hover();
    await page.getByRole('button', { name: 'Remove: Needed space' }).click();
    await page.getByText('“Needed way” will show no space to visitors.').waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
    await space.waitFor({ state: 'detached' });
    await page.goto(`${web.app.origin}/admin`);
    await page.getByRole('row').filter({ hasText: 'Needed way' }).getByText('No space').waitFor();
    await close();
  });
});

describe('many at once', () => {
  test('feeds are removed and restored together', async () => {
    const { client } = web.app;
    for (const name of ['Many feed A', 'Many feed B']) await client.feeds.create({ body: { name, type: 'local' } });
    const { page, close } = await openAdmin(web.app, web.browser, '/admin/settings/feed?search=Many');
    await page.getByRole('checkbox', { name: 'All on this page' }).check();
    expect(await accessibilityFaults(page)).toEqual([]);
    await page.getByRole('button', { name: 'Remove 2 feeds' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
    const left = async () => (await client.feeds.list({ query: { search: 'Many' } })).data.length;
    await expect.poll(left).toBe(0);
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect.poll(left).toBe(2);
    await close();
  });

  test('users are deactivated and activated, never oneself; Undo leaves alone who was deactivated before', async () => {
    const { client } = web.app;
    const { policies } = await client.users.active();
    const invite = (name: string) => client.users.invite({ body: { email: `${name}@example.com`, name, policies } });
    const [first, second] = [await invite('crowd-a'), await invite('crowd-b')];
    await client.users.update({ params: { id: second.id }, body: { is_active: false } });
    const areActive = async () =>
      (await client.users.list({ query: { search: 'crowd' } })).data.map(({ is_active }) => is_active);
    const { page, close } = await openAdmin(web.app, web.browser, '/admin/settings/users');
    const self = page.getByRole('row').filter({ hasText: 'You' });
    await self.waitFor();
    expect(await self.getByRole('checkbox').count()).toBe(0);
    for (const { name } of [first, second]) await page.getByRole('checkbox', { name: `Select ${name}` }).check();
    expect(await accessibilityFaults(page)).toEqual([]);
    await page.getByRole('button', { name: 'Deactivate 2 users' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Deactivate' }).click();
    await page.getByText('1 user deactivated.').waitFor();
    expect(await areActive()).toEqual([false, false]);
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect.poll(areActive).toEqual([true, false]);
    // The window is left once nothing more is said in it.
    await page.getByText('1 user activated.').waitFor();
    await close();
  });

  test('structures are hidden and removed, those below with them; the bin gives back what is checked there', async () => {
    const { client } = web.app;
    const above = await addStructure('Crowd way');
    await addStructure('Crowd door', { parent_endpoint_id: above });
    await addStructure('Crowd gate');
    const shown = async () => {
      const found = await client.endpoints.list({ query: { search: 'Crowd' } });
      return found.flatMap((each) => [each, ...each.children]).map(({ name, is_visible }) => `${name} ${is_visible}`);
    };
    const { page, close } = await openAdmin(web.app, web.browser, '/admin/structures?search=Crowd');
    await page.getByRole('checkbox', { name: 'All on this page' }).check();
    expect(await accessibilityFaults(page)).toEqual([]);
    await page.getByRole('button', { name: 'Hide 3 structures' }).click();
    await page.getByText('3 structures hidden now.').waitFor();
    expect(await shown()).toEqual(['Crowd way false', 'Crowd door false', 'Crowd gate false']);
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('3 structures visible now.').waitFor();
    await page.getByRole('checkbox', { name: 'All on this page' }).check();
    await page.getByRole('button', { name: 'Remove 3 structures' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
    await page.getByText('They stay in the bin for 30 days.').waitFor();
    expect(await shown()).toEqual([]);
    await page.goto(`${web.app.origin}/admin/bin?search=Crowd`);
    await page.getByRole('checkbox', { name: 'All on this page' }).check();
    await page.getByRole('button', { name: 'Restore 2 entries' }).click();
    await page.getByText('2 entries restored.').waitFor();
    expect((await shown()).toSorted()).toEqual(['Crowd door true', 'Crowd gate true', 'Crowd way true']);
    await page.goto(`${web.app.origin}/admin/structures/add/${above}`);
    await page.getByRole('heading', { name: 'Add structure below Crowd way' }).waitFor();
    await close();
  });

  test('API keys are removed, and webhooks paused and removed', async () => {
    const { client } = web.app;
    const { policies } = await client.users.active();
    for (const name of ['Crowd A', 'Crowd B']) {
      await client.apiKeys.create({ body: { name, policies } });
      await client.webhooks.create({ body: { name, url: 'https://example.com/hook', events: ['space.published'] } });
    }
    const { page, close } = await openAdmin(web.app, web.browser, '/admin/settings/api-keys?search=Crowd');
    const dialog = page.getByRole('dialog');
    await page.getByRole('checkbox', { name: 'All on this page' }).check();
    await page.getByRole('button', { name: 'Remove 2 keys' }).click();
    await dialog.getByRole('button', { name: 'Remove' }).click();
    await page.getByText('No keys match.').waitFor();
    await page.goto(`${web.app.origin}/admin/webhooks`);
    const arePaused = async () => (await client.webhooks.list()).map(({ is_paused }) => is_paused);
    await page.getByRole('checkbox', { name: 'All on this page' }).check();
    await page.getByRole('button', { name: 'Pause 2 webhooks' }).click();
    await page.getByText('2 webhooks paused.').waitFor();
    expect(await arePaused()).toEqual([true, true]);
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect.poll(arePaused).toEqual([false, false]);
    await page.getByRole('checkbox', { name: 'All on this page' }).check();
    await page.getByRole('button', { name: 'Remove 2 webhooks' }).click();
    await dialog.getByRole('button', { name: 'Remove' }).click();
    await page.getByText('No webhooks yet.').waitFor();
    await close();
  });
});

describe('the menu', () => {
  test('folded, stays as icons with names; as a drawer it is out of reach while closed, and Esc closes it', async () => {
    const { page, close } = await openAdmin(web.app, web.browser, '/admin');
    await page.getByRole('button', { name: 'Collapse menu' }).click();
    const spaces = page.getByRole('link', { name: 'Spaces', exact: true });
    await expect.poll(async () => (await spaces.boundingBox())!.width).toBeLessThan(60);
    await spaces.click();
    await page.getByRole('heading', { name: 'Spaces' }).waitFor();
    await page.getByRole('button', { name: 'Expand menu' }).click();
    await page.setViewportSize({ width: 390, height: 844 });
    await spaces.waitFor({ state: 'hidden' });
    await page.getByRole('button', { name: 'Menu', exact: true }).click();
    await spaces.waitFor();
    await page.keyboard.press('Escape');
    await spaces.waitFor({ state: 'hidden' });
    const { client } = web.app;
    await client.rooms.create({ body: { title: 'On a phone' } });
    await page.reload();
    await page.getByRole('button', { name: 'Actions: On a phone' }).click();
    await page.getByRole('menuitem', { name: 'Settings' }).click();
    await expect.poll(() => page.getByLabel('Title').inputValue()).toBe('On a phone');
    await close();
  });
});
