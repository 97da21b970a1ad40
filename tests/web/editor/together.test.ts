import type { Route } from 'playwright';
import { describe, expect, test } from 'vitest';
import { EditorDriver } from '../../harness/editor-driver.ts';
import { ADMIN } from '../../harness/web-app.ts';
import { webSuite } from '../../harness/web-suite.ts';

const web = webSuite();

async function newRoom(...names: string[]): Promise<number> {
  const { id } = await web.app.client.rooms.create({ body: { title: 'Hall' } });
  for (const name of names)
    await web.app.client.rooms.addElement({ params: { id }, body: { element: 'image', name, width: 100 } });
  return id;
}
const stored = async (id: number) => (await web.app.client.rooms.read({ params: { id } })).elements;
const names = async (id: number) => (await stored(id)).map(({ name }) => name);
const open = (id: number) => EditorDriver.open(web.app, web.browser, id);

async function rename(editor: EditorDriver, name: string, to: string): Promise<void> {
  await editor.tree.getByTitle(name, { exact: true }).dblclick();
  const field = editor.tree.getByRole('textbox');
  await field.fill(to);
  await field.press('Enter');
}

/** Edits that the browser keeps; runs in the page. */
const countKept = () =>
  new Promise<number>((resolve, reject) => {
    const opening = indexedDB.open('enfilade.session');
    opening.onerror = () => reject(opening.error);
    opening.onsuccess = () => {
      const reading = opening.result.transaction('kept').objectStore('kept').getAll();
      reading.onsuccess = () => {
        opening.result.close();
        resolve(reading.result.filter(({ kind }) => kind === 'edit').length);
      };
    };
  });

/** Calls that change a space; those that read its log have the same address. */
const COMMANDS = /\/api\/v1\/backend\/rooms\/\d+\/commands/;
const cutWrites = (route: Route) =>
  route.request().method() === 'GET' ? route.continue() : route.abort('connectionfailed');

describe('without a connection', () => {
  test('edits wait, are said to wait, and arrive later', async () => {
    const id = await newRoom('Picture', 'Portrait');
    const editor = await open(id);
    await editor.visitor.context.setOffline(true);
    await rename(editor, 'Picture', 'Landscape');
    await editor.add('Group');
    await editor.select('Portrait');
    await editor.press('Delete');
    await editor.answer('Remove');
    await editor.saveState.getByText('Offline, 3 changes waiting').waitFor();
    expect(await names(id)).toEqual(['Picture', 'Portrait']);
    await editor.visitor.context.setOffline(false);
    await editor.saved();
    expect((await stored(id)).map(({ name, element }) => name || element)).toEqual(['Landscape', 'group']);
    await editor.close();
  });

  test('what waits outlives the page, and is sent once by the next one', async () => {
    const id = await newRoom('Picture');
    const editor = await open(id);
    // The calls that change something get no answer, as when the connection goes just then.
    await editor.page.route(COMMANDS, cutWrites);
    await rename(editor, 'Picture', 'Landscape');
    await editor.add('Group');
    await editor.add('Light');
    await editor.saveState.getByText(/^Offline, 3 changes waiting/).waitFor();
    // Until the browser has written it down, leaving the page would ask.
    await expect.poll(() => editor.page.evaluate(countKept)).toBe(3);
    await editor.page.unroute(COMMANDS);
    await editor.reload();
    await expect.poll(() => editor.names()).toEqual(['Landscape', 'Group', 'Light']);
    await editor.saved();
    expect((await stored(id)).map(({ name, element }) => name || element)).toEqual(['Landscape', 'group', 'light']);
    await editor.reload();
    expect(await editor.names()).toEqual(['Landscape', 'Group', 'Light']);
    expect(await stored(id)).toHaveLength(3);
    await editor.close();
  });

  test('a second window of the same person leaves alone what the first still holds', async () => {
    const id = await newRoom('Picture');
    const editor = await open(id);
    await editor.page.route(COMMANDS, cutWrites);
    await rename(editor, 'Picture', 'Landscape');
    await editor.saveState.getByText(/^Offline, 1 change waiting/).waitFor();
    const second = await editor.visitor.context.newPage();
    await second.goto(editor.page.url());
    await second.getByTitle('Picture', { exact: true }).waitFor();
    await second.getByRole('status', { name: 'Saving' }).getByText('Saved', { exact: true }).waitFor();
    expect(await names(id)).toEqual(['Picture']);
    await editor.page.unroute(COMMANDS);
    await editor.saved();
    expect(await names(id)).toEqual(['Landscape']);
    await editor.close();
  });

  test('a session that ends takes nothing along: the user signs in again, and nobody else sends their edits', async () => {
    const id = await newRoom('Picture');
    const editor = await open(id);
    const { page } = editor;
    await web.app.services.db.deleteFrom('sessions').execute();
    // The tests' own client signs in again as well.
    await web.app.client.users.login({ body: ADMIN });
    await rename(editor, 'Picture', 'Landscape');
    const dialog = page.getByRole('dialog', { name: 'Sign in again' });
    await dialog.getByText('Your changes stay on this page').waitFor();
    // Edits belong to the user who made them: the administrator does not send the member's.
    const other = await editor.visitor.context.newPage();
    await other.goto(`${web.app.origin}/admin/editor/${id}`);
    await other.getByLabel('E-mail').fill(ADMIN.email);
    await other.getByRole('textbox', { name: 'Password' }).fill(ADMIN.password);
    await other.getByRole('button', { name: 'Login' }).click();
    const theirs = await EditorDriver.of({ ...editor.visitor, page: other }, id);
    expect(await theirs.names()).toEqual(['Picture']);
    await dialog.getByText('has signed in in another window.').waitFor();
    expect(await names(id)).toEqual(['Picture']);
    await dialog.locator('input[type="password"]').fill(ADMIN.password);
    await dialog.getByRole('button', { name: 'Login' }).click();
    await editor.saved();
    expect(await editor.names()).toEqual(['Landscape']);
    expect(await names(id)).toEqual(['Landscape']);
    await editor.close();
  });
});

