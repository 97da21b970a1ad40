import { describe, expect, test } from 'vitest';
import { findElement, flatten } from '../../engine/document/tree.ts';
import { EditorDriver } from '../harness/editor-driver.ts';
import { sharedEditor } from '../harness/shared-window.ts';
import { webSuite } from '../harness/web-suite.ts';

const web = webSuite();
const openShared = sharedEditor(web);

/** Of every user whom the tests sign in. */
const PASSWORD = 'correct horse battery';

/** Where the camera sees an element, and enough around it. */
const AHEAD = { position_z: -2000, width: 300, height: 200 };

/** A room with a button, an iframe that refuses addresses without https, and a text. */
async function newRoom() {
  const { id: room } = await web.app.client.rooms.create({ body: { title: 'Hall' } });
  const make = async (element: 'button' | 'iframe' | 'rich_text', name: string) =>
    (await web.app.client.rooms.addElement({ params: { id: room }, body: { element, name, ...AHEAD } })).id;
  return {
    room,
    door: await make('button', 'Door'),
    frame: await make('iframe', 'Frame'),
    note: await make('rich_text', 'Note'),
  };
}

const stored = async (room: number, id: number) =>
  findElement(flatten((await web.app.client.rooms.read({ params: { id: room } })).elements), id)!;

const drawn = (editor: EditorDriver) => canvasOf(editor).and(editor.page.locator('[data-state="ready"]')).waitFor();

/** Opens a room: in a window of its own where the test ends the session or the window. */
async function open(room: number, { isAlone = false } = {}): Promise<EditorDriver> {
  const editor = isAlone ? await EditorDriver.open(web.app, web.browser, room) : await openShared(room);
  await drawn(editor);
  return editor;
}

const canvasOf = ({ page }: EditorDriver) => page.getByRole('application', { name: 'Room' });
const notification = ({ page }: EditorDriver, text: string | RegExp) =>
  page.getByRole('alert').filter({ hasText: text });
const closed = ({ window }: EditorDriver) => window.waitFor({ state: 'detached' });

/** Presses where the room is empty. */
async function pressNothing(editor: EditorDriver): Promise<void> {
  const box = (await canvasOf(editor).boundingBox())!;
  await editor.page.mouse.click(box.x + 24, box.y + 24);
}

/** Whom the window was opened for that was opened last. */
const lastUser = () =>
  web.app.services.db.selectFrom('users').select(['id', 'email']).orderBy('id', 'desc').executeTakeFirstOrThrow();

