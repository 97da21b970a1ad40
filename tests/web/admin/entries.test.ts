import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { onlyPolicies, openAdmin } from '../../harness/admin-page.ts';
import { webSuite } from '../../harness/web-suite.ts';

const web = webSuite();

const open = (path: string) => openAdmin(web.app, web.browser, path);

describe("an entry that can't be opened", () => {
  test('leads back to its list, which says why', async () => {
    const { services, client } = web.app;
    const { organization_id } = await services.db.selectFrom('users').selectAll().limit(1).executeTakeFirstOrThrow();
    const at = '2026-03-10T12:00:00.000Z';
    const name = `Without a key ${randomUUID()}`;
    const { id } = await services.db
      .insertInto('live_streams')
      .values({
        organization_id,
        name,
        type: 'wowza_live',
        reference: 'abc',
        state: 'stopped',
        encoder: 'other_rtmp',
        player_hls_playback_url: '',
        webrtc_url: '',
        created_at: at,
        updated_at: at,
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    const unset = await open(`/admin/live-streams/${id}`);
    await unset.page.waitForURL('**/admin/live-streams');
    await unset.page.getByText('This service is not set up.').waitFor();
    await unset.page.getByText(name).waitFor();
    await unset.close();
    const room = await client.rooms.create({ body: { title: 'Closed' } });
    const update = { view_any: false, create: false, update: true, delete: false };
    const { page, close } = await openAdmin(web.app, web.browser, `/admin/spaces/${room.id}`, {
      policies: onlyPolicies({ rooms: update }),
    });
    await page.waitForURL('**/admin/spaces');
    // The list may say the same.
    await page.getByText("You don't have permission to do this.").first().waitFor();
    await close();
  });

  test("stays where it is as long as the server can't be reached, and is tried again there", async () => {
    const room = await web.app.client.rooms.create({ body: { title: 'Later' } });
    const { page, close } = await open('/admin/spaces');
    const failing = (route: import('playwright').Route) => route.abort();
    await page.route(`**/api/v1/backend/rooms/${room.id}`, failing);
    await page.getByRole('link', { name: 'Settings: Later' }).click();
    await page.getByText('The space could not be loaded').waitFor();
    await page.unroute(`**/api/v1/backend/rooms/${room.id}`, failing);
    await page.getByRole('button', { name: 'Try again' }).click();
    await expect.poll(() => page.getByLabel('Title').inputValue()).toBe('Later');
    await close();
  });
});

describe('a form', () => {
  test('says what is wrong with a field of another tab, which does not show it', async () => {
    const { id } = await web.app.client.templates.create({ body: { name: 'Tabs' } });
    const { page, close } = await open(`/admin/spaces/templates/${id}`);
    await page.getByRole('tab', { name: 'Space settings' }).click();
    await page.getByLabel('Width (units)', { exact: true }).fill('-5');
    await page.getByRole('button', { name: 'Save' }).click();
    const field = page.getByLabel('Width (units)', { exact: true });
    await expect.poll(() => field.getAttribute('aria-invalid')).toBe('true');
    expect(await page.locator('.mantine-Notification-root').count()).toBe(0);
    await page.getByRole('tab', { name: 'Template settings' }).click();
    await page.getByRole('button', { name: 'Save' }).click();
    const notification = page.locator('.mantine-Notification-root');
    await notification.waitFor();
    expect(await notification.count()).toBe(1);
    await close();
  });
});

describe('an access token', () => {
  test('that is added after another one does not end when the first use of that one says', async () => {
    const { client, services } = web.app;
    const room = await client.rooms.create({ body: { title: 'Vault' } });
    const { id: endpoint_id } = await client.endpoints.create({ body: { name: 'Vault', room_id: room.id } });
    const { id } = await client.accessTokens.create({ body: { endpoint_id, valid_duration: 60 } });
    const used = { first_used_at: '2026-03-10T12:00:00.000Z', valid_till: '2026-03-10T13:00:00.000Z' };
    await services.db.updateTable('access_tokens').set(used).where('id', '=', id).execute();
    const { page, close } = await open(`/admin/access-tokens/${id}`);
    await page.getByRole('button', { name: 'Copy link' }).waitFor();
    await page.getByRole('button', { name: 'QR code' }).click();
    const { token } = await client.accessTokens.read({ params: { id } });
    const link = `${web.app.origin}/vault#access_token=${token}`;
    await page
      .getByRole('dialog', { name: 'QR code' })
      .getByRole('img', { name: `QR code of ${link}` })
      .waitFor();
    await page.keyboard.press('Escape');
    const another = async (from: number) => {
      await page.getByRole('button', { name: 'Add another' }).click();
      await page.waitForURL((url) => !url.pathname.endsWith(`/${from}`));
      return client.accessTokens.read({ params: { id: Number(page.url().split('/').at(-1)) } });
    };
    const made = await another(id);
    expect(made).toMatchObject({ endpoint_id, valid_till: null, valid_duration: 60, first_used_at: null });
    // An end that somebody has chosen counts for the next one too.
    const valid_till = '2099-01-01T00:00:00.000Z';
    await client.accessTokens.update({ params: { id: made.id }, body: { valid_till } });
    await page.reload();
    await page.getByRole('button', { name: 'Add another' }).waitFor();
    expect((await another(made.id)).valid_till).toBe(valid_till);
    await page.route('**/backend/endpoints/rows*', (route) => route.abort());
    await page.getByRole('link', { name: 'Access tokens', exact: true }).click();
    await page.getByRole('table', { name: 'Access tokens' }).waitFor();
    await page.getByRole('combobox', { name: 'Structure' }).click();
    await page.getByText('The list could not be loaded. Type to try again.').waitFor();
    await close();
  });
});

describe('a new space', () => {
  test('begins with the template of the organization, which stands in the form', async () => {
    const { client } = web.app;
    const usual = await client.templates.create({ body: { name: 'House style' } });
    await client.organizations.update({ body: { template_id: usual.id } });
    const add = async (title: string, policies?: Parameters<typeof onlyPolicies>[0]) => {
      const { page, close } = await openAdmin(web.app, web.browser, '/admin/spaces/add', {
        ...(policies && { policies: onlyPolicies(policies) }),
      });
      await page.getByLabel('Title').fill(title);
      const template = page.getByRole('combobox', { name: 'Template' });
      return { page, close, template };
    };
    const saved = async (title: string) => (await client.rooms.list({ query: { search: title } })).data[0]!.template_id;
    const first = await add('With its template');
    await expect.poll(() => first.template.inputValue()).toBe('House style');
    await first.page.getByRole('button', { name: 'Add', exact: true }).click();
    await first.page.waitForURL('**/admin/spaces?sort=-edited');
    expect(await saved('With its template')).toBe(usual.id);
    await first.close();
    // Whoever may not see the settings leaves it to the server.
    const all = { view_any: true, create: true, update: true, delete: true };
    const second = await add('Without seeing it', { rooms: all });
    await second.page.getByRole('button', { name: 'Add', exact: true }).click();
    await second.page.waitForURL('**/admin/spaces?sort=-edited');
    expect(await saved('Without seeing it')).toBe(usual.id);
    await second.close();
    await client.organizations.update({ body: { template_id: null } });
  });
});

describe('the media manager', () => {
  test('shows pictures in the width that the screen needs, and loads anew when an upload fails', async () => {
    await web.app.upload('fixtures/media/pictures/tide-table.webp');
    const template = await web.app.client.templates.create({ body: { name: 'Thumbnails' } });
    const { page, close } = await open(`/admin/spaces/templates/${template.id}`);
    await page.getByRole('button', { name: 'Choose: Logo' }).click();
    const picture = page.getByRole('option', { name: /tide-table/ }).locator('img');
    expect(await picture.getAttribute('srcset')).toMatch(/\?width=200 200w, \S+\?width=400 400w$/);
    await expect.poll(() => picture.evaluate((img: HTMLImageElement) => img.currentSrc)).toMatch(/width=200$/);
    const listed = page.waitForRequest(/\/backend\/media\?/);
    const buffer = Buffer.from('this is no picture');
    await page
      .getByRole('dialog')
      .locator('input[type="file"]')
      .setInputFiles({ name: 'broken.png', mimeType: 'image/png', buffer });
    await page.getByRole('dialog').getByRole('alert').waitFor();
    await listed;
    await page.getByRole('option', { name: /tide-table/ }).waitFor();
    await close();
  });
});

describe('the menu', () => {
  test('says how many access tokens are shown, and has the texts behind the feeds', async () => {
    const { page, close } = await open('/admin/settings');
    const links = await page.getByRole('navigation', { name: 'Settings' }).getByRole('link').allTextContents();
    expect(links.slice(links.indexOf('General'), links.indexOf('General') + 5)).toEqual([
      'General',
      'Branding',
      'Embed',
      'Feed',
      'Texts',
    ]);
    await page.goto(`${web.app.origin}/admin/access-tokens`);
    await page.getByRole('link', { name: 'Overview (last 100)' }).waitFor();
    await close();
  });
});

test('a live stream of a platform without a key says so, and offers nothing that would fail', async () => {
  const { page, close } = await openAdmin(web.app, web.browser, '/admin/live-streams/add');
  await page.locator('a[href="/admin/settings/platforms"]', { hasText: 'Set it up in Settings' }).waitFor();
  expect(await page.getByRole('button', { name: 'Add', exact: true }).isDisabled()).toBe(true);
  await close();
});
