import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { newVisitor } from '../../harness/browser.ts';
import { ADMIN } from '../../harness/web-app.ts';
import { webSuite } from '../../harness/web-suite.ts';

const web = webSuite();

describe('from a fresh login to a visitor who enters', () => {
  test('a space is made, published, protected and timed; a second person enters it with a token', async () => {
    const { page, close, faults } = await newVisitor(web.browser, { viewport: { width: 1280, height: 800 } });
    await page.goto(`${web.app.origin}/admin/structures/add`);
    await page.getByLabel('E-mail').fill(ADMIN.email);
    await page.getByLabel('Password').first().fill(ADMIN.password);
    await page.getByRole('button', { name: 'Login' }).click();
    await page.waitForURL('**/admin/structures/add');

    await page.getByRole('radio', { name: 'New space' }).check();
    await page.getByLabel('Title').fill('Gala night');
    await page.getByRole('switch', { name: 'Timed', exact: true }).check();
    await page.getByLabel('Hours').pressSequentially('00');
    await page.getByLabel('Minutes').pressSequentially('01');
    // Closes the list of minutes, which covers the fields below.
    await page.getByRole('heading', { name: 'Schedule' }).click();
    await page.getByRole('radiogroup', { name: 'Protected' }).getByText('Protected').click();
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    await page.getByText('The structure has been added.').waitFor();

    await page.getByRole('link', { name: 'Access tokens', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: 'Access tokens' }).waitFor();
    await page.getByRole('link', { name: 'Add new' }).first().click();
    // The list has a field of this name as well.
    await page.getByRole('heading', { level: 1, name: 'Add access token' }).waitFor();
    await page.getByRole('combobox', { name: 'Structure' }).click();
    await page.getByRole('option', { name: 'Gala night' }).click();
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    await page.waitForURL(/\/admin\/access-tokens\/\d+$/);
    await expect.poll(() => page.getByLabel('Token', { exact: true }).inputValue()).not.toBe('');
    const code = await page.getByLabel('Token', { exact: true }).inputValue();
    expect(faults).toEqual([]);

    const guest = await newVisitor(web.browser);
    await guest.page.goto(`${web.app.origin}/gala-night`);
    await guest.page.getByText('Enter your code').waitFor();
    await guest.page.getByLabel('Your personal code').fill('not-the-code');
    await guest.page.getByRole('button', { name: 'Login' }).click();
    await guest.page.getByRole('alert').waitFor();
    await guest.page.getByLabel('Your personal code').fill(code);
    await guest.page.getByRole('button', { name: 'Login' }).click();
    await guest.page.locator('#entrance.is-ready').waitFor();
    await guest.page.locator('#entrance').press('Enter');
    await guest.page.locator('#room[data-state="ready"]').waitFor();
    await guest.close();
    await close();
  });

  test('a forgotten password is set anew by the link of a message', async () => {
    const { page, close } = await newVisitor(web.browser, { viewport: { width: 1280, height: 800 } });
    await page.goto(`${web.app.origin}/admin/login`);
    await page.getByRole('button', { name: 'I forgot my password' }).click();
    await page.getByLabel('E-mail').fill(ADMIN.email);
    await page.getByRole('button', { name: 'Reset password' }).click();
    await page.getByText('If the e-mail address is known, a link has been sent.').waitFor();
    const outbox = join(web.app.services.settings.DATA_DIR, 'outbox');
    // A message that is being written has a hidden name.
    const written = async () => (await readdir(outbox).catch(() => [])).filter((name) => !name.startsWith('.'));
    await expect.poll(async () => (await written()).length).toBeGreaterThan(0);
    const name = (await written()).toSorted().at(-1);
    const message = (await readFile(join(outbox, name!), 'utf8')).replaceAll(/=\r?\n/g, '').replaceAll('=3D', '=');
    const path = /\/admin\/password\/[\w-]+\/reset/.exec(message)![0];
    await page.goto(web.app.origin + path);
    expect(await page.getByLabel('E-mail').inputValue()).toBe(ADMIN.email);
    await page.getByRole('textbox', { name: 'New password' }).fill('a new long password');
    await page.getByRole('textbox', { name: 'Confirm password' }).fill('another one');
    await page.getByRole('button', { name: 'Reset password' }).click();
    await page.getByText("The passwords don't match.").waitFor();
    await page.getByRole('textbox', { name: 'Confirm password' }).fill('a new long password');
    await page.getByRole('button', { name: 'Reset password' }).click();
    await page.waitForURL('**/admin/login');
    await page.getByLabel('E-mail').fill(ADMIN.email);
    await page.getByLabel('Password').first().fill('a new long password');
    await page.getByRole('button', { name: 'Login' }).click();
    await page.getByRole('heading', { name: 'Dashboard' }).waitFor();
    await close();
  });
});
