import { readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { PRESETS } from '../../../src/contract/entities.ts';
import { openAdmin, settled } from '../../harness/admin-page.ts';
import { noRights } from '../../harness/call-requests.ts';
import { webSuite } from '../../harness/web-suite.ts';

const web = webSuite();
const open = (path: string, how: Parameters<typeof openAdmin>[3] = {}) => openAdmin(web.app, web.browser, path, how);
const invite = (email: string, name: string) =>
  web.app.client.users.invite({ body: { email, name, policies: noRights() } });

describe('presets of rights', () => {
  test('one gives a user its rights; a tick more makes it an own choice', async () => {
    const { page, close } = await open('/admin/settings/users/add');
    await page.getByLabel('E-mail').fill('operator@example.com');
    await page.getByLabel('Name', { exact: false }).last().fill('Olga');
    await page.getByRole('combobox', { name: 'Preset' }).click();
    await page.getByRole('option', { name: 'Operator' }).click();
    await page.getByText('Runs events', { exact: false }).waitFor();
    expect(await page.getByLabel('Access tokens: Add').isChecked()).toBe(true);
    expect(await page.getByLabel('Settings: See').isChecked()).toBe(false);
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    // Without a mail server, the link is shown once.
    const shown = page.getByRole('dialog', { name: 'Link to set a password' });
    await shown.getByRole('button', { name: 'Done' }).click();
    await page.waitForURL('**/admin/settings/users');
    const { data } = await web.app.client.users.list();
    const user = data.find(({ email }) => email === 'operator@example.com')!;
    expect(user.policies).toEqual(PRESETS.operator);
    await page.goto(`${web.app.origin}/admin/settings/users/${user.id}`);
    await page.getByLabel('Media: Add').check();
    await page.getByRole('button', { name: 'All: Templates' }).click();
    expect(await page.getByLabel('Templates: Remove').isChecked()).toBe(true);
    await page.getByRole('button', { name: 'All: Change' }).click();
    expect(await page.getByLabel('Live streams: Change').isChecked()).toBe(true);
    expect(await page.getByRole('combobox', { name: 'Preset' }).inputValue()).toBe('Custom');
    await close();
  });

  test("those that go beyond one’s own rights can't be chosen", async () => {
    const policies = { ...PRESETS.reader, settings: { view_any: true, create: true, update: true, delete: false } };
    const { page, close } = await open('/admin/settings/users/add', { policies });
    await page.getByRole('combobox', { name: 'Preset' }).click();
    const isDisabled = (name: string) =>
      page.getByRole('option', { name }).evaluate((option) => option.hasAttribute('data-combobox-disabled'));
    expect(await isDisabled('Administrator')).toBe(true);
    expect(await isDisabled('Reader')).toBe(false);
    await close();
  });
});

test('the audit log is narrowed to an event, shows its details, and is exported', async () => {
  await web.app.client.apiKeys.create({ body: { name: 'Nightly build', policies: noRights() } });
  const { page, close } = await open('/admin/settings/audit');
  await page.getByRole('combobox', { name: 'Event' }).click();
  await page.getByRole('option', { name: 'Created an API key' }).click();
  await page.getByText('Created an API key: Nightly build').waitFor();
  expect(new URL(page.url()).searchParams.get('event')).toBe('key_created');
  await page.getByRole('button', { name: 'Details: Created an API key' }).first().click();
  await page.getByRole('dialog').getByText('Nightly build').waitFor();
  await page.keyboard.press('Escape');
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Export' }).click(),
  ]);
  const text = await readFile(await download.path(), 'utf8');
  expect(text.split('\r\n')[0]).toContain('"at","event"');
  expect(text).toContain('Nightly build');
  expect(text).not.toContain('user_invited');
  await close();
});

test('a person is erased from the privacy screen, which tells what was cleaned; strangers are told apart', async () => {
  await invite('robin@example.com', 'Robin');
  const { page, close } = await open('/admin/settings/privacy');
  await page.getByRole('button', { name: 'Erase a person…' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('E-mail of the user', { exact: false }).fill('nobody@example.com');
  await dialog.getByRole('button', { name: 'Erase' }).click();
  await dialog.getByRole('alert').waitFor();
  await dialog.getByLabel('E-mail of the user', { exact: false }).fill('robin@example.com');
  await dialog.getByRole('button', { name: 'Erase' }).click();
  await dialog.getByText('robin@example.com has been erased', { exact: false }).waitFor();
  await dialog.getByRole('button', { name: 'Done' }).click();
  const { data } = await web.app.client.users.list();
  expect(data.map(({ email }) => email)).not.toContain('robin@example.com');
  await close();
});

test('how long things are kept is saved, within its bounds', async () => {
  const { page, close } = await open('/admin/settings/privacy');
  await settled(page);
  const days = page.getByLabel('Keep audit log (days)');
  await days.fill('5');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Use at least 30 days.').waitFor();
  await days.fill('90');
  await page.getByLabel('Keep visitors’ messages (days)').fill('14');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('All changes saved').waitFor();
  const { audit_days, shares_days } = await web.app.client.organizations.read();
  expect([audit_days, shares_days]).toEqual([90, 14]);
  await close();
});
