import type { Page } from 'playwright';
import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import { openAdmin } from '../../harness/admin-page.ts';
import { enterRoom, LOOKED_AT, newVisitor } from '../../harness/browser.ts';
import { makeFilm } from '../../harness/film.ts';
import { pixelsOf } from '../../harness/picture.ts';
import { webSuite } from '../../harness/web-suite.ts';

const web = webSuite();

const open = (path: string) => openAdmin(web.app, web.browser, path);

async function chooseKind(page: Page, kind: string): Promise<void> {
  await page.getByRole('combobox', { name: 'Kind' }).click();
  await page.getByRole('option', { name: kind }).click();
}

/** Uploads a file in the media dialog of a field, and chooses it. */
async function upload(page: Page, label: string, file: Parameters<Page['setInputFiles']>[1], name: string) {
  await page.getByRole('button', { name: `Choose: ${label}` }).click();
  const dialog = page.getByRole('dialog', { name: 'Media' });
  await page.getByRole('dialog').locator('input[type="file"]').setInputFiles(file);
  await dialog.getByRole('option').filter({ hasText: name }).click();
  await dialog.getByRole('button', { name: 'Choose', exact: true }).click();
  await dialog.waitFor({ state: 'detached' });
}

/** A switch of the camera, by its words. */
const cameraSwitch = (page: Page, words: string) =>
  page
    .locator('label')
    .filter({ has: page.getByText(words, { exact: true }) })
    .getByRole('switch');

/** Whether the camera turns, and whether the left button turns it. */
const rotation = async (page: Page) => {
  await page.getByRole('tab', { name: 'Camera settings' }).click();
  const both = [
    await cameraSwitch(page, 'Rotation').isChecked(),
    await cameraSwitch(page, 'Rotate with left mouse button').isChecked(),
  ];
  await page.getByRole('tab', { name: 'Template settings' }).click();
  return both;
};

/** Mean difference of two pictures of the same size, per color, of 255. */
const difference = (one: Buffer, other: Buffer) =>
  one.reduce((sum, value, at) => sum + Math.abs(value - other[at]!), 0) / one.length;

