import { describe, expect, test } from 'vitest';
import type { EditorDriver } from '../../harness/editor-driver.ts';
import { sharedEditor } from '../../harness/shared-window.ts';
import { webSuite } from '../../harness/web-suite.ts';

const web = webSuite();
const open = sharedEditor(web);

/** What the letters would do outside of a field: show the preview, change the mode, hide, select all, open dialogs. */
const WORDS = 'pwerhva? ';

async function newRoom() {
  const { id: room } = await web.app.client.rooms.create({ body: { title: 'Hall' } });
  const add = async (name: string) =>
    (await web.app.client.rooms.addElement({ params: { id: room }, body: { element: 'button', name, width: 100 } })).id;
  return { room, door: await add('Door'), gate: await add('Gate') };
}

const canvasState = ({ page }: EditorDriver) =>
  page.evaluate(() => {
    const { document, machine } = window.enfiladeCanvas!;
    const { mode, snap, space, axes } = machine.getSnapshot().context;
    return { mode, snap, space, axes, names: document.room.elements.map(({ name, hidden }) => [name, hidden]) };
  });

/** Types on without a pause, and expects that nothing of the editor takes the letters for its own. */
async function typesOn(editor: EditorDriver): Promise<void> {
  const { page } = editor;
  const before = await canvasState(editor);
  for (const letter of WORDS) await page.keyboard.press(letter === ' ' ? 'Space' : letter);
  await page.keyboard.press('Delete');
  expect(new URL(page.url()).pathname).toBe(`/admin/editor/${editor.roomId}`);
  expect(await page.getByRole('dialog').count()).toBe(0);
  expect(await canvasState(editor)).toEqual(before);
}

/** Keys act again after a pause, or a press of the pointer. */
async function actsAgain(editor: EditorDriver, begin: () => Promise<void>): Promise<void> {
  await begin();
  await editor.page.keyboard.press('e');
  await expect.poll(async () => (await canvasState(editor)).mode).toBe('scale');
}

test('the Enter that confirms a word of an input method neither closes the field nor saves', async () => {
  const { room } = await newRoom();
  const editor = await open(room);
  const { page } = editor;
  await editor.tree.getByTitle('Door', { exact: true }).dblclick();
  const name = page.getByRole('textbox', { name: 'Name of Door' });
  await name.waitFor();
  const input = await page.context().newCDPSession(page);
  await input.send('Input.imeSetComposition', { text: 'とびら', selectionStart: 3, selectionEnd: 3 });
  for (const key of ['Enter', 'Escape']) {
    const code = { key, code: key, windowsVirtualKeyCode: 229 };
    await input.send('Input.dispatchKeyEvent', { type: 'rawKeyDown', ...code });
    await input.send('Input.dispatchKeyEvent', { type: 'keyUp', ...code });
  }
  expect(await name.count()).toBe(1);
  await input.send('Input.insertText', { text: '扉' });
  await page.keyboard.press('Enter');
  await name.waitFor({ state: 'detached' });
  await editor.row('扉').waitFor();
  await editor.saved();
});

describe('a word is no shortcut', () => {
  test.each([
    ['the title of an element', 'Title'],
    ['a number of it', 'Width'],
  ])('where somebody else removes what one types into: %s', async (_, label) => {
    const { room, door } = await newRoom();
    const editor = await open(room);
    await editor.select('Door');
    if (label === 'Width') await editor.tab('Settings');
    const field = editor.window.getByLabel(label, { exact: true });
    await field.focus();
    await editor.page.keyboard.press('End');
    await editor.page.keyboard.type('1');
    // What the field holds is noted with each letter, for it disappears between two.
    await field.evaluate((input: HTMLInputElement) => {
      const note = () => (document.body.dataset.typed = input.value);
      note();
      input.addEventListener('input', note);
    });
    await web.app.client.elements.remove({ params: { id: door } });
    // Somebody who types does not stop for it.
    for (let times = 0; times < 100 && (await editor.window.count()) > 0; times++) {
      await editor.page.keyboard.type('2');
      await editor.page.waitForTimeout(100);
    }
    const typed = await editor.page.evaluate(() => document.body.dataset.typed);
    expect(await editor.window.count()).toBe(0);
    await typesOn(editor);
    await actsAgain(editor, () => editor.page.waitForTimeout(1100));
    // What was typed until then is offered, and comes back with the element.
    await editor.page.getByRole('alert').getByRole('button', { name: 'Restore' }).click();
    await editor.window.waitFor();
    if (label === 'Width') await editor.tab('Settings');
    expect(await editor.window.getByLabel(label, { exact: true }).inputValue()).toBe(typed);
  });

  test('where a name in the tree, or its coordinates, go with their element', async () => {
    const { room, door, gate } = await newRoom();
    const editor = await open(room);
    const { page } = editor;
    await editor.tree.getByTitle('Door', { exact: true }).dblclick();
    const name = page.getByRole('textbox', { name: 'Name of Door' });
    await name.waitFor();
    await page.keyboard.type('Ent');
    await web.app.client.elements.remove({ params: { id: door } });
    for (let times = 0; times < 100 && (await name.count()) > 0; times++) {
      await page.keyboard.type('r');
      await page.waitForTimeout(100);
    }
    await typesOn(editor);
    const box = (await page.getByRole('application', { name: 'Room' }).boundingBox())!;
    await actsAgain(editor, () => page.mouse.click(box.x + 30, box.y + 30));
    await page.getByRole('alert').getByRole('button', { name: 'Restore' }).click();
    await editor.tree.getByTitle(/^Entr*$/).waitFor();

    await editor.press('w');
    await editor.select('Gate');
    const position = page.getByRole('textbox', { name: 'Position X' });
    await position.focus();
    await page.keyboard.type('1');
    await web.app.client.elements.remove({ params: { id: gate } });
    for (let times = 0; times < 100 && (await position.count()) > 0; times++) {
      await page.keyboard.type('2');
      await page.waitForTimeout(100);
    }
    await typesOn(editor);
  });

  test('but a key that leaves the field lets the next one act at once', async () => {
    const { room } = await newRoom();
    const editor = await open(room);
    await editor.select('Door');
    await editor.window.getByLabel('Title', { exact: true }).focus();
    await editor.page.keyboard.type('Enter');
    await editor.page.keyboard.press('Escape');
    await editor.window.waitFor({ state: 'detached' });
    await editor.page.keyboard.press('r');
    await expect.poll(async () => (await canvasState(editor)).mode).toBe('rotate');
  });
});
