import { describe, expect, test } from 'vitest';
import { accessibilityFaults, openAdmin } from '../../harness/admin-page.ts';
import { picture } from '../../harness/media-requests.ts';
import { webSuite } from '../../harness/web-suite.ts';

const web = webSuite();

const open = (path: string, viewport?: { width: number; height: number }) =>
  openAdmin(web.app, web.browser, path, viewport && { viewport });

describe('lists', () => {
  test.each(['/admin/spaces', '/admin/structures'])(
    '%s has one Add button, with a menu of other ways',
    async (path) => {
      const { page, close } = await open(path);
      const screen = page.getByRole('main');
      await screen.getByRole('button', { name: 'More ways to add' }).click();
      await page.getByRole('menuitem', { name: 'New space from files' }).click();
      await page.waitForURL('**/admin/spaces/new');
      await page.getByRole('heading', { name: 'New space', level: 1 }).waitFor();
      await close();
    },
  );

  test('on a narrow window with a mouse, each structure shows its menu without hovering', async () => {
    const { client } = web.app;
    const { id: room_id } = await client.rooms.create({ body: { title: 'Narrow' } });
    await client.endpoints.create({ body: { name: 'Narrow', room_id } });
    const { page, close } = await open('/admin/structures', { width: 390, height: 800 });
    await page.mouse.move(0, 0);
    const menu = page.getByRole('button', { name: 'Actions: Narrow' });
    await menu.waitFor();
    const opacity = () =>
      menu.evaluate((button) => {
        let least = 1;
        for (let box: Element | null = button; box; box = box.parentElement)
          least = Math.min(least, Number(getComputedStyle(box).opacity));
        return least;
      });
    expect(await page.evaluate(() => matchMedia('(hover: hover)').matches)).toBe(true);
    await expect.poll(opacity).toBe(1);
    await close();
  });
});

test('the words of the drop zone are in its middle', async () => {
  const { page, close } = await open('/admin/spaces/new');
  const zone = page.getByLabel('Choose files').first();
  const [whole, words] = await Promise.all([
    zone.boundingBox(),
    zone.getByText('Drop 360° photos').locator('xpath=..').boundingBox(),
  ]);
  const middleOf = (box: typeof whole) => box!.y + box!.height / 2;
  expect(Math.abs(middleOf(whole) - middleOf(words))).toBeLessThan(4);
  await close();
});

describe('the form of a space', () => {
  test('links to the structures that show it, and its image appears once it is rendered', async () => {
    const { client } = web.app;
    const { id } = await client.rooms.create({ body: { title: 'Hall' } });
    const { id: endpoint } = await client.endpoints.create({ body: { name: 'Museum', room_id: id } });
    const { page, close } = await open(`/admin/spaces/${id}`);
    await page.getByRole('status').getByText('Rendering…').waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);
    await client.rooms.drawPoster({ params: { id }, body: {}, files: { file: picture().content } });
    await page.getByRole('status').getByText('Rendered automatically.').waitFor();
    await page.getByRole('main').locator('img[src^="/posters/"]').waitFor();
    await page.getByRole('link', { name: 'Museum', exact: true }).click();
    await page.waitForURL(`**/admin/structures/${endpoint}`);
    await close();
  });
});

test('the audit log names the settings that changed', async () => {
  await web.app.client.organizations.update({ body: { embed_domains: [{ domain: 'https://shop.example' }] } });
  const { page, close } = await open('/admin/settings/audit');
  await page.getByText('Changed sites that may embed', { exact: true }).waitFor();
  await close();
});