describe('a 360° photo', () => {
  test('from an empty form to a visitor who drags: it turns', async () => {
    const { page, close, faults } = await open('/admin/spaces/templates/add');
    await page.getByLabel('Name').fill('Lake shell');
    await chooseKind(page, '360° photo');
    await page.getByText('Visitors look around by dragging.').waitFor();
    await upload(page, '360° photo', 'fixtures/media/panorama.jpg', 'panorama.jpg');
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    await page.waitForURL('**/admin/spaces/templates?sort=-edited');
    await page.goto(`${web.app.origin}/admin/spaces/add`);
    await page.getByLabel('Title').fill('Lake');
    await page.getByRole('combobox', { name: 'Template' }).fill('Lake');
    await page.getByRole('option', { name: 'Lake shell' }).click();
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    await page.waitForURL('**/admin/spaces?sort=-edited');
    await page.goto(`${web.app.origin}/admin/structures/add`);
    await page.getByLabel('Title').fill('At the lake');
    await page.getByRole('combobox', { name: 'Select a space' }).click();
    await page.getByRole('option', { name: 'Lake' }).click();
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    await page.getByText('The structure has been added.').waitFor();
    expect(faults).toEqual([]);
    await close();

    const guest = await newVisitor(web.browser, LOOKED_AT);
    await enterRoom(guest.page, `${web.app.origin}/at-the-lake`);
    const before = await pixelsOf(guest.page);
    await guest.page.mouse.move(320, 200);
    await guest.page.mouse.down();
    await guest.page.mouse.move(80, 200, { steps: 12 });
    await guest.page.mouse.up();
    await expect.poll(async () => difference(before.data, (await pixelsOf(guest.page)).data)).toBeGreaterThan(5);
    await guest.close();
  });

  test('takes a 360° video: a file with its layout, or a URL', async () => {
    const { page, close, faults } = await open('/admin/spaces/templates/add');
    await page.getByLabel('Name').fill('Moving lake');
    await chooseKind(page, '360° photo');
    await upload(page, '360° photo', 'fixtures/media/panorama.jpg', 'panorama.jpg');
    await page.getByLabel('Alternative text').fill('A lake at dawn');
    await page.getByLabel('Detailed description').fill('Mist.\nThen sun.');
    await page.getByLabel('360° video URL').fill('https://example.com/lake.m3u8');
    await page.getByRole('combobox', { name: 'Stereo' }).waitFor();
    const film = { name: 'lake.mp4', mimeType: 'video/mp4', buffer: makeFilm() };
    await upload(page, '360° video', film, 'lake.mp4');
    await page.getByRole('combobox', { name: 'Stereo' }).click();
    await page.getByRole('option', { name: 'Top and bottom' }).click();
    if (process.env.SHOTS) {
      await page.getByRole('combobox', { name: 'Stereo' }).scrollIntoViewIfNeeded();
      await page.screenshot({ path: `${process.env.SHOTS}/template-video.png` });
    }
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    await page.waitForURL('**/admin/spaces/templates?sort=-edited');
    const { data } = await web.app.client.templates.list({ query: { search: 'Moving lake' } });
    expect(data[0]).toMatchObject({ video_file: { name: 'lake.mp4' }, config: { video_stereo: 'top_bottom' } });
    expect(data[0]!.config).toMatchObject({ alt: 'A lake at dawn', long_description: 'Mist.\nThen sun.' });
    expect(faults).toEqual([]);
    await close();
  });

  test('turns rotation on when it is chosen, and back with another kind; a choice of one’s own stays', async () => {
    const { page, close } = await open('/admin/spaces/templates/add');
    expect(await rotation(page)).toEqual([false, false]);
    await chooseKind(page, '360° photo');
    expect(await rotation(page)).toEqual([true, true]);
    await chooseKind(page, 'Grid');
    expect(await rotation(page)).toEqual([false, false]);
    await chooseKind(page, '360° photo');
    await page.getByRole('tab', { name: 'Camera settings' }).click();
    await cameraSwitch(page, 'Rotation').uncheck({ force: true });
    await page.getByRole('tab', { name: 'Template settings' }).click();
    await page.getByText("Visitors can't look around by dragging").waitFor();
    await chooseKind(page, '3D model');
    await chooseKind(page, '360° photo');
    expect(await rotation(page)).toEqual([false, true]);
    await page.getByRole('button', { name: 'Turn on rotation' }).click();
    expect(await rotation(page)).toEqual([true, true]);
    await close();
  });

  test('a picture that is none is refused at its field as soon as it is chosen, and when it is saved', async () => {
    const { page, close } = await open('/admin/spaces/templates/add');
    const buffer = await sharp({ create: { width: 400, height: 100, channels: 3, background: '#1F7A78' } })
      .png()
      .toBuffer();
    await page.getByLabel('Name').fill('Stereo');
    await chooseKind(page, '360° photo');
    await upload(page, '360° photo', { name: 'stereo.png', mimeType: 'image/png', buffer }, 'stereo.png');
    const sentence = 'Not a 360° photo: the width must be twice the height (2:1); this image is 400 × 100.';
    await page.getByText(sentence).waitFor();
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    await page.getByText('Not saved').waitFor();
    await page.getByText(sentence).waitFor();
    expect((await web.app.client.templates.list({ query: { search: 'Stereo' } })).data).toEqual([]);
    await upload(page, '360° photo', 'fixtures/media/panorama-poster.jpg', 'panorama-poster.jpg');
    await page.getByText(sentence).waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    await page.waitForURL('**/admin/spaces/templates?sort=-edited');
    await close();
  });

  test.each([
    ['360° photo', 'Choose a 360° photo.'],
    ['3D model', 'Choose a model.'],
  ])('a %s without a file is not saved, and its field says so', async (kind, sentence) => {
    const { page, close } = await open('/admin/spaces/templates/add');
    await page.getByLabel('Name').fill('Without');
    await chooseKind(page, kind);
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    await page.getByText(sentence).waitFor();
    expect((await web.app.client.templates.list({ query: { search: 'Without' } })).data).toEqual([]);
    await close();
  });
});
