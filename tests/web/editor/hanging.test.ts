import sharp from 'sharp';
import { expect, test } from 'vitest';
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
  if (process.env.SHOTS) await page.screenshot({ path: '/tmp/hang-sheet.png' });
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
  if (process.env.SHOTS) await page.screenshot({ path: '/tmp/hang-done.png' });
  await page.getByRole('button', { name: 'Undo', exact: true }).click();
  await editor.saved();
  expect((await client.rooms.read({ params: { id } })).elements).toEqual([]);

  // The selection hangs on another wall, shown on the canvas before it is applied.
  await page.getByRole('button', { name: 'Redo', exact: true }).click();
  await editor.saved();
  await editor.close();
});
