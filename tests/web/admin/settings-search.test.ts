import { expect, test } from 'vitest';
import { SETTINGS_ENTRIES } from '../../../src/admin/settings/settings-index.ts';
import { accessibilityFaults, onlyPolicies, openAdmin, settled } from '../../harness/admin-page.ts';
import { webSuite } from '../../harness/web-suite.ts';

const web = webSuite();
/** Settings whose control has a name in its form. */
const FOCUSED = ['Organization name', 'Meta title', 'Keep audit log (days)'];

test('every setting is found by its name: the search opens its screen', async () => {
  const { page, faults, close } = await openAdmin(web.app, web.browser, '/admin/settings/usage', {
    viewport: { width: 1440, height: 900 },
  });
  const fields = SETTINGS_ENTRIES.filter(({ isField }) => isField);
  expect(fields.length).toBeGreaterThan(12);
  for (const { label, path } of fields) {
    await page.getByRole('combobox', { name: 'Find a setting' }).fill(label);
    await page.getByRole('option', { name: label, exact: true }).first().click();
    await page.waitForURL(`**${path}`);
    await page.getByRole('main').getByText(label).first().waitFor();
    if (!FOCUSED.includes(label)) continue;
    await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute('name'))).not.toBeNull();
  }
  await settled(page);
  expect(await accessibilityFaults(page)).toEqual([]);
  expect(faults).toEqual([]);
  await close();
});

test('the search leads phones through the settings; without the right, there is none', async () => {
  const { page, close } = await openAdmin(web.app, web.browser, '/admin/settings', {
    viewport: { width: 390, height: 844 },
  });
  await page.getByRole('combobox', { name: 'Find a setting' }).click();
  await page.getByRole('option', { name: 'Audit log', exact: true }).click();
  await page.getByRole('heading', { name: 'Audit log', level: 1 }).waitFor();
  await close();
  const other = await openAdmin(web.app, web.browser, '/admin/settings', { policies: onlyPolicies({}) });
  await other.page.getByText("You don't have access", { exact: true }).waitFor();
  expect(await other.page.getByRole('combobox', { name: 'Find a setting' }).count()).toBe(0);
  await other.close();
});
