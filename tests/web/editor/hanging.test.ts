import sharp from 'sharp';
import { expect, test } from 'vitest';
import { drop } from '../../harness/dropped-files.ts';
import { EditorDriver } from '../../harness/editor-driver.ts';
import { webSuite } from '../../harness/web-suite.ts';
import { xlsxOf } from '../../harness/xlsx.ts';

const suite = webSuite();

/** Works with images of different proportions. */
const images = (count: number) =>
  Promise.all(
    Array.from({ length: count }, async (_, nth) => {
      const [width, height] = nth % 3 === 0 ? [90, 60] : nth % 3 === 1 ? [60, 90] : [60, 60];
      const background = { r: (nth * 37) % 256, g: (nth * 91) % 256, b: 120 };
      const buffer = await sharp({ create: { width: width!, height: height!, channels: 3, background } })
        .jpeg()
        .toBuffer();
      return { name: `work-${nth + 1}.jpg`, mimeType: 'image/jpeg', buffer };
    }),
  );

const COUNT = 60;

test('sixty works from a spreadsheet hang with captions after four presses, and one undo removes them', async () => {
  const { app, browser } = suite;
  const { client } = app;
  const { id } = await client.rooms.create({ body: { title: 'Hall', width: 4000, height: 1000, depth: 6000 } });
  const editor = await EditorDriver.open(app, browser, id, { viewport: { width: 1440, height: 900 } });
  const { page } = editor;
  const rows = Array.from({ length: COUNT }, (_, nth) => [
    `work-${nth + 1}`,
    `Work ${nth + 1}`,
    'Kim de Vries',
    1950 + nth,
    nth % 3 === 2 ? '50 x 50 cm' : '40 x 60 cm',
  ]);
  const sheet = xlsxOf([
    ['Image', 'Title', 'Artist', 'Year', 'Size'],
    ...rows,
    ['lost.jpg', 'Lost'],
    ['work-1', 'Zero', '', '', '0 x 10'],
  ]);
  const files = [{ name: 'works.xlsx', mimeType: 'application/octet-stream', buffer: sheet }, ...(await images(COUNT))];
  let presses = 0;
  const press = async (name: string | RegExp) => {
    presses++;
    await page.getByRole('button', { name, exact: true }).click();
  };
  await press('Add an item');
  await press('Hang from a spreadsheet…');
  const chooser = page.waitForEvent('filechooser');
  await press('Choose files');
  await (await chooser).setFiles(files);
  const dialog = page.getByRole('dialog', { name: 'Hang from a spreadsheet' });
  await dialog.getByText('2 rows left out').waitFor({ timeout: 60_000 });
  await dialog.getByRole('row', { name: /lost\.jpg.*Left out|Lost.*Left out/ }).waitFor();
  expect(await editor.names()).toEqual([]);
  await press(`Hang ${COUNT} works`);
  expect(presses).toBeLessThanOrEqual(6);
  await editor.saved();
  const { elements } = await client.rooms.read({ params: { id } });
  expect(elements.flatMap(({ children }) => children.map(({ name }) => name))).toEqual(rows.map(([, title]) => title));
  expect(elements[0]!.children[0]).toMatchObject({
    element: 'image',
    width: 187.5,
    height: 125,
    config: { title: 'Work 1', author: 'Kim de Vries', date: '1950', caption_style: 'plaque' },
  });
  await page.getByRole('button', { name: 'Undo', exact: true }).click();
  await editor.saved();
  expect((await client.rooms.read({ params: { id } })).elements).toEqual([]);

  // Dropped together, they are read as well.
  await drop(editor, [{ name: 'works.csv', content: Buffer.from('Image,Size\nwork-2,40 x 60 cm') }], 600, 400);
  await dialog.getByRole('button', { name: 'Hang 1 work', exact: true }).waitFor();
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'hidden' });
  await editor.close();
}, 300_000);

