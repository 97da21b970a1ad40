import { describe, expect, test } from 'vitest';
import { accessibilityFaults, openAdmin, settled } from '../../harness/admin-page.ts';
import { webSuite } from '../../harness/web-suite.ts';

const web = webSuite();

/** An equirectangular image, twice as wide as high. */
const PANORAMA = 'fixtures/media/panorama.jpg';

describe('a new space in one go', () => {
  test('goes from a 360° photo to a link in at most six clicks, with the view that was left, protected and timed', async () => {
    const { page, close, faults } = await openAdmin(web.app, web.browser, '/admin');
    let clicks = 0;
    const press = async (name: string) => {
      clicks++;
      await page
        .getByRole('button', { name, exact: true })
        .or(page.getByRole('link', { name, exact: true }))
        .click();
    };
    await press('New space');
    await page.getByRole('heading', { name: 'New space' }).waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);
    clicks++;
    await page.setInputFiles('input[type="file"]', PANORAMA);
    const look = page.getByRole('region', { name: 'First view' });
    await page.locator('[data-state="shown"]').waitFor();
    const box = (await look.boundingBox())!;
    await page.mouse.move(box.x + 300, box.y + 200);
    await page.mouse.down();
    await page.mouse.move(box.x + 100, box.y + 200, { steps: 6 });
    await page.mouse.up();
    await page.getByText('Visitors start with this view.').waitFor();
    await page.getByLabel('Title').fill('Night at the lake');
    expect(await page.getByLabel('Address', { exact: true }).inputValue()).toBe('night-at-the-lake');
    // What was begun is there when one comes back.
    await page.reload();
    await expect.poll(() => page.getByLabel('Title').inputValue()).toBe('Night at the lake');
    await page.getByText('With an access token').click();
    clicks++;
    await page.getByLabel('Hours').fill('19');
    await page.getByLabel('Minutes').fill('55');
    await page.locator('[data-state="shown"]').waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);
    await press('Create');
    const link = page.getByRole('link', { name: `${web.app.origin}/night-at-the-lake` });
    await link.waitFor();
    expect(clicks).toBeLessThanOrEqual(6);
    await page.getByRole('img', { name: /^QR code of / }).waitFor();
    expect(await page.getByLabel('Embed code').inputValue()).toContain('/embed/night-at-the-lake"');
    expect(await accessibilityFaults(page)).toEqual([]);
    const { client } = web.app;
    const [endpoint] = (await client.endpoints.list()).filter(({ slug }) => slug === 'night-at-the-lake');
    expect(endpoint).toMatchObject({
      is_protected: true,
      access_tokens_count: 10,
      start_time: '19:55',
      show_countdown: true,
    });
    const room = await client.rooms.read({ params: { id: endpoint!.room_id! } });
    expect(room.template).toMatchObject({ model_type: 'pano' });
    expect(room.config.camera).toMatchObject({ rotate: true, rotate_left_button: true });
    expect(await page.getByLabel('Access tokens').textContent()).toMatch(/^(?:\S{10}\n?){10}$/);
    expect(faults).toEqual([]);
    await close();
  });

  test('hangs images that are no 360° photo, and says why; an address that is taken is said at its field', async () => {
    const { client } = web.app;
    await client.endpoints.createWithRoom({ body: { endpoint: { name: 'Taken' }, room: { title: 'Taken' } } });
    const before = (await client.rooms.list()).meta.total;
    const { page, close } = await openAdmin(web.app, web.browser, '/admin/spaces/new');
    await page.setInputFiles('input[type="file"]', 'fixtures/media/pictures/chapel-light.webp');
    await page.getByText(/^Not a 360° photo/).waitFor();
    await page.setInputFiles('input[type="file"]', 'fixtures/media/pictures/composition-with-three-doors.webp');
    await page.getByText('Shown as an image').waitFor({ state: 'detached' });
    await page.getByLabel('Title').fill('Taken');
    await page.getByRole('button', { name: 'Create' }).click();
    await page.getByText('Another structure in the same place has this slug.').first().waitFor();
    expect((await client.rooms.list()).meta.total).toBe(before);
    await page.getByLabel('Address', { exact: true }).fill('free');
    await page.getByRole('button', { name: 'Create' }).click();
    await page.getByRole('link', { name: `${web.app.origin}/free` }).waitFor();
    await settled(page);
    const [made] = (await client.endpoints.list()).filter(({ slug }) => slug === 'free');
    const room = await client.rooms.read({ params: { id: made!.room_id! } });
    expect(room.elements.map(({ element }) => element)).toEqual(['image', 'image']);
    expect(room.config.camera.rotate).toBe(true);
    await page.getByRole('button', { name: 'Make another space' }).click();
    await page.getByRole('button', { name: 'Start with an empty space' }).click();
    await page.getByText('An empty space. Fill it in the editor.').waitFor();
    await page.getByRole('button', { name: 'Start over' }).click();
    await page.getByRole('button', { name: 'Start with an empty space' }).waitFor();
    await close();
  });
});
