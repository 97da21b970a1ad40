import { describe, expect, test } from 'vitest';
import { createClient } from '../../../src/contract/client.ts';
import { TOKEN_KEY } from '../../../src/ui/session/session-store.ts';
import { accessibilityFaults, onlyPolicies, openAdmin, settled } from '../../harness/admin-page.ts';
import { webSuite } from '../../harness/web-suite.ts';
import { nextFrames } from '../elements/play.ts';

const web = webSuite();

const open = (path: string) => openAdmin(web.app, web.browser, path);

describe('forms', () => {
  test('a space is added with a template that is searched for, and found in the list', async () => {
    const template = await web.app.client.templates.create({ body: { name: 'Marble' } });
    const { page, close } = await open('/admin/spaces/add');
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    await page.getByText('Give the space a title.').waitFor();
    await page.getByLabel('Title').fill('Marble hall');
    await page.getByRole('combobox', { name: 'Template' }).fill('marb');
    await page.getByRole('option', { name: 'Marble' }).click();
    await page.keyboard.press('Control+s');
    await page.waitForURL('**/admin/spaces?sort=-edited');
    await page.getByText('The space has been added.').waitFor();
    expect(await page.getByRole('rowheader').first().textContent()).toBe('Marble hall');
    const { data } = await web.app.client.rooms.list({ query: { search: 'Marble hall' } });
    expect(data[0]?.template_id).toBe(template.id);
    await close();
  });

  test('leaving with something unsaved asks first, and Cancel stays with what was typed', async () => {
    const room = await web.app.client.rooms.create({ body: { title: 'Kept' } });
    const { page, close } = await open(`/admin/spaces/${room.id}`);
    await page.getByLabel('Title').fill('Changed');
    await page.getByRole('link', { name: 'Dashboard' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('Leave without saving?').waitFor();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await dialog.waitFor({ state: 'detached' });
    expect(await page.getByLabel('Title').inputValue()).toBe('Changed');
    await page.getByRole('link', { name: 'Dashboard' }).click();
    await dialog.getByRole('button', { name: 'Leave' }).click();
    await page.getByRole('heading', { name: 'Dashboard' }).waitFor();
    expect((await web.app.client.rooms.read({ params: { id: room.id } })).title).toBe('Kept');
    await close();
  });

  test('logging out with something unsaved asks first, and stays where that is refused', async () => {
    const room = await web.app.client.rooms.create({ body: { title: 'Kept' } });
    const { page, close } = await open(`/admin/spaces/${room.id}`);
    await page.getByLabel('Title').fill('Changed');
    await page.getByRole('button', { name: 'Logout' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('Leave without saving?').waitFor();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await dialog.waitFor({ state: 'detached' });
    expect(await page.getByLabel('Title').inputValue()).toBe('Changed');
    await page.getByRole('button', { name: 'Logout' }).click();
    await dialog.getByRole('button', { name: 'Leave' }).click();
    await page.getByLabel('E-mail').waitFor();
    await close();
  });

  test('a failed save keeps what was typed, says why, and works when it is tried again', async () => {
    const room = await web.app.client.rooms.create({ body: { title: 'Before' } });
    const { page, context } = await open(`/admin/spaces/${room.id}`);
    await page.getByLabel('Title').fill('After');
    await context.setOffline(true);
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('alert').getByText('The server could not be reached. Try again.').waitFor();
    expect(await page.getByLabel('Title').inputValue()).toBe('After');
    await context.setOffline(false);
    await page.getByRole('button', { name: 'Save' }).click();
    await page.waitForURL('**/admin/spaces');
    expect((await web.app.client.rooms.read({ params: { id: room.id } })).title).toBe('After');
    await context.close();
  });

  test('what somebody else saved meanwhile is never overwritten unasked', async () => {
    const template = await web.app.client.templates.create({ body: { name: 'Mine' } });
    const { page, close } = await open(`/admin/spaces/templates/${template.id}`);
    await page.getByRole('textbox', { name: 'Name' }).fill('Mine again');
    await web.app.client.templates.update({ params: { id: template.id }, body: { name: 'Theirs' } });
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Someone else changed this template').waitFor();
    expect((await web.app.client.templates.read({ params: { id: template.id } })).name).toBe('Theirs');
    await page.getByRole('button', { name: 'Overwrite with mine' }).click();
    await page.waitForURL('**/admin/spaces/templates');
    expect((await web.app.client.templates.read({ params: { id: template.id } })).name).toBe('Mine again');
    await close();
  });

  test('a session that ends in mid-form: after signing in again, what was typed is back', async () => {
    const room = await web.app.client.rooms.create({ body: { title: 'Long text' } });
    const { page, close } = await open(`/admin/spaces/${room.id}`);
    await page.getByLabel('Title').fill('Hours of work');
    const token = await page.evaluate((key) => localStorage.getItem(key), TOKEN_KEY);
    const { email } = await createClient({ origin: web.app.origin, token: () => token }).users.active();
    await web.app.services.db.deleteFrom('sessions').execute();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.waitForURL('**/admin/login?redirect=**');
    await page.getByLabel('E-mail').fill(email);
    await page.getByLabel('Password').first().fill('correct horse battery');
    await page.getByRole('button', { name: 'Login' }).click();
    await page.waitForURL(`**/admin/spaces/${room.id}`);
    await page.getByText('Your unsaved changes have been restored.').waitFor();
    expect(await page.getByLabel('Title').inputValue()).toBe('Hours of work');
    await web.app.client.users.login({ body: { email: 'admin@example.com', password: 'correct horse battery' } });
    await close();
  });

  test('embed domains: empty rows are dropped, a wildcard is refused at its row', async () => {
    const { page, close } = await open('/admin/settings/embed');
    await page.getByLabel('Domain 1').fill('https://*.example.com');
    await page.getByRole('button', { name: 'Add a domain' }).click();
    await page.getByLabel('Domain 2').fill('https://www.example.com');
    await page.getByRole('button', { name: 'Add a domain' }).click();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText(/Use an origin with a scheme/).waitFor();
    await page.getByRole('button', { name: 'Remove domain 1' }).click();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('The settings have been saved.').waitFor();
    const { embed_domains } = await web.app.client.organizations.read();
    expect(embed_domains.map(({ domain }) => domain)).toEqual(['https://www.example.com']);
    await close();
  });

  test('embed domains are put in order with keyboard and finger', async () => {
    const sites = ['https://a.example.com', 'https://b.example.com', 'https://c.example.com'];
    await web.app.client.organizations.update({ body: { embed_domains: sites.map((domain) => ({ domain })) } });
    const { page, context } = await open('/admin/settings/embed');
    await settled(page);
    const shown = () =>
      page.getByLabel(/^Domain \d$/).evaluateAll((fields) => fields.map((field) => (field as HTMLInputElement).value));
    await page.getByLabel('Domain 1', { exact: true }).press('Alt+ArrowDown');
    expect(await shown()).toEqual([sites[1], sites[0], sites[2]]);
    await page.getByText(`${sites[0]}: place 2 of 3`).waitFor({ state: 'attached' });
    const handles = page.getByRole('button', { name: /^Move: / });
    const boxes = await Promise.all([2, 0].map(async (index) => (await handles.nth(index).boundingBox())!));
    const [from, to] = boxes.map(({ x, y, width, height }) => ({ x: x + width / 2, y: y + height / 2 }));
    const hand = await page.context().newCDPSession(page);
    const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', touchPoints: { x: number; y: number }[]) =>
      hand.send('Input.dispatchTouchEvent', { type, touchPoints });
    await touch('touchStart', [from!]);
    for (let step = 1; step <= 10; step++) {
      await touch('touchMove', [{ x: to!.x, y: from!.y + ((to!.y - 6 - from!.y) * step) / 10 }]);
      await nextFrames(page, 1);
    }
    // The list looks where the finger is now and then, and only while it moves; what is held comes after it once more.
    let aside = 0;
    const moved = async () => {
      aside = 1 - aside;
      await touch('touchMove', [{ x: to!.x + aside, y: to!.y - 6 }]);
      return (await shown()).slice(0, sites.length);
    };
    await expect.poll(moved).toEqual([sites[2], sites[1], sites[0]]);
    await touch('touchEnd', []);
    await expect.poll(shown).toEqual([sites[2], sites[1], sites[0]]);
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('The settings have been saved.').waitFor();
    const { embed_domains } = await web.app.client.organizations.read();
    expect(embed_domains.map(({ domain }) => domain)).toEqual([sites[2], sites[1], sites[0]]);
    expect(await accessibilityFaults(page)).toEqual([]);
    await context.close();
  });

  test('a Picdrop feed needs its address, a feed a name; the type stays once it exists', async () => {
    const { page, close } = await open('/admin/settings/feed/add');
    await page.getByText('Instagram is not set up: its app ID and secret are missing.').waitFor();
    await page.getByRole('combobox', { name: 'Type' }).click();
    await page.getByRole('option', { name: 'Picdrop' }).click();
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    await page.getByText('Give the feed a name.').waitFor();
    await page.getByText('Enter a URL such as https://www.example.com/feed.xml.').waitFor();
    await page.getByLabel('Name').fill('Party pictures');
    await page.getByLabel('Feed url').fill('http://127.0.0.1/feed.xml');
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    await page.getByText("This URL doesn't resolve to a public IP address.").waitFor();
    expect(await page.getByLabel('Feed url').inputValue()).toBe('http://127.0.0.1/feed.xml');
    await page.getByRole('combobox', { name: 'Type' }).click();
    await page.getByRole('option', { name: 'Local' }).click();
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    await page.waitForURL('**/admin/settings/feed');
    await page.getByRole('link', { name: 'Party pictures', exact: true }).click();
    await settled(page);
    expect(await page.getByRole('combobox', { name: 'Type' }).isDisabled()).toBe(true);
    await close();
  });

  test('many tokens are added at once, narrowed by state, and removed together', async () => {
    const room = await web.app.client.rooms.create({ body: { title: 'Vault' } });
    const endpoint = await web.app.client.endpoints.create({ body: { name: 'Vault door', room_id: room.id } });
    const { page, close } = await open('/admin/access-tokens');
    await page.getByRole('button', { name: 'Add many' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('combobox', { name: 'Structure' }).click();
    await page.getByRole('option', { name: 'Vault door' }).click();
    await dialog.getByLabel('How many').fill('120');
    await dialog.getByLabel('Prefix').fill('VIP-');
    await dialog.getByRole('button', { name: 'Add' }).click();
    await page.getByText('The tokens have been added.').waitFor();
    await expect.poll(() => page.getByRole('row').filter({ hasText: 'VIP-' }).count()).toBe(100);
    await page.getByRole('combobox', { name: 'State' }).click();
    await page.getByRole('option', { name: 'Expired' }).click();
    await page.getByText('No tokens match.').waitFor();
    await page.goto(`${web.app.origin}/admin/access-tokens?endpoint=${endpoint.id}&state=unused`);
    await page.getByLabel('All on this page').check();
    await page.getByRole('button', { name: 'Select all 120 that match' }).click();
    await page.getByRole('button', { name: 'Remove 120 tokens' }).click();
    await dialog.getByRole('button', { name: 'Remove' }).click();
    await page.getByText('No tokens match.').waitFor();
    await close();
  });

  test('a picture is uploaded in the media manager, chosen, and stays with the template', async () => {
    const template = await web.app.client.templates.create({ body: { name: 'With logo' } });
    const { page, close } = await open(`/admin/spaces/templates/${template.id}`);
    await page.getByRole('button', { name: 'Choose: Logo' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Choose', exact: true }).waitFor();
    expect(await dialog.getByRole('button', { name: 'Choose', exact: true }).isDisabled()).toBe(true);
    await page
      .getByRole('dialog')
      .locator('input[type="file"]')
      .setInputFiles('fixtures/media/pictures/chapel-light.webp');
    await dialog.getByRole('option', { name: /chapel-light\.webp/ }).waitFor();
    await dialog.getByRole('button', { name: 'Choose', exact: true }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Save' }).click();
    await page.waitForURL('**/admin/spaces/templates');
    const saved = await web.app.client.templates.read({ params: { id: template.id } });
    expect(saved.logo_file?.name).toBe('chapel-light.webp');
    await close();
  });

  test('whoever may not upload chooses from the media manager, which says so; whoever may not see it is told that', async () => {
    const file = await web.app.upload('fixtures/media/pictures/currents.webp');
    const template = await web.app.client.templates.create({ body: { name: 'For readers' } });
    const all = { view_any: true, create: true, update: true, delete: true };
    const see = { view_any: true, create: false, update: false, delete: false };
    const openMedia = async (policies: Parameters<typeof onlyPolicies>[0]) => {
      const window = await openAdmin(web.app, web.browser, `/admin/spaces/templates/${template.id}`, {
        policies: onlyPolicies({ templates: all, ...policies }),
      });
      await window.page.getByRole('button', { name: 'Choose: Logo' }).click();
      return { ...window, dialog: window.page.getByRole('dialog', { name: 'Media' }) };
    };
    const reader = await openMedia({ media: see });
    await reader.dialog.getByText('You can choose files but not upload them.').waitFor();
    await reader.dialog.getByRole('option').filter({ hasText: file.name }).click();
    expect(await reader.dialog.getByRole('button', { name: 'Remove' }).count()).toBe(0);
    expect(await reader.page.locator('input[type="file"]').count()).toBe(0);
    await reader.dialog.getByRole('button', { name: 'Choose', exact: true }).click();
    await reader.dialog.waitFor({ state: 'detached' });
    await reader.close();
    const stranger = await openMedia({});
    await stranger.dialog.getByText("You don't have access to the media library.").waitFor();
    await stranger.close();
  });

  test('a file of the wrong kind is refused with a sentence, and can be taken off the list', async () => {
    const template = await web.app.client.templates.create({ body: { name: 'Bad upload' } });
    const { page, close } = await open(`/admin/spaces/templates/${template.id}`);
    await page.getByRole('button', { name: 'Choose: Logo' }).click();
    const buffer = Buffer.from('this is no picture');
    await page
      .getByRole('dialog')
      .locator('input[type="file"]')
      .setInputFiles({ name: 'broken.png', mimeType: 'image/png', buffer });
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('alert').waitFor();
    await dialog.getByRole('button', { name: 'Retry broken.png' }).click();
    await dialog.getByRole('button', { name: 'Dismiss broken.png' }).click();
    await dialog.getByText('broken.png').waitFor({ state: 'detached' });
    await close();
  });

  test('of many refused files each is named and can be read, and Choose stays in sight', async () => {
    const template = await web.app.client.templates.create({ body: { name: 'Many bad uploads' } });
    const { page, close } = await open(`/admin/spaces/templates/${template.id}`);
    await page.getByRole('button', { name: 'Choose: Logo' }).click();
    const dialog = page.getByRole('dialog', { name: 'Media' });
    const named = (name: string) => ({ name, mimeType: 'image/png', buffer: Buffer.from('this is no image') });
    const long = `a-very-long-name-${'x'.repeat(80)}.png`;
    const files = [long, ...Array.from({ length: 12 }, (_, index) => `bad-${index}.png`)];
    await page.getByRole('dialog').locator('input[type="file"]').setInputFiles(files.map(named));
    await dialog.getByText('bad-11.png').waitFor();
    await expect.poll(() => dialog.getByRole('alert').count()).toBe(files.length);
    expect((await dialog.getByText(long).boundingBox())!.width).toBeGreaterThan(60);
    const choose = (await dialog.getByRole('button', { name: 'Choose', exact: true }).boundingBox())!;
    expect(choose.y + choose.height).toBeLessThanOrEqual(page.viewportSize()!.height);
    await page.getByRole('dialog').locator('input[type="file"]').setInputFiles(['one.txt', 'two.txt'].map(named));
    await page.getByText(/one\.txt.*two\.txt/).waitFor();
    await close();
  });

  test('Esc in the question whether a file is to be removed leaves the media manager open; a search says when nothing matches', async () => {
    const file = await web.app.upload('fixtures/media/pictures/tide-table.webp');
    const template = await web.app.client.templates.create({ body: { name: 'With Esc' } });
    const { page, close } = await open(`/admin/spaces/templates/${template.id}`);
    await page.getByRole('button', { name: 'Choose: Logo' }).click();
    const dialog = page.getByRole('dialog', { name: 'Media' });
    await dialog.getByRole('option').filter({ hasText: file.name }).click();
    await dialog.getByRole('button', { name: 'Remove' }).click();
    await page.getByRole('dialog', { name: `Remove “${file.name}”?` }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog', { name: `Remove “${file.name}”?` }).waitFor({ state: 'detached' });
    expect(await dialog.isVisible()).toBe(true);
    await dialog.getByLabel('Search').fill('no file is called so');
    await dialog.getByText('No file matches. Try other words or fewer filters.').waitFor();
    await close();
  });

  test('an API key is shown once, and works as long as it stands', async () => {
    const { page, close } = await open('/admin/settings/api-keys');
    await page.getByRole('link', { name: 'Add new' }).first().click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('Build');
    // A whole row or column by its name, and off again.
    const right = (name: string) => dialog.getByLabel(name).isChecked();
    for (const name of ['Structures', 'Remove']) await dialog.getByRole('button', { name: `All: ${name}` }).click();
    expect([await right('Structures: Add'), await right('Templates: See'), await right('Templates: Add')]).toEqual([
      true,
      true,
      false,
    ]);
    for (const name of ['Remove', 'See']) await dialog.getByRole('button', { name: `All: ${name}` }).click();
    expect([await right('Structures: Add'), await right('Templates: See')]).toEqual([false, false]);
    await dialog.getByLabel('Spaces: See').check();
    await dialog.getByRole('button', { name: 'Add', exact: true }).click();
    const key = (await dialog.locator('pre').textContent())!;
    const ask = async () =>
      (await fetch(`${web.app.origin}/api/v1/backend/rooms`, { headers: { authorization: `Bearer ${key}` } })).status;
    expect(key).toMatch(/^enf_/);
    // It is shown once: Esc does not lose it.
    await page.keyboard.press('Escape');
    expect(await dialog.locator('pre').textContent()).toBe(key);
    expect(await ask()).toBe(200);
    await dialog.getByRole('button', { name: 'Done' }).click();
    await page.getByRole('row').filter({ hasText: 'Build' }).hover();
    await page.getByRole('button', { name: 'Remove: Build' }).click();
    await dialog.getByRole('button', { name: 'Remove' }).click();
    await page.getByText('There are no API keys yet.').waitFor();
    expect(await ask()).toBe(401);
    await close();
  });
});
