import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import { accessibilityFaults, openAdmin, settled } from '../../harness/admin-page.ts';
import { enterRoom, LOOKED_AT, newVisitor } from '../../harness/browser.ts';
import { pixelsOf } from '../../harness/picture.ts';
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
    await page.keyboard.press('n');
    clicks++;
    await page.getByRole('menuitem', { name: 'Space or tour' }).click();
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

  test('a part of a 360° photo stands where it was taken, as its camera noted; a pair for two eyes is told so', async () => {
    const { page, context, faults } = await openAdmin(web.app, web.browser, '/admin/spaces/new');
    // The right half of a sphere: red to its middle, and blue behind. Ahead, only red is seen.
    const fields = {
      ProjectionType: 'equirectangular',
      FullPanoWidthPixels: 1600,
      FullPanoHeightPixels: 800,
      CroppedAreaImageWidthPixels: 800,
      CroppedAreaImageHeightPixels: 800,
      CroppedAreaLeftPixels: 800,
      CroppedAreaTopPixels: 0,
    };
    const noted = Object.entries(fields).map(([name, value]) => `GPano:${name}="${value}"`);
    const half = (background: string) => ({ create: { width: 400, height: 800, channels: 3 as const, background } });
    const blue = { input: await sharp(half('#0000ff')).png().toBuffer(), left: 400, top: 0 };
    const buffer = await sharp({ create: { ...half('#ff0000').create, width: 800 } })
      .composite([blue])
      .withXmp(`<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
<rdf:Description xmlns:GPano="http://ns.google.com/photos/1.0/panorama/" ${noted.join(' ')}/></rdf:RDF></x:xmpmeta>`)
      .jpeg({ quality: 95 })
      .toBuffer();
    await page.setInputFiles('input[type="file"]', { name: 'part.jpg', mimeType: 'image/jpeg', buffer });
    await page.locator('[data-state="shown"]').waitFor();
    await page.getByLabel('Title').fill('Half of the lake');
    await page.getByRole('button', { name: 'Create' }).click();
    await page.getByRole('link', { name: `${web.app.origin}/half-of-the-lake` }).waitFor();
    expect(faults).toEqual([]);
    const guest = await newVisitor(web.browser, LOOKED_AT);
    await enterRoom(guest.page, `${web.app.origin}/half-of-the-lake`);
    const { data, width, height } = await pixelsOf(guest.page);
    for (const x of [0.3, 0.5, 0.7]) {
      const at = (Math.floor(height * 0.4) * width + Math.floor(width * x)) * 3;
      expect(data[at]! - data[at + 2]!, `at ${x}`).toBeGreaterThan(150);
    }
    await guest.close();
    await page.getByRole('button', { name: 'Create another' }).click();
    const square = await sharp({ create: { width: 500, height: 500, channels: 3, background: '#888' } })
      .png()
      .toBuffer();
    await page.setInputFiles('input[type="file"]', { name: 'pair.png', mimeType: 'image/png', buffer: square });
    await page.getByText(/stereo photo \(top and bottom\), use the image of one eye/).waitFor();
    // The screen keeps what was begun in its window.
    await context.close();
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
    await page.getByText('Another structure on this level has this slug.').first().waitFor();
    expect((await client.rooms.list()).meta.total).toBe(before);
    await page.getByLabel('Address', { exact: true }).fill('free');
    await page.getByRole('button', { name: 'Create' }).click();
    await page.getByRole('link', { name: `${web.app.origin}/free` }).waitFor();
    await settled(page);
    const [made] = (await client.endpoints.list()).filter(({ slug }) => slug === 'free');
    const room = await client.rooms.read({ params: { id: made!.room_id! } });
    expect(room.elements.map(({ element }) => element)).toEqual(['image', 'image']);
    expect(room.config.camera.rotate).toBe(true);
    await page.getByRole('button', { name: 'Create another' }).click();
    await page.getByRole('button', { name: 'Start with an empty space' }).click();
    await page.getByText('An empty space. Fill it in the editor.').waitFor();
    await page.getByRole('button', { name: 'Start over' }).click();
    await page.getByRole('button', { name: 'Start with an empty space' }).waitFor();
    await close();
  });
});
