import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { accessibilityFaults, openAdmin, settled } from '../../harness/admin-page.ts';
import type { Visitor } from '../../harness/browser.ts';
import { webSuite } from '../../harness/web-suite.ts';

const web = webSuite();

describe('what a space looks like', () => {
  let visitor: Visitor;
  let room: number;
  beforeAll(async () => {
    const { client } = web.app;
    room = (await client.rooms.create({ body: { title: 'Red hall', width: 1000, height: 600, depth: 1000 } })).id;
    await client.rooms.addElement({
      params: { id: room },
      body: { element: 'html', width: 600, height: 400, config: { body: '<p>Welcome</p>' } },
    });
    visitor = await openAdmin(web.app, web.browser, '/admin');
  });
  afterAll(() => visitor.close());

  const poster = () => web.app.client.rooms.readPoster({ params: { id: room } });

  test('is drawn by the editor when the space is published, as visitors come in', async () => {
    const { page, faults } = visitor;
    await page.goto(`${web.app.origin}/admin/editor/${room}`);
    await page.locator('[data-state="ready"]').waitFor();
    await page.getByRole('button', { name: 'Publish' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Publish now' }).click();
    await expect.poll(async () => (await poster())?.is_chosen, { timeout: 40_000 }).toBe(false);
    const { small_url } = (await poster())!;
    const image = Buffer.from(await (await fetch(web.app.origin + small_url)).arrayBuffer());
    const stats = await sharp(image).stats();
    expect(stats.channels.some(({ min, max }) => max - min > 40)).toBe(true);
    expect(faults).toEqual([]);
  });

  test('stands in lists, which can be shown as cards; the browser keeps that', async () => {
    const { page } = visitor;
    const { small_url } = (await poster())!;
    await page.goto(`${web.app.origin}/admin/spaces`);
    await page.getByRole('table', { name: 'Spaces' }).locator(`img[src="${small_url}"]`).waitFor();
    await page.getByText('Cards', { exact: true }).click();
    await page.reload();
    const card = page.getByRole('list', { name: 'Spaces' }).getByRole('listitem').filter({ hasText: 'Red hall' });
    await card.locator(`img[src="${small_url}"]`).waitFor();
    await settled(page);
    expect(await accessibilityFaults(page)).toEqual([]);
    expect(await card.getByRole('link', { name: 'Red hall', exact: true }).getAttribute('href')).toBe(
      `/admin/editor/${room}`,
    );
    await page.getByText('List', { exact: true }).click();
  });

  test('stands beside its name where a structure chooses it', async () => {
    const { page } = visitor;
    const { client, origin } = web.app;
    const { small_url } = (await poster())!;
    await client.rooms.create({ body: { title: 'Plain hall' } });
    await page.goto(`${origin}/admin/structures/add`);
    await page.getByRole('combobox', { name: 'Select a space' }).click();
    await page.getByRole('option', { name: 'Red hall' }).locator(`img[src="${small_url}"]`).waitFor();
    expect(await page.getByRole('option', { name: 'Plain hall' }).locator('img').count()).toBe(0);
    await page.getByRole('option', { name: 'Red hall' }).click();
    expect(await page.getByRole('combobox', { name: 'Select a space' }).inputValue()).toBe('Red hall');
  });

  test('stands beside its name in the palette, and for its structure until an image is chosen for that', async () => {
    const { page } = visitor;
    const { client, origin } = web.app;
    const { small_url } = (await poster())!;
    const { id } = await client.endpoints.create({ body: { name: 'Red door', room_id: room } });
    await page.goto(`${origin}/admin/structures/${id}`);
    await page.getByText('That of its space.').waitFor();
    await web.app.upload('fixtures/media/panorama-poster.jpg');
    await page.getByRole('button', { name: 'Choose image…' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('panorama-poster.jpg').first().click();
    await dialog.getByRole('button', { name: 'Choose', exact: true }).click();
    await page.getByText('Chosen from the media library.').waitFor();
    const { poster_url } = await client.endpoints.read({ params: { id } });
    expect(poster_url).not.toBe(small_url);
    await page.keyboard.press('Control+k');
    await page.getByRole('textbox', { name: 'Search or jump to' }).fill('Red');
    await page.locator(`[data-action] img[src="${small_url}"]`).waitFor();
    const own = page.locator(`[data-action] img[src="${poster_url}"]`);
    await own.waitFor();
    expect(await own.getAttribute('srcset')).toContain('-160.webp 160w');
    await page.keyboard.press('Escape');
  });

  test('is chosen from the media library instead, and removed, on the page of the space', async () => {
    const { page } = visitor;
    await page.goto(`${web.app.origin}/admin/spaces/${room}`);
    await page.getByText('Drawn automatically.').waitFor();
    await page.getByRole('button', { name: 'Choose image…' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('panorama-poster.jpg').first().click();
    await dialog.getByRole('button', { name: 'Choose', exact: true }).click();
    await page.getByText('Chosen from the media library.').waitFor();
    expect((await poster())!.is_chosen).toBe(true);
    await page.getByRole('button', { name: 'Remove image' }).click();
    await page.getByText('Drawn automatically once').waitFor();
    expect(await poster()).toBeNull();
  });

  test('is chosen for a template, too, and stands beside its name where one is picked', async () => {
    const { page } = visitor;
    const { client, origin } = web.app;
    const { id } = await client.templates.create({ body: { name: 'Red shell' } });
    await page.goto(`${origin}/admin/spaces/templates/${id}`);
    await page.getByText('Drawn automatically, where').waitFor();
    await page.getByRole('button', { name: 'Choose image…' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('panorama-poster.jpg').first().click();
    await dialog.getByRole('button', { name: 'Choose', exact: true }).click();
    await page.getByText('Chosen from the media library.').waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);
    const { small_url } = (await client.templates.readPoster({ params: { id } }))!;
    await page.getByRole('link', { name: 'Spaces', exact: true }).click();
    await page.getByRole('link', { name: 'Templates', exact: true }).click();
    await page.locator(`img[src="${small_url}"]`).waitFor();
    await page.goto(`${origin}/admin/spaces/${room}`);
    await page.getByRole('combobox', { name: 'Template' }).click();
    await page.getByRole('option', { name: 'Red shell' }).locator(`img[src="${small_url}"]`).waitFor();
    expect(visitor.faults).toEqual([]);
  });
});