/** Asks for what waits for a decision; it does not open by itself. */
async function decide(editor: EditorDriver): Promise<void> {
  await editor.saveState.getByText(/waiting for your decision/).waitFor({ timeout: 30_000 });
  expect(await editor.page.getByRole('dialog').count()).toBe(0);
  await editor.page.getByRole('button', { name: 'Decide', exact: true }).first().click();
}

describe('a change that the server refuses', () => {
  test('waits with a notification, holds nothing else, and can be looked at and left for later', async () => {
    const id = await newRoom('Picture', 'Portrait');
    const picture = await web.app.upload('fixtures/media/pictures/currents.webp');
    const editor = await open(id);
    // Somebody removes the file from the library while it is being chosen.
    await editor.select('Picture');
    await editor.page.evaluate(
      ([element, file_id]) =>
        window.enfiladeCanvas!.document.run(
          { type: 'element.update', id: element!, fields: { file_id: file_id! } },
          { label: 'File' },
        ),
      [(await stored(id))[0]!.id, picture.id + 1000],
    );
    await editor.page.getByText(/^A change of “Picture” could not be saved and waits/).waitFor({ timeout: 30_000 });
    expect(await editor.page.getByRole('dialog').count()).toBe(0);
    await rename(editor, 'Portrait', 'Self-portrait');
    await expect.poll(() => names(id)).toEqual(['Picture', 'Self-portrait']);
    await decide(editor);
    const dialog = editor.page.getByRole('dialog', { name: 'This could not be saved' });
    await dialog.waitFor();
    await editor.page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await editor.page.getByRole('button', { name: 'Decide', exact: true }).first().click();
    await dialog.getByRole('button', { name: 'Undo the change' }).click();
    await editor.saved();
    await editor.close();
  });
});

/** Leaves an edit as version 0.9 kept it, by a page that is gone; runs in the page. */
const leaveOld = (element: number) =>
  new Promise<void>((resolve, reject) => {
    const opening = indexedDB.open('enfilade.editor', 1);
    opening.onerror = () => reject(opening.error);
    opening.onupgradeneeded = () =>
      opening.result.createObjectStore('waiting', { keyPath: ['owner', 'page', 'seq'] }).createIndex('owner', 'owner');
    opening.onsuccess = () => {
      const [owner] = Object.keys(sessionStorage).flatMap((key) => /^enfilade\.session:(.+)$/.exec(key)?.[1] ?? []);
      const task = { kind: 'update', id: element, fields: { name: 'Landscape' }, before: { name: 'Picture' } };
      const writing = opening.result.transaction('waiting', 'readwrite');
      writing.objectStore('waiting').put({ owner, page: 'gone', seq: 1, task });
      writing.oncomplete = () => {
        opening.result.close();
        resolve();
      };
    };
  });

describe('after an update of the platform', () => {
  test('what version 0.9 had kept is saved, once', async () => {
    const id = await newRoom('Picture');
    const editor = await open(id);
    await editor.page.evaluate(leaveOld, (await stored(id))[0]!.id);
    await editor.reload();
    await expect.poll(() => editor.names()).toEqual(['Landscape']);
    await editor.saved();
    expect(await names(id)).toEqual(['Landscape']);
    await rename(editor, 'Landscape', 'Still life');
    await editor.saved();
    await editor.reload();
    await editor.saved();
    expect(await names(id)).toEqual(['Still life']);
    await editor.close();
  });
});

/** Milliseconds without a connection, after which a person is asked about what others wrote meanwhile. */
const LONG = 90_000;

