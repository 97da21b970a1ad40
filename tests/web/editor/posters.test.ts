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
    visitor = await openAdmin(web.app, web.browser, '/admin', { deviceScaleFactor: 1 });
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
    await page.getByText('Same as the space.').waitFor();
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
    await page.getByText('Rendered automatically.').waitFor();
    await page.getByRole('button', { name: 'Choose image…' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('panorama-poster.jpg').first().click();
    await dialog.getByRole('button', { name: 'Choose', exact: true }).click();
    await page.getByText('Chosen from the media library.').waitFor();
    expect((await poster())!.is_chosen).toBe(true);
    await page.getByRole('button', { name: 'Remove image' }).click();
    await page.getByText('Rendered automatically once').waitFor();
    expect(await poster()).toBeNull();
  });

  test('is chosen for a template, too, and stands beside its name where one is picked', async () => {
    const { page } = visitor;
    const { client, origin } = web.app;
    const { id } = await client.templates.create({ body: { name: 'Red shell' } });
    await page.goto(`${origin}/admin/spaces/templates/${id}`);
    await page.getByText('Rendered automatically if').waitFor();
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

  test('the history draws a space before and after a change; a removed one is restored from there', async () => {
    const { rooms, elements } = web.app.client;
    const params = { id: (await rooms.create({ body: { title: 'Phoenix', width: 1000, height: 600 } })).id };
    const blue = { create: { width: 60, height: 40, channels: 3, background: '#0000ff' } } as const;
    const file = new File([new Uint8Array(await sharp(blue).png().toBuffer())], 'blue.png');
    const { id: file_id } = await web.app.client.media.upload({ body: {}, files: { file } });
    const size = { width: 1000, height: 600, position_z: -400, ignore_light: true };
    const { id } = await rooms.addElement({ params, body: { element: 'image', name: 'Phoenix', file_id, ...size } });
    await elements.update({ params: { id }, body: { position_y: 5000 } });
    await elements.update({ params: { id }, body: { hidden: true } });
    const { page, faults } = visitor;
    await page.goto(`${web.app.origin}/admin/settings/history?search=Phoenix`);
    const dialog = page.getByRole('dialog');
    const look = async (what: string) => {
      const entry = page.getByRole('listitem').filter({ hasText: what });
      await entry.hover();
      await entry.getByRole('button', { name: 'Details: Phoenix' }).click();
    };
    /** How much bluer than red a picture of the dialog is in its middle. */
    const bluenessOf = async (side: string) => {
      const image = dialog.getByRole('figure', { name: side }).locator('img');
      await image.waitFor();
      return image.evaluate(async (shown) => {
        const picture = shown as HTMLImageElement;
        await picture.decode();
        const paper = new OffscreenCanvas(1, 1).getContext('2d')!;
        paper.drawImage(picture, picture.naturalWidth / 2, picture.naturalHeight / 2, 1, 1, 0, 0, 1, 1);
        const [red = 0, , blueness = 0] = paper.getImageData(0, 0, 1, 1).data;
        return blueness - red;
      });
    };
    await look('from 0 to 5000');
    expect(await bluenessOf('Before')).toBeGreaterThan(150);
    expect(await bluenessOf('After')).toBeLessThan(50);
    expect(await accessibilityFaults(page)).toEqual([]);
    const { width, height } = page.viewportSize()!;
    await page.setViewportSize({ width: 390, height: 844 });
    expect(await accessibilityFaults(page)).toEqual([]);
    await page.setViewportSize({ width, height });
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });

    // Nobody who comes in sees it: it is looked at from its front.
    await look('to Hidden');
    await dialog.getByText('Seen from in front of the element').waitFor();
    await expect.poll(() => bluenessOf('Before')).toBeGreaterThan(150);
    expect(await bluenessOf('After')).toBeLessThan(50);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });

    await rooms.remove({ params });
    await page.getByText('Deleted, restorable').click();
    await look('removed space');
    await dialog.getByRole('figure', { name: 'After' }).getByText('The space did not exist.').waitFor();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await page.getByRole('listitem').hover();
    await page.getByRole('button', { name: 'Restore' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Restore' }).click();
    await page.getByText('The entry has been restored.').waitFor();
    expect((await web.app.client.rooms.list({ query: { search: 'Phoenix' } })).data).toHaveLength(1);
    expect(faults).toEqual([]);
  });
});