test('thirty images with captions hang on four walls after four presses', async () => {
  const { app, browser } = suite;
  const { client } = app;
  const { id } = await client.rooms.create({ body: { title: 'Square', width: 2000, height: 1000, depth: 2000 } });
  const editor = await EditorDriver.open(app, browser, id, { viewport: { width: 1440, height: 900 } });
  const { page } = editor;
  const rows = Array.from({ length: 30 }, (_, nth) => `work-${nth + 1},Work ${nth + 1},Kim de Vries,40 x 60 cm`);
  const sheet = Buffer.from(['Image,Title,Artist,Size', ...rows].join('\n'));
  let presses = 0;
  const press = async (name: string) => {
    presses++;
    await page.getByRole('button', { name, exact: true }).click();
  };
  await press('Add an item');
  await press('Hang from a spreadsheet…');
  const chooser = page.waitForEvent('filechooser');
  await press('Choose files');
  await (await chooser).setFiles([{ name: 'works.csv', mimeType: 'text/csv', buffer: sheet }, ...(await images(30))]);
  await press('Hang 30 works');
  expect(presses).toBeLessThanOrEqual(15);
  await editor.saved();
  const { elements } = await client.rooms.read({ params: { id } });
  const hung = elements.flatMap(({ children }) => children);
  expect(hung.map(({ config }) => config)).toEqual(
    Array.from({ length: 30 }, (_, nth) =>
      expect.objectContaining({ title: `Work ${nth + 1}`, caption_style: 'plaque' }),
    ),
  );
  const walls = elements.filter(({ children }) => children.length > 0);
  expect(new Set(walls.map(({ rotation_y }) => rotation_y.toFixed(2))).size, 'walls').toBe(4);
  await editor.close();
});

test('the selection hangs on other walls: shown before it is applied, and one step', async () => {
  const { app, browser } = suite;
  const { client } = app;
  const { id } = await client.rooms.create({ body: { title: 'Hall', width: 2000, height: 1000, depth: 2000 } });
  const [image] = await images(1);
  const file = new File([new Uint8Array(image!.buffer)], image!.name);
  const { id: file_id } = await client.media.upload({ body: {}, files: { file } });
  for (const name of ['A', 'B'])
    await client.rooms.addElement({ params: { id }, body: { element: 'image', name, file_id, width: 300 } });
  const editor = await EditorDriver.open(app, browser, id, { viewport: { width: 1440, height: 900 } });
  const { page } = editor;
  await editor.select('A');
  await editor.tree.getByTitle('B', { exact: true }).click({ modifiers: ['Shift'] });
  await page.getByRole('button', { name: 'Hang on walls…' }).click();
  const window = page.getByRole('region', { name: 'Hang on walls' });
  for (const wall of ['Front', 'Right', 'Back'])
    await window.getByText(`${wall} wall`).locator('..').locator('button').click();
  const shown = () =>
    page.evaluate(() => {
      const { room } = globalThis.window.enfiladeCanvas!.stage!.scene;
      return room.elements.map(({ position_x, position_y, rotation_y }) => [position_x, position_y, rotation_y]);
    });
  const eyes = Math.round(155 * 3.125 - 500);
  const onLeft = [
    [-990, eyes, expect.closeTo(Math.PI / 2, 5)],
    [-990, eyes, expect.closeTo(Math.PI / 2, 5)],
  ];
  await expect.poll(shown).toEqual(onLeft);
  await window.getByRole('button', { name: 'Cancel' }).last().click();
  await expect.poll(shown).not.toEqual(onLeft);
  await page.getByRole('button', { name: 'Hang on walls…' }).click();
  await page.getByRole('button', { name: 'Hang 2 images' }).click();
  await editor.saved();
  const { elements } = await client.rooms.read({ params: { id } });
  // 300 wide, 30 cm apart, in the middle of the front wall, which comes first.
  expect(elements.map(({ position_x, position_z }) => [position_x, position_z])).toEqual([
    [-197, -990],
    [197, -990],
  ]);
  await page.getByRole('button', { name: 'Undo', exact: true }).click();
  await expect.poll(async () => (await shown())[0]![1]).toBe(0);
  await editor.close();
});