describe('two people in one room', () => {
  test('both change one name while one is away for long: that one is asked, sees who it was, and decides', async () => {
    const id = await newRoom('Picture');
    const [one, two] = [await open(id), await open(id)];
    await two.page.clock.install();
    await two.reload();
    await two.visitor.context.setOffline(true);
    await rename(two, 'Picture', 'Mine');
    await rename(one, 'Picture', 'Theirs');
    await one.saved();
    await two.page.clock.fastForward(LONG);
    await two.visitor.context.setOffline(false);
    await decide(two);
    const dialog = two.page.getByRole('dialog', { name: 'Somebody else changed this, too' });
    await dialog.getByText(/^Member \d+ changed “Mine” while you did/).waitFor();
    await dialog.getByRole('button', { name: 'Keep mine' }).click();
    await two.saved();
    expect(await names(id)).toEqual(['Mine']);
    // The first sees it without loading anew.
    await expect.poll(() => one.names(), { timeout: 30_000 }).toEqual(['Mine']);
    // What one did oneself in another window is not somebody else's.
    const token = await two.page.evaluate(() => localStorage.getItem('enfilade.editor-token'));
    await two.visitor.context.setOffline(true);
    await rename(two, 'Mine', 'Here');
    const elementId = (await stored(id))[0]!.id;
    const answer = await fetch(`${web.app.origin}/api/v1/backend/elements/${elementId}`, {
      method: 'PUT',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ name: 'There' }),
    });
    expect(answer.status).toBe(200);
    await two.page.clock.fastForward(LONG);
    await two.visitor.context.setOffline(false);
    await decide(two);
    const own = two.page.getByRole('dialog', { name: 'You changed this in another window' });
    await own.getByText('You changed “Here” here and in another window.').waitFor();
    await own.getByRole('button', { name: 'Take the other window’s' }).click();
    await two.saved();
    expect(await names(id)).toEqual(['There']);
    await one.close();
    await two.close();
  });

  test('they change different fields: both are kept, and nobody is asked', async () => {
    const id = await newRoom('Picture');
    const [one, two] = [await open(id), await open(id)];
    await one.select('Picture');
    await one.tab('Settings');
    await one.fill('Width', '300');
    await one.save();
    await one.saved();
    await rename(two, 'Picture', 'Mine');
    await two.saved();
    expect((await stored(id))[0]).toMatchObject({ name: 'Mine', width: 300 });
    await one.close();
    await two.close();
  });

  test('one removes what the other changes: it is said, and can be restored', async () => {
    const id = await newRoom('Picture', 'Portrait');
    const [one, two] = [await open(id), await open(id)];
    // Otherwise it would be gone from the tree before it can be renamed.
    await two.visitor.context.setOffline(true);
    await one.select('Picture');
    await one.press('Delete');
    await one.answer('Remove');
    await one.saved();
    await rename(two, 'Picture', 'Mine');
    await two.visitor.context.setOffline(false);
    await two.page.getByText(/^Member \d+ removed what you changed. Not saved: Name of “Mine”/).waitFor();
    await two.page.getByRole('button', { name: 'Restore', exact: true }).click();
    await two.saved();
    expect(await names(id)).toEqual(['Mine', 'Portrait']);
    await one.close();
    await two.close();
  });

  test('undo goes on after the page was loaded again, also where the browser is late in letting the earlier page go', async () => {
    const id = await newRoom('Picture');
    const editor = await open(id);
    const other = await editor.visitor.context.newPage();
    await other.goto(`${web.app.origin}/healthz`);
    await editor.page.evaluate(() => {
      const { put } = IDBObjectStore.prototype;
      const kinds = new Map<IDBTransaction, string[]>();
      IDBObjectStore.prototype.put = function (value, ...key) {
        kinds.set(this.transaction, [...(kinds.get(this.transaction) ?? []), value.kind]);
        Object.assign(window, { keptKinds: [...kinds.values()].map((list) => list.join()) });
        return put.call(this, value, ...key);
      };
    });
    await rename(editor, 'Picture', 'Landscape');
    await editor.saved();
    const kept = await editor.page.evaluate(() => (window as unknown as { keptKinds: string[] }).keptKinds);
    expect(kept, 'the edit and its step are kept together').toContain('edit,step');
    await other.evaluate(async () => {
      const { held = [] } = await navigator.locks.query();
      // Until somebody waits for it.
      const late = async (lock: Lock | null) => {
        const isAwaited = async () => (await navigator.locks.query()).pending?.some(({ name }) => name === lock?.name);
        while (!(await isAwaited())) await new Promise((resolve) => setTimeout(resolve, 20));
      };
      for (const { name } of held) void navigator.locks.request(name!, late);
    });
    await editor.reload();
    expect(await editor.names()).toEqual(['Landscape']);
    await editor.press('Control+z');
    await expect.poll(() => editor.names()).toEqual(['Picture']);
    await editor.saved();
    expect(await names(id)).toEqual(['Picture']);
    await editor.close();
  });
});
