import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { onlyPolicies, openAdmin, settled, signInAs } from '../../harness/admin-page.ts';
import { newVisitor } from '../../harness/browser.ts';
import { ADMIN } from '../../harness/web-app.ts';
import { webSuite } from '../../harness/web-suite.ts';

const web = webSuite();
const NEW = 'a new password for me';
const open = (path = '/admin/account') => openAdmin(web.app, web.browser, path, { policies: onlyPolicies({}) });

describe('one’s own account', () => {
  test('is reached from one’s name in the menu without any right, and the name that is saved stands there', async () => {
    const { page, close } = await open('/admin');
    await page.getByRole('link', { name: /^Member/ }).click();
    await page.getByRole('heading', { level: 1, name: 'Your account' }).waitFor();
    await page.getByLabel('Name', { exact: false }).first().fill('Eva Example');
    await page.getByRole('button', { name: 'Save name' }).click();
    await page.getByRole('link', { name: /^Eva Example/ }).waitFor();
    await page.reload();
    await page.getByRole('link', { name: /^Eva Example/ }).waitFor();
    await close();
  });

  test('a wrong current password is said at its field; the right one sets the new one, and one stays signed in', async () => {
    const { page, close } = await open();
    const current = page.getByLabel('Current password', { exact: false });
    await current.fill('not the password');
    await page.getByLabel('New password', { exact: false }).fill(NEW);
    await page.getByLabel('Confirm password', { exact: false }).fill(NEW);
    await page.getByRole('button', { name: 'Change password' }).click();
    await page.getByText('This is not your current password.').waitFor();
    await current.fill('correct horse battery');
    await page.getByRole('button', { name: 'Change password' }).click();
    await page.getByText('Your password has been changed.').waitFor();
    await page.reload();
    await page.getByRole('heading', { level: 1, name: 'Your account' }).waitFor();
    const email = await page.getByLabel('E-mail').inputValue();
    await web.app.client.users.login({ body: { email, password: NEW } });
    expect((await web.app.client.users.active()).email).toBe(email);
    await close();
  });

  test('another session is ended from the list, and its browser says that it has ended', async () => {
    const { page, close } = await open();
    const email = await page.getByLabel('E-mail').inputValue();
    const other = await newVisitor(web.browser, { viewport: { width: 1280, height: 800 } });
    await other.page.goto(`${web.app.origin}/admin/login`);
    await other.page.getByLabel('E-mail').fill(email);
    await other.page.getByLabel('Password', { exact: false }).first().fill('correct horse battery');
    await other.page.getByRole('button', { name: 'Login' }).click();
    await other.page.getByRole('heading', { name: 'Dashboard' }).waitFor();

    await page.reload();
    await settled(page);
    await page.getByText('This device').waitFor();
    await page.getByRole('button', { name: 'Sign out: Chrome on Linux' }).click();
    await page.getByText('The session has been ended.').waitFor();
    await page.getByRole('button', { name: /^Sign out:/ }).waitFor({ state: 'detached' });
    await other.page.reload();
    await other.page.waitForURL('**/admin/login**');
    await other.page.getByText('Your session has ended. Sign in again.').waitFor();
    await other.page.getByLabel('E-mail').fill(email);
    await other.page.getByLabel('Password', { exact: false }).first().fill('correct horse battery');
    await other.page.getByRole('button', { name: 'Login' }).click();
    await other.page.getByRole('heading', { name: 'Dashboard' }).waitFor();
    await other.page.getByRole('button', { name: 'Logout' }).click();
    await other.page.waitForURL('**/admin/login**');
    expect(await other.page.getByText('Your session has ended.').count()).toBe(0);
    await other.close();
    await close();
  });

  test('“Sign out everywhere else” leaves the present session alone', async () => {
    const { page, close } = await open();
    const email = await page.getByLabel('E-mail').inputValue();
    await web.app.client.users.login({ body: { email, password: 'correct horse battery' } });
    await page.reload();
    await page.getByRole('button', { name: 'Sign out everywhere else' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Sign out everywhere else' }).click();
    await page.getByText('You are signed out everywhere else.').waitFor();
    await page.getByRole('button', { name: 'Sign out everywhere else' }).waitFor({ state: 'detached' });
    expect(await page.getByRole('list', { name: 'Sessions' }).getByRole('listitem').count()).toBe(1);
    await close();
  });
});

describe('another e-mail address', () => {
  test('is asked for with the password, and counts when its link is opened', async () => {
    const { page, close } = await open();
    const taken = page.getByLabel('New address');
    await taken.fill(ADMIN.email);
    const confirmed = async (password: string) => {
      await page.getByRole('button', { name: 'Change address' }).click();
      await page.getByRole('dialog').getByLabel('Your password').fill(password);
      await page.getByRole('dialog').getByRole('button', { name: 'Confirm' }).click();
    };
    await confirmed('correct horse battery');
    await page.getByText('A user with this e-mail address already exists. Use another one.').waitFor();
    await taken.fill('eva@example.com');
    await confirmed('correct horse battery');
    await page.getByText('A link has been sent to eva@example.com.').waitFor();
    const outbox = join(web.app.services.settings.DATA_DIR, 'outbox');
    const messages = async () => {
      const names = (await readdir(outbox).catch(() => [])).filter((name) => name.endsWith('.eml'));
      const texts = await Promise.all(names.map((name) => readFile(join(outbox, name), 'utf8')));
      return texts.filter((text) => text.includes('To: eva@example.com'));
    };
    await expect.poll(async () => (await messages()).length).toBe(1);
    const text = (await messages())[0]!.replaceAll(/=\r?\n/g, '').replaceAll('=3D', '=');
    await page.goto(web.app.origin + /\/admin\/account\?email=[\w-]+/.exec(text)![0]);
    await page.getByText('Your e-mail address has been changed.').waitFor();
    await expect.poll(() => page.getByLabel('E-mail').inputValue()).toBe('eva@example.com');
    expect(new URL(page.url()).search).toBe('');
    await close();
  });

  test('colors of the back-office and of the editor are chosen there', async () => {
    const { page, close } = await open();
    await page.getByRole('radiogroup', { name: 'Back-office colors' }).getByText('Dark').click();
    await expect.poll(() => page.locator('html').getAttribute('data-mantine-color-scheme')).toBe('dark');
    await page.getByRole('radiogroup', { name: 'Editor colors' }).getByText('Light').click();
    await page.reload();
    await expect.poll(() => page.locator('html').getAttribute('data-mantine-color-scheme')).toBe('dark');
    expect(await page.getByRole('radio', { name: 'Light' }).nth(1).isChecked()).toBe(true);
    await close();
  });
});

describe('a link to set a password', () => {
  const linkFor = (token: string, email: string) =>
    `/admin/password/${Buffer.from(JSON.stringify({ token, email })).toString('base64url')}/reset`;

  test('that is used or over says so, and offers a new one for the same address', async () => {
    const { page, close } = await newVisitor(web.browser, { viewport: { width: 1280, height: 800 } });
    await page.goto(web.app.origin + linkFor('x'.repeat(43), 'eva@example.com'));
    await page.getByLabel(/^New password/).fill(NEW);
    await page.getByLabel(/^Confirm password/).fill(NEW);
    await page.getByRole('button', { name: 'Reset password' }).click();
    await page.getByRole('alert').getByText('This link has expired or was already used.').waitFor();
    await page.getByRole('button', { name: 'Request a new link' }).click();
    await page.getByRole('heading', { name: 'Reset password' }).waitFor();
    expect(new URL(page.url()).pathname + new URL(page.url()).search).toBe('/admin/login');
    expect(await page.getByLabel('E-mail').inputValue()).toBe('eva@example.com');
    await page.getByRole('button', { name: 'Reset password' }).click();
    await page.getByText('If the e-mail address is known, a link has been sent.').waitFor();
    await close();
  });

  test('that is incomplete leads to asking for another one', async () => {
    const { page, close } = await newVisitor(web.browser, { viewport: { width: 1280, height: 800 } });
    await page.goto(`${web.app.origin}/admin/password/broken/reset`);
    await page.getByRole('alert').getByText('This link is incomplete.').waitFor();
    await page.getByRole('button', { name: 'Request a new link' }).click();
    await page.getByRole('heading', { name: 'Reset password' }).waitFor();
    await close();
  });

  test('that no longer works sends a new one at once to whoever is signed in', async () => {
    const token = await signInAs(web.app, onlyPolicies({}));
    const { page, close } = await newVisitor(web.browser, {
      viewport: { width: 1280, height: 800 },
      kept: { origin: web.app.origin, entries: { 'enfilade.editor-token': token } },
    });
    await page.goto(web.app.origin + linkFor('x'.repeat(43), 'eva@example.com'));
    await page.getByLabel(/^New password/).fill(NEW);
    await page.getByLabel(/^Confirm password/).fill(NEW);
    await page.getByRole('button', { name: 'Reset password' }).click();
    await page.getByRole('button', { name: 'Request a new link' }).click();
    await page.getByText('If the e-mail address is known, a link has been sent.').waitFor();
    await close();
  });
});
