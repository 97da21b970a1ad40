import { expect, test } from 'vitest';
import { NO_STATEMENT, type Statement } from '../../src/contract/entities.ts';
import { accessibilityFaults, openAdmin, settled } from '../harness/admin-page.ts';
import { enterRoom, newVisitor } from '../harness/browser.ts';
import { webSuite } from '../harness/web-suite.ts';

const suite = webSuite();

const STATEMENT: Statement = {
  ...NO_STATEMENT,
  kind: 'public',
  body_name: 'Museum of Light',
  email: 'access@museum.example',
  phone: '+31 20 123 45 67',
  enforcement_name: 'Ombudsman',
  enforcement_url: 'https://ombudsman.example',
  limitations: 'The guide of 2019 is a scan.',
  reviewed_on: '2026-03-31',
};

test('the statement is filled in, found in the menu of a room, and read by everyone, as is the report', async () => {
  const { id: file_id } = await suite.app.upload('fixtures/media/pictures/tide-table.webp');
  const path = await suite.app.publish({ title: 'Hall' }, [
    { element: 'image', file_id },
    { element: 'view_point', config: { name: 'Window' } },
  ]);
  const admin = await openAdmin(suite.app, suite.browser, '/admin/settings/accessibility', {
    viewport: { width: 1280, height: 900 },
    deviceScaleFactor: 1,
  });
  const { page } = admin;
  await page.getByRole('heading', { name: 'Findings in your spaces' }).waitFor();
  await page.getByRole('link', { name: 'Hall' }).first().waitFor();
  expect(await page.getByRole('link', { name: 'Open the statement' }).count()).toBe(0);
  await page.getByRole('combobox', { name: 'Accessibility statement' }).click();
  await page.getByRole('option', { name: 'Public sector body' }).click();
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  // The contact is missing.
  await page.getByText('a statement needs a contact').waitFor();
  await page.getByLabel('Contact e-mail').fill(STATEMENT.email);
  await page.getByLabel('Last review').fill(STATEMENT.reviewed_on);
  await page.getByLabel('Known limitations').fill(STATEMENT.limitations);
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByRole('link', { name: 'Open the statement' }).waitFor();
  expect((await suite.app.client.organizations.read()).statement).toEqual({
    ...NO_STATEMENT,
    kind: 'public',
    email: STATEMENT.email,
    reviewed_on: STATEMENT.reviewed_on,
    limitations: STATEMENT.limitations,
  });
  await settled(page);
  expect(await accessibilityFaults(page)).toEqual([]);
  expect(admin.faults).toEqual([]);
  await admin.close();

  await suite.app.client.organizations.update({ body: { statement: STATEMENT } });
  const visitor = await newVisitor(suite.browser, { viewport: { width: 1280, height: 900 }, deviceScaleFactor: 1 });
  await enterRoom(visitor.page, suite.app.origin + path);
  await visitor.page.getByRole('button', { name: 'More', exact: true }).click();
  await visitor.page.getByRole('link', { name: 'Accessibility statement' }).click();
  await visitor.page.getByRole('heading', { level: 1, name: 'Accessibility statement' }).waitFor();
  for (const colorScheme of ['light', 'dark'] as const)
    for (const width of [1280, 390]) {
      await visitor.page.emulateMedia({ colorScheme });
      await visitor.page.setViewportSize({ width, height: 900 });
      expect(await accessibilityFaults(visitor.page), `${colorScheme} ${width}`).toEqual([]);
      const scrolled = await visitor.page.evaluate(() => document.documentElement.scrollWidth);
      expect(scrolled).toBeLessThanOrEqual(width);
    }
  await visitor.page.getByRole('link', { name: 'Conformance report' }).click();
  await visitor.page.getByRole('heading', { level: 1, name: 'Accessibility conformance report' }).waitFor();
  for (const colorScheme of ['light', 'dark'] as const) {
    await visitor.page.emulateMedia({ colorScheme });
    expect(await accessibilityFaults(visitor.page), colorScheme).toEqual([]);
    const scrolled = await visitor.page.evaluate(() => document.documentElement.scrollWidth);
    expect(scrolled).toBeLessThanOrEqual(390);
  }
  await visitor.page.setViewportSize({ width: 1280, height: 900 });
  expect(visitor.faults).toEqual([]);
  await visitor.context.close();
});
