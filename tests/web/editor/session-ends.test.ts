import { readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { createClient } from '../../../src/contract/client.ts';
import { allPolicies } from '../../../src/server/features/organizations/service.ts';
import { TOKEN_KEY } from '../../../src/ui/session/session-store.ts';
import { accessibilityFaults, signInAs } from '../../harness/admin-page.ts';
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
    await dialog.getByText('Your changes stay on this page').waitFor();
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

describe('another user signs in in this browser', () => {
  /** An open room, and the token of a user with the same rights. */
  async function withStranger() {
    const stranger = await signInAs(web.app, allPolicies());
    const { name } = await createClient({ origin: web.app.origin, token: () => stranger }).users.active();
    const room = await openRoom();
    const { page } = room;
    const store = (token: string) =>
      page.evaluate(([key, value]) => localStorage.setItem(key!, value!), [TOKEN_KEY, token]);
    const mine = (await page.evaluate((key) => localStorage.getItem(key), TOKEN_KEY))!;
    const asked = page.getByRole('dialog', { name: 'Sign in again' }).getByText(`${name} has signed in`);
    return { ...room, stranger, mine, store, asked };
  }

  test('before the storage event arrives, nothing is sent in their name either', async () => {
    const { editor, page, names, rename, stranger, mine, store, asked } = await withStranger();
    const sent: string[] = [];
    page.on('request', (request) => {
      if (request.url().includes('/commands')) sent.push(request.headers().authorization ?? '');
    });
    // A page gets no event of its own changes, as if the event were late.
    await store(stranger);
    await rename('Gate');
    await asked.waitFor();
    expect(await names()).toEqual(['Door']);
    expect(sent).not.toContain(`Bearer ${stranger}`);
    await store(mine);
    await page.evaluate((key) => dispatchEvent(new StorageEvent('storage', { key })), TOKEN_KEY);
    await editor.saved();
    expect(await names()).toEqual(['Gate']);
    expect(sent).not.toContain(`Bearer ${stranger}`);
    await editor.close();
  });

  test('while it cannot be read who signed in, nothing is sent; the page asks again', async () => {
    const { editor, page, names, rename, stranger, asked } = await withStranger();
    let failed = 0;
    await page.route('**/users/active', (route) => (failed++ < 2 ? route.abort('connectionfailed') : route.continue()));
    const other = await editor.visitor.context.newPage();
    await other.goto(`${web.app.origin}/robots.txt`);
    await other.evaluate(([key, value]) => localStorage.setItem(key!, value!), [TOKEN_KEY, stranger]);
    await page.getByRole('dialog', { name: 'Sign in again' }).waitFor();
    await page.keyboard.press('Escape');
    await rename('Gate');
    await page.getByRole('region', { name: 'Editor bar' }).getByRole('button', { name: 'Sign in' }).click();
    await asked.waitFor();
    expect(failed).toBeGreaterThan(2);
    expect(await names()).toEqual(['Door']);
    await other.close();
    await editor.close();
  });

  test("the editors' connection does not open in their name", async () => {
    const { editor, page, stranger, mine, store, asked } = await withStranger();
    const opened: string[] = [];
    let cut = () => {};
    await page.routeWebSocket(/realtime\/editors/, (line) => {
      const server = line.connectToServer();
      line.onMessage((text) => {
        const message = JSON.parse(String(text));
        if (message.type === 'open') opened.push(message.token);
        server.send(text);
      });
      cut = () => void line.close({ code: 1012 });
    });
    await page.reload();
    await editor.ready();
    await expect.poll(() => opened).toEqual([mine]);
    await store(stranger);
    cut();
    // Reconnecting compares the tokens.
    await asked.waitFor();
    await store(mine);
    await page.evaluate((key) => dispatchEvent(new StorageEvent('storage', { key })), TOKEN_KEY);
    await expect.poll(() => opened).toEqual([mine, mine]);
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
  await alert.getByText('1 change of yours is not saved but stored in this browser.').waitFor();
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