/** Signs in again as the user whom the editor was opened for. */
async function signInAgain({ page }: EditorDriver): Promise<void> {
  // Where the session ended in the editor, the address is filled in.
  const email = page.getByLabel('E-mail');
  await email.waitFor();
  if (await email.isEditable()) await email.fill((await lastUser()).email);
  await page.getByRole('textbox', { name: 'Password' }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Login' }).click();
}

const WAYS_OUT: Record<string, (editor: EditorDriver) => Promise<void>> = {
  'a press on the empty canvas': async (editor) => {
    await pressNothing(editor);
    await closed(editor);
  },
  'Esc where one types': async (editor) => {
    await editor.page.keyboard.press('Escape');
    await closed(editor);
  },
  'Esc on the canvas': async (editor) => {
    await canvasOf(editor).focus();
    await editor.page.keyboard.press('Escape');
    await closed(editor);
  },
  'the cross of the window': async (editor) => {
    await editor.window.getByRole('button', { name: 'Close the edit window' }).click();
    await closed(editor);
  },
  'selecting another element': async (editor) => {
    await editor.select('Other');
    await editor.window.getByRole('heading', { level: 2, name: 'Group' }).waitFor();
  },
  'going to the preview': async (editor) => {
    await editor.page.getByRole('link', { name: 'Preview' }).click();
    await editor.page.getByRole('heading', { level: 1, name: /^Preview of/ }).waitFor();
    await editor.page.getByRole('link', { name: 'Back to the editor' }).click();
    await editor.ready();
  },
  'the breadcrumb': async (editor) => {
    await editor.page.getByRole('link', { name: 'Space', exact: true }).click();
    await editor.page.getByRole('heading', { level: 1, name: 'Spaces' }).waitFor();
    await editor.goOn(editor.roomId);
  },
  Logout: async (editor) => {
    await editor.page.getByRole('button', { name: 'Logout' }).click();
    await signInAgain(editor);
    await editor.page.getByRole('heading', { level: 1, name: 'Dashboard' }).waitFor();
    await editor.goOn(editor.roomId);
  },
  'loading the page again': (editor) => editor.reload(),
  'an address that is typed': async (editor) => {
    await editor.page.goto(`${web.app.origin}/admin`);
    await editor.page.goto(`${web.app.origin}/admin/editor/${editor.roomId}`);
    await editor.ready();
  },
};

describe.each(Object.entries(WAYS_OUT))('the edit window is left by %s', (_, leave) => {
  test('a change, one wrong field among several, and a text that is being typed are kept', async () => {
    const { room, frame, note } = await newRoom();
    await web.app.client.rooms.addElement({ params: { id: room }, body: { element: 'group', name: 'Other' } });
    const editor = await open(room);

    await editor.select('Frame');
    await editor.tab('Settings');
    await editor.fill('Width', '400');
    await editor.tab('Content');
    await editor.window.getByLabel('Source url').pressSequentially('http://example.com');
    await leave(editor);
    await editor.saved();
    expect(await stored(room, frame)).toMatchObject({ width: 400, config: { src: '' } });
    await editor.select('Frame');
    await editor.window.getByText('Use a URL that starts with https://.').waitFor();
    await editor.window.getByLabel('Source url').fill('https://example.com');
    await editor.save();
    await editor.saved();
    expect(await stored(room, frame)).toMatchObject({ width: 400, config: { src: 'https://example.com' } });

    await editor.select('Note');
    await editor.window.getByRole('textbox', { name: 'Text' }).pressSequentially('Hello wor');
    await leave(editor);
    await editor.saved();
    expect((await stored(room, note)).config).toMatchObject({ body: '<p>Hello wor</p>' });
    expect(editor.faults).toEqual([]);
  });
});

describe('what was typed', () => {
  test('is there where the tab is closed and opened again', async () => {
    const { room } = await newRoom();
    const editor = await open(room, { isAlone: true });
    await editor.select('Door');
    await editor.fill('Title', 'Enter');
    await editor.select('Frame');
    await editor.fill('Source url', 'http://example.com');
    const { context, close, page } = editor.visitor;
    await page.close();
    const next = await context.newPage();
    await next.goto(`${web.app.origin}/admin/editor/${room}`);
    await next.getByRole('alert').getByRole('button', { name: 'Show' }).click();
    expect(await next.getByLabel('Source url').inputValue()).toBe('http://example.com');
    await next.getByTitle('Door', { exact: true }).click();
    await expect.poll(() => next.getByLabel('Title', { exact: true }).inputValue()).toBe('Enter');
    await close();
  });

  test('is kept where the session ends in the middle', async () => {
    const { room, door } = await newRoom();
    const editor = await open(room, { isAlone: true });
    await editor.select('Door');
    const { id: user_id } = await lastUser();
    await web.app.services.db.deleteFrom('sessions').where('user_id', '=', user_id).execute();
    await editor.fill('Title', 'Enter');
    await signInAgain(editor);
    await editor.ready();
    await editor.saved();
    await expect.poll(async () => (await stored(room, door)).config).toMatchObject({ title: 'Enter' });
    await editor.close();
  });

  test('is restored with its element when somebody else removes that', async () => {
    const { room, door } = await newRoom();
    const editor = await open(room);
    await editor.select('Door');
    await editor.fill('Title', 'Enter');
    await web.app.client.elements.remove({ params: { id: door } });
    const said = notification(
      editor,
      '“Door” was removed while you were changing it. What you typed until then is kept.',
    );
    await said.waitFor();
    await closed(editor);
    await said.getByRole('button', { name: 'Restore' }).click();
    expect(await editor.window.getByLabel('Title', { exact: true }).inputValue()).toBe('Enter');
    await editor.save();
    await editor.saved();
    const { elements } = await web.app.client.rooms.read({ params: { id: room } });
    expect(elements.map(({ name }) => name)).toEqual(['Door', 'Frame', 'Note']);
    expect(elements[0]!.config).toMatchObject({ title: 'Enter' });
  });

  test('comes back with an element that one removes oneself, when that is undone', async () => {
    const { room, door } = await newRoom();
    const editor = await open(room);
    await editor.select('Door');
    await editor.fill('Title', 'Enter');
    await editor.act('Remove', 'Door');
    await editor.answer('Remove');
    await editor.press('Control+z');
    await editor.saved();
    const { elements } = await web.app.client.rooms.read({ params: { id: room } });
    expect(elements.find(({ name }) => name === 'Door')!.config).toMatchObject({ title: 'Enter' });
    expect(elements.map(({ id }) => id)).toContain(door);
  });
});

describe('Cancel', () => {
  test('puts back what is saved, also on the canvas, and offers what was typed', async () => {
    const { room, door } = await newRoom();
    await web.app.client.elements.update({ params: { id: door }, body: { config: { title: 'Old' } } });
    const editor = await open(room);
    await editor.select('Door');
    await editor.fill('Title', 'New words');
    await canvasOf(editor).getByText('New words').first().waitFor();
    await editor.cancel();
    await canvasOf(editor).getByText('Old').first().waitFor();
    expect(await canvasOf(editor).getByText('New words').count()).toBe(0);
    await notification(editor, 'Discarded the changes of “Door”.').getByRole('button', { name: 'Restore' }).click();
    expect(await editor.window.getByLabel('Title', { exact: true }).inputValue()).toBe('New words');
    await canvasOf(editor).getByText('New words').first().waitFor();
    await editor.saved();
    expect((await stored(room, door)).config).toMatchObject({ title: 'New words' });
  });
});

describe('what is said of a window that was left', () => {
  test('leaves the buttons of the next window free', async () => {
    const { room } = await newRoom();
    const editor = await open(room);
    await editor.select('Frame');
    await editor.fill('Source url', 'http://example.com');
    await editor.select('Door');
    const said = notification(editor, 'Not saved of “Frame”: Address.');
    const [box, save] = [
      await said.boundingBox(),
      await editor.window.getByRole('button', { name: 'Cancel' }).boundingBox(),
    ];
    expect(box!.x + box!.width).toBeLessThan(save!.x);
  });

  test('is at the bottom right, beside the window; plain notifications stay for 5 s, those with an action longer', async () => {
    const { room } = await newRoom();
    const editor = await open(room);
    const { page } = editor;
    await editor.select('Frame');
    await editor.fill('Source url', 'https://example.com');
    await editor.cancel();
    const offer = notification(editor, 'Discarded the changes of “Frame”.');
    await offer.waitFor();
    const { width, height } = page.viewportSize()!;
    const placeOf = async (of: typeof offer) => {
      const box = (await of.boundingBox())!;
      return { right: width - box.x - box.width, bottom: height - box.y - box.height };
    };
    const alone = await placeOf(offer);
    expect(alone.right).toBeLessThan(40);
    expect(alone.bottom).toBeLessThan(100);
    await editor.select('Door');
    await canvasOf(editor).focus();
    await page.keyboard.press('9');
    const plain = notification(editor, 'There is no bookmark 9 yet');
    await plain.waitFor();
    const shown = plain.evaluate(async (each) => {
      const from = performance.now();
      while (each.isConnected) await new Promise(requestAnimationFrame);
      return performance.now() - from;
    });
    const window = (await editor.window.boundingBox())!;
    const beside = (await plain.boundingBox())!;
    expect(beside.x + beside.width).toBeLessThanOrEqual(window.x);
    expect((await placeOf(plain)).bottom).toBeLessThan(200);
    // A pointer over a notification keeps it.
    await page.mouse.move(5, 5);
    // A timer is never early; what was looked at before it was measured is the difference.
    expect(await shown).toBeGreaterThan(4000);
    expect(await offer.isVisible(), 'an action outlasts what was said after it').toBe(true);
    await offer.getByRole('button', { name: 'Restore' }).click();
    await offer.waitFor({ state: 'detached' });
  });
});
