import { readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { createClient } from '../../../src/contract/client.ts';
import { TOKEN_KEY } from '../../../src/ui/session/session-store.ts';
import { accessibilityFaults } from '../../harness/admin-page.ts';
import { EditorDriver } from '../../harness/editor-driver.ts';
import { webSuite } from '../../harness/web-suite.ts';

const web = webSuite();

const PASSWORD = 'correct horse battery';

async function openRoom() {
  const { client } = web.app;
  const { id } = await client.rooms.create({ body: { title: 'Hall' } });
  await client.rooms.addElement({ params: { id }, body: { element: 'button', name: 'Door' } });
  const editor = await EditorDriver.open(web.app, web.browser, id);
  const names = async () => (await client.rooms.read({ params: { id } })).elements.map(({ name }) => name);
  const rename = async (name: string) => {
    await editor.tab('Settings');
    await editor.fill('Name', name);
  };
  await editor.select('Door');
  return { id, editor, page: editor.page, names, rename };
}

/** Ends the session of a window on the server. */
async function endSession({ page }: EditorDriver): Promise<void> {
  const token = await page.evaluate((key) => localStorage.getItem(key), TOKEN_KEY);
  await createClient({ origin: web.app.origin, token: () => token }).users.logout();
}

describe('a session that ends while editing', () => {
  test('the user signs in again on the same page, and everything typed until then is saved', async () => {
    const { editor, page, names, rename } = await openRoom();
    await page.evaluate(() => Object.assign(window, { isSamePage: true }));
    await endSession(editor);
    await rename('Gate');
    const dialog = page.getByRole('dialog', { name: 'Sign in again' });
    await dialog.getByText('Your changes are kept on this page').waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'hidden' });
    await rename('Great gate');
    await page.getByRole('region', { name: 'Editor bar' }).getByRole('button', { name: 'Sign in' }).click();
    await dialog.locator('input[type="password"]').fill('wrong');
    await dialog.getByRole('button', { name: 'Login' }).click();
    await dialog.getByRole('alert').waitFor();
    await dialog.locator('input[type="password"]').fill(PASSWORD);
    await dialog.getByRole('button', { name: 'Login' }).click();
    await dialog.waitFor({ state: 'hidden' });
    await editor.saved();
    expect(await names()).toEqual(['Great gate']);
    expect(await page.evaluate(() => 'isSamePage' in window)).toBe(true);
    await editor.close();
  });

  test('signed out and in again in another window: saving goes on by itself; as another user, it asks', async () => {
    const { editor, page, names, rename } = await openRoom();
    const token = (await page.evaluate((key) => localStorage.getItem(key), TOKEN_KEY))!;
    const { client } = web.app;
    const mine = await createClient({ origin: web.app.origin, token: () => token }).users.active();
    const other = await editor.visitor.context.newPage();
    await other.goto(`${web.app.origin}/admin/spaces`);
    await other.getByRole('button', { name: 'Logout', exact: true }).click();
    await other.getByLabel('E-mail').waitFor();
    const dialog = page.getByRole('dialog', { name: 'Sign in again' });
    await dialog.waitFor();
    await page.keyboard.press('Escape');
    await rename('Gate');
    const signIn = async (email: string) => {
      await other.goto(`${web.app.origin}/admin/login`);
      await other.getByLabel('E-mail').fill(email);
      await other.locator('input[type="password"]').fill(PASSWORD);
      await other.getByRole('button', { name: 'Login' }).click();
      await other.getByRole('heading', { level: 1 }).waitFor();
    };
    const { data } = await client.users.list();
    const stranger = data.find(({ email }) => email === 'admin@example.com')!;
    await signIn(stranger.email);
    await page.getByRole('region', { name: 'Editor bar' }).getByRole('button', { name: 'Sign in' }).click();
    await dialog.getByText(`${stranger.name} has signed in in another window.`).waitFor();
    expect(await names()).toEqual(['Door']);
    await page.keyboard.press('Escape');
    await other.evaluate((key) => localStorage.removeItem(key), TOKEN_KEY);
    await signIn(mine.email);
    await editor.saved();
    expect(await names()).toEqual(['Gate']);
    await other.close();
    await editor.close();
  });
});

test('a space that a colleague deletes can be downloaded with all edits, and editing goes on once it is restored', async () => {
  const { id, editor, page, rename } = await openRoom();
  const { client } = web.app;
  await editor.visitor.context.setOffline(true);
  await rename('Gate');
  await editor.saveState.getByText('Offline, 1 change waiting').waitFor();
  await client.rooms.remove({ params: { id } });
  await editor.visitor.context.setOffline(false);
  const alert = page.getByRole('alert').filter({ hasText: 'This space was deleted' });
  await alert.getByText('1 change of yours is not saved but kept in this browser.').waitFor();
  expect(await accessibilityFaults(page)).toEqual([]);
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    alert.getByRole('button', { name: 'Download the space' }).click(),
  ]);
  const document = JSON.parse(await readFile(await download.path(), 'utf8'));
  expect(document).toMatchObject({ title: 'Hall', elements: [{ name: 'Gate' }] });
  const { data } = await client.history.list({ query: { removed: '1' } });
  const entry = data.find(({ entity, entity_id }) => entity === 'room' && entity_id === id)!;
  await client.history.restore({ params: { id: entry.id } });
  await alert.waitFor({ state: 'detached' });
  await editor.saved();
  expect((await client.rooms.read({ params: { id } })).elements.map(({ name }) => name)).toEqual(['Gate']);
  await editor.close();
});
