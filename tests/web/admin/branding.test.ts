import { expect, test } from 'vitest';
import { accessibilityFaults, openAdmin } from '../../harness/admin-page.ts';
import { webSuite } from '../../harness/web-suite.ts';

const web = webSuite();

test('logo, colors and font are set in one place, with a preview, in at most five clicks', async () => {
  const { page, faults, close } = await openAdmin(web.app, web.browser, '/admin/settings/branding', {
    viewport: { width: 1440, height: 900 },
    deviceScaleFactor: 1,
  });
  let clicks = 0;
  const press = async (name: string) => {
    clicks++;
    await page.getByRole('button', { name, exact: true }).click();
  };
  const preview = page.getByRole('region', { name: 'Preview' });
  const choose = async (field: string, path: string) => {
    const chosen = page.waitForEvent('filechooser');
    await press(`Upload: ${field}`);
    await (await chosen).setFiles(path);
    await page.getByRole('button', { name: `Remove: ${field}` }).waitFor();
  };
  await choose('Logo', 'fixtures/media/pictures/chapel-light.webp');
  await choose('Font', 'node_modules/@fontsource/inter/files/inter-latin-400-normal.woff');
  clicks++;
  await page.getByRole('textbox', { name: 'Accent color' }).fill('#1F7A78');
  await page.keyboard.press('Tab');
  await preview.locator('img').waitFor();
  const accent = () => preview.getByText('Enter').evaluate((node) => getComputedStyle(node).backgroundColor);
  await expect.poll(accent).toMatch(/^oklch\(0\.75/);
  await expect
    .poll(() => preview.getByText('Text over a room').evaluate((node) => getComputedStyle(node).fontFamily))
    .toContain('Branding preview');
  expect(await accessibilityFaults(page)).toEqual([]);
  await press('Save');
  await expect
    .poll(() => web.app.client.organizations.read())
    .toMatchObject({ accent_color: '#1F7A78', logo_file: { type: 'image' }, font_file: { type: 'font' } });
  expect(clicks).toBeLessThanOrEqual(5);
  expect(faults).toEqual([]);
  await close();
});
