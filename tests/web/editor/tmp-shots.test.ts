import sharp from 'sharp';
import { test } from 'vitest';
import { openAdmin } from '../../harness/admin-page.ts';
import { EditorDriver } from '../../harness/editor-driver.ts';
import { webSuite } from '../../harness/web-suite.ts';
import { xlsxOf } from '../../harness/xlsx.ts';
const suite = webSuite();
const images = (count: number) =>
  Promise.all(
    Array.from({ length: count }, async (_, nth) => {
      const [width, height] = nth % 3 === 0 ? [900, 600] : nth % 3 === 1 ? [600, 900] : [600, 600];
      const background = { r: (nth * 37) % 256, g: (nth * 91) % 256, b: 120 };
      const buffer = await sharp({ create: { width: width!, height: height!, channels: 3, background } }).jpeg().toBuffer();
      return { name: `work-${nth + 1}.jpg`, mimeType: 'image/jpeg', buffer };
    }),
  );
test('shots', async () => {
  const { app, browser } = suite;
  const { client } = app;
  const sheet = xlsxOf([['Image', 'Title', 'Artist', 'Year', 'Size', 'Text'], ...Array.from({ length: 14 }, (_, nth) => [
    `work-${nth + 1}`, nth === 3 ? 'Work 1' : `Work ${nth + 1}`, 'Kim de Vries', 1950 + nth, nth % 3 === 2 ? '50 x 50' : '40 x 60 cm', nth === 2 ? 'Oil on canvas. A gift of the friends of the museum, restored in 2019 by the workshop.' : 'Oil on canvas']), ['lost.jpg', 'Lost'], ['work-1', 'Zero', '', '', '0 x 10']]);
  const files = [{ name: 'works.xlsx', mimeType: 'application/octet-stream', buffer: sheet }, ...(await images(14))];
  for (const [scheme, size] of [['dark', [1440, 900]], ['light', [1440, 900]], ['dark', [390, 844]], ['light', [390, 844]]] as const) {
    const { id } = await client.rooms.create({ body: { title: 'Hall', width: 2600, height: 1000, depth: 4000 } });
    const visitor = await openAdmin(app, browser, `/admin/editor/${id}`, { viewport: { width: size[0], height: size[1] }, kept: { 'enfilade.editor-scheme': scheme }, deviceScaleFactor: 1 });
    const editor = await EditorDriver.of(visitor, id);
    const { page } = editor;
    const tag = `/tmp/s-${scheme}-${size[0]}`;
    if (size[0] < 900) await page.keyboard.press('a');
    else await page.getByRole('button', { name: 'Add an item', exact: true }).click();
    await page.waitForTimeout(500);
    await page.screenshot({ path: `${tag}-add.png` });
    await page.getByRole('button', { name: 'Hang from a spreadsheet…', exact: true }).click();
    await page.waitForTimeout(500);
    await page.screenshot({ path: `${tag}-choose.png` });
    const chooser = page.waitForEvent('filechooser');
    await page.getByRole('button', { name: 'Choose files', exact: true }).click();
    await (await chooser).setFiles(files);
    await page.getByText('2 rows left out').waitFor({ timeout: 60_000 });
    await page.waitForTimeout(700);
    await page.screenshot({ path: `${tag}-sheet.png` });
    await page.getByRole('button', { name: /^Hang 1\d works$/ }).click();
    await editor.saved();
    await page.waitForTimeout(1500);
    await page.screenshot({ path: `${tag}-done.png` });
    if (size[0] > 900) {
      await page.keyboard.press('Escape');
      for (const name of ['Work 1', 'Work 2', 'Work 5']) await editor.tree.getByTitle(name, { exact: true }).first().click({ modifiers: name === 'Work 1' ? [] : ['Shift'] });
      await page.getByRole('button', { name: 'Hang on walls…' }).click();
      await page.waitForTimeout(1500);
      await page.screenshot({ path: `${tag}-window.png` });
      await page.getByText('Salon').click();
      await page.waitForTimeout(1000);
      await page.screenshot({ path: `${tag}-salon.png` });
      await page.getByRole('button', { name: 'Cancel' }).last().click();
      await page.waitForTimeout(500);
    }
    await editor.close();
  }
}, 240_000);
