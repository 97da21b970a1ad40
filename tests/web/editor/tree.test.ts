import { describe, expect, test } from 'vitest';
import { accessibilityFaults } from '../../harness/admin-page.ts';
import { EditorDriver } from '../../harness/editor-driver.ts';
import { sharedEditor } from '../../harness/shared-window.ts';
import { webSuite } from '../../harness/web-suite.ts';

const web = webSuite();
const open = sharedEditor(web);

type Input = Parameters<typeof web.app.client.rooms.addElement>[0]['body'];

async function openRoom(elements: readonly Input[] = []) {
  const { id } = await web.app.client.rooms.create({ body: { title: 'Hall' } });
  const ids: number[] = [];
  for (const body of elements) ids.push((await web.app.client.rooms.addElement({ params: { id }, body })).id);
  return { editor: await open(id), id, ids };
}
const stored = async (id: number) => (await web.app.client.rooms.read({ params: { id } })).elements;

describe('the tree', () => {
  test('an empty space says what to do, and what is added is selected and saved', async () => {
    const { editor, id } = await openRoom();
    await editor.page.getByText('This space is empty.').waitFor();
    await editor.add('Group');
    await editor.add('Light', 'Group');
    await editor.window.getByRole('heading', { name: 'Light' }).waitFor();
    await editor.saved();
    expect(await editor.names()).toEqual(['Group', 'Light']);
    expect((await stored(id))[0]!.children[0]).toMatchObject({ element: 'light' });
    expect(editor.faults).toEqual([]);
  });

  test('a double click renames: Enter saves, Esc cancels', async () => {
    const { editor, id } = await openRoom([{ element: 'image', name: 'Picture' }]);
    const name = editor.tree.getByRole('button', { name: 'Picture', exact: true });
    const field = editor.tree.getByRole('textbox', { name: 'Name of Picture' });
    await name.dblclick();
    await field.fill('Forget it');
    await field.press('Escape');
    await name.dblclick();
    await field.fill('Portrait');
    await field.press('Enter');
    await editor.saved();
    expect(await editor.names()).toEqual(['Portrait']);
    expect((await stored(id))[0]!.name).toBe('Portrait');
    await editor.tree.getByRole('button', { name: 'Portrait', exact: true }).dblclick();
    await editor.tree.getByRole('textbox').fill('Landscape');
    await editor.tree.getByRole('textbox').blur();
    await editor.saved();
    expect((await stored(id))[0]!.name).toBe('Landscape');
  });

  test('hiding, showing, copying and removing ask first', async () => {
    const { editor, id } = await openRoom([{ element: 'image', name: 'Picture' }]);
    await editor.act('Hide', 'Picture');
    await editor.answer('Cancel');
    await editor.act('Hide', 'Picture');
    await editor.answer('Hide');
    await editor.saved();
    expect((await stored(id))[0]!.hidden).toBe(true);
    // What is hidden cannot be selected or removed.
    await editor.select('Picture');
    expect(await editor.window.count()).toBe(0);
    await editor.row('Picture').hover();
    await editor.row('Picture').getByRole('button', { name: 'Show Picture' }).waitFor();
    expect(await editor.row('Picture').getByRole('button', { name: 'Remove Picture' }).count()).toBe(0);
    await editor.act('Show', 'Picture');
    await editor.answer('Show');
    await editor.window.waitFor();
    await editor.act('Copy', 'Picture');
    await editor.answer('Copy');
    await editor.saved();
    expect((await stored(id)).map(({ name }) => name)).toEqual(['Picture', 'Picture 2']);
    await editor.press('Delete');
    await editor.answer('Remove');
    await editor.saved();
    expect(await stored(id)).toHaveLength(1);
    // Who does not want to be asked before what is easily undone is asked before removing all the same, until they want to.
    const { page } = editor;
    await editor.act('Copy', 'Picture');
    await page.getByRole('checkbox', { name: /^Don't ask again/ }).check();
    await editor.answer('Copy');
    await editor.act('Hide', 'Picture 2');
    await editor.row('Picture 2').getByRole('img', { name: 'Hidden' }).waitFor();
    await editor.select('Picture');
    await editor.press('Delete');
    await editor.answer('Cancel');
    await editor.press('?');
    await editor.turnOn('Ask before copying, hiding and showing', page.getByRole('dialog', { name: 'Keys' }));
    await page.keyboard.press('Escape');
    await editor.act('Show', 'Picture 2');
    await editor.answer('Show');
    expect(editor.faults).toEqual([]);
  });

  test('on a phone its names are read, and the actions of a row stand in one menu', async () => {
    const { id } = await web.app.client.rooms.create({ body: { title: 'Hall' } });
    const add = async (body: Input) => (await web.app.client.rooms.addElement({ params: { id }, body })).id;
    const wall = await add({ element: 'group', name: 'The wall at the left' });
    await add({ element: 'image', name: 'Three doors, at night', parent_element_id: wall });
    const viewport = { width: 390, height: 844 };
    const editor = await EditorDriver.open(web.app, web.browser, id, { viewport });
    const { page } = editor;
    await page.getByRole('button', { name: 'Show panels' }).click();
    for (const name of ['The wall at the left', 'Three doors, at night']) {
      const words = editor.tree.getByText(name, { exact: true });
      await words.waitFor();
      expect(await words.evaluate((each) => each.scrollWidth > each.clientWidth), name).toBe(false);
    }
    const choose = async (name: string, action: string) => {
      await page.getByRole('button', { name: `Actions: ${name}` }).click();
      await page.getByRole('menuitem', { name: action, exact: true }).click();
    };
    await choose('Three doors, at night', 'Rename');
    const field = editor.tree.getByRole('textbox');
    await expect.poll(() => field.evaluate((each) => each === document.activeElement)).toBe(true);
    await page.keyboard.type('Doors');
    await page.keyboard.press('Enter');
    await choose('Doors', 'Hide');
    await editor.answer('Hide');
    await choose('Doors', 'Show');
    await editor.answer('Show');
    // What is shown again is selected, and edited over the tree.
    await editor.window.getByRole('button', { name: 'Close the edit window' }).click();
    await choose('The wall at the left', 'Add an item');
    expect(await accessibilityFaults(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await editor.saved();
    expect((await stored(id))[0]!.children).toMatchObject([{ name: 'Doors', hidden: false }]);
    expect(editor.faults).toEqual([]);
    await editor.close();
  });

  test("what is in a hidden group can't be removed", async () => {
    const { editor, id, ids } = await openRoom([{ element: 'group', name: 'Wall' }]);
    const body = { element: 'image' as const, name: 'Picture', parent_element_id: ids[0]! };
    await web.app.client.rooms.addElement({ params: { id }, body });
    await editor.reload();
    const remove = editor.row('Picture').locator('[aria-label="Remove Picture"]');
    expect(await remove.count()).toBe(1);
    await editor.act('Hide', 'Wall');
    await editor.answer('Hide');
    await editor.saved();
    await expect.poll(() => remove.count()).toBe(0);
    await editor.press('Delete');
    expect(await editor.page.getByRole('dialog').count()).toBe(0);
    expect((await stored(id))[0]!.children).toHaveLength(1);
  });

  test('what is copied by the keys is pasted, also into another room, and selected text is left alone', async () => {
    const { editor, id } = await openRoom([{ element: 'button', name: 'Door', config: { title: 'Open' } }]);
    await editor.select('Door');
    await editor.press('Control+c');
    await editor.press('Control+v');
    await editor.saved();
    const [original, pasted] = await stored(id);
    expect(pasted).toMatchObject({ name: 'Door 2', position_z: original!.position_z });
    expect(pasted!.position_x).toBeGreaterThan(original!.position_x);
    const other = await web.app.client.rooms.create({ body: { title: 'Other' } });
    await editor.page.goto(`${web.app.origin}/admin/editor/${other.id}`);
    await editor.page.getByText('This space is empty.').waitFor();
    await editor.press('Control+v');
    await editor.saved();
    expect(await stored(other.id)).toMatchObject([{ name: 'Door', config: { title: 'Open' } }]);
    await editor.page.evaluate(() => getSelection()!.selectAllChildren(document.querySelector('h1')!));
    await editor.page.keyboard.press('Control+v');
    expect(await editor.names()).toEqual(['Door']);
  });

  test('the keyboard reorders, and puts only into groups', async () => {
    const { editor, id } = await openRoom([
      { element: 'group', name: 'Wall' },
      { element: 'image', name: 'Picture' },
      { element: 'image', name: 'Portrait' },
    ]);
    const step = async (name: string, key: string) => {
      // The controls of a row follow it in the tab order.
      await editor.row(name).focus();
      await editor
        .row(name)
        .getByRole('button', { name: /^Reorder: / })
        .press(key);
    };
    await step('Portrait', 'ArrowRight');
    await editor.page.getByText("Portrait can't be moved there.").waitFor();
    await step('Portrait', 'ArrowUp');
    await step('Portrait', 'ArrowRight');
    await editor.saved();
    const tree = await stored(id);
    expect(tree.map(({ name, children }) => [name, children.map((child) => child.name)])).toEqual([
      ['Wall', ['Portrait']],
      ['Picture', []],
    ]);
  });

  test('a row is dragged into a group by its grip, and stays where it is in the room', async () => {
    const { editor, id } = await openRoom([
      { element: 'group', name: 'Wall', position_x: 500, rotation_y: Math.PI / 2 },
      { element: 'image', name: 'Picture', position_x: 20, position_z: 30 },
    ]);
    // What was saved before may be said for a moment longer: the server is asked until it has what was done.
    const becomes = async (wanted: object[]) => {
      await expect.poll(() => stored(id)).toMatchObject(wanted);
      await editor.saved();
    };
    await editor.row('Picture').hover();
    const grip = editor.row('Picture').getByRole('button', { name: /^Reorder/ });
    await grip.dragTo(editor.row('Wall').getByRole('button', { name: 'Wall', exact: true }));
    const turnedBack = expect.closeTo(-Math.PI / 2, 4);
    const inside = { name: 'Picture', position_x: -30, position_z: -480, rotation_y: turnedBack };
    await becomes([{ name: 'Wall', children: [inside] }]);
    await editor.press('Control+z');
    const outside = { name: 'Picture', position_x: 20, position_z: 30, rotation_y: 0 };
    await becomes([{ name: 'Wall', children: [] }, outside]);
    // A mouse drags by any part of the row.
    const nameOf = (name: string) => editor.row(name).getByRole('button', { name, exact: true });
    await nameOf('Picture').dragTo(nameOf('Wall'));
    await becomes([{ name: 'Wall', children: [inside] }]);
    await editor.press('Control+z');
    await becomes([{ name: 'Wall', children: [] }, outside]);
    // Whoever pressed a row moves what is selected by the arrows.
    await editor.select('Picture');
    await editor.page.keyboard.press('ArrowRight');
    await becomes([{ name: 'Wall' }, { ...outside, position_x: 30 }]);
  });

  test('after a press in it, arrows move what is selected and Space hides the handles; the space is changed with it', async () => {
    const { editor, id, ids } = await openRoom([
      { element: 'light', name: 'Lamp' },
      { element: 'light', name: 'Other' },
    ]);
    const { page } = editor;
    await page.locator('[aria-label="Room"][data-state="ready"]').waitFor();
    const before = await web.app.client.rooms.read({ params: { id } });
    await editor.tree.getByTitle('Lamp', { exact: true }).click();
    await page.keyboard.press('ArrowUp');
    await editor.saved();
    await expect.poll(async () => (await stored(id))[0]!.position_y).toBe(10);
    const after = await web.app.client.rooms.read({ params: { id } });
    expect(after.updated_at > before.updated_at).toBe(true);
    const handles = () =>
      page.evaluate(() => window.enfiladeCanvas!.stage!.three.getObjectByName('handles')?.visible ?? false);
    await expect.poll(handles).toBe(true);
    await page.keyboard.press('Space');
    await expect.poll(handles).toBe(false);
    expect(await page.evaluate(() => window.enfiladeCanvas!.machine.getSnapshot().context.mode)).toBe('translate');
    // The bar says so, and shows them again.
    const toggle = page.getByRole('toolbar', { name: 'Coordinates' }).getByRole('button', { name: 'Handles' });
    expect(await toggle.getAttribute('aria-pressed')).toBe('false');
    await toggle.click();
    await expect.poll(handles).toBe(true);
    const across = page.getByRole('toolbar', { name: 'Coordinates' }).getByRole('button', { name: 'X axis' });
    await across.click();
    expect(await across.getAttribute('aria-pressed')).toBe('false');
    await across.click();
    expect(ids).toHaveLength(2);
  });

  test('the search finds elements in their groups', async () => {
    const { editor } = await openRoom([
      { element: 'group', name: 'Wall' },
      { element: 'image', name: 'Picture' },
    ]);
    await editor.add('Light', 'Wall');
    await editor.page.getByRole('searchbox', { name: 'Search elements' }).fill('light');
    await expect.poll(() => editor.names()).toEqual(['Wall', 'Light']);
    await editor.page.getByRole('searchbox', { name: 'Search elements' }).fill('');
    await editor.page.getByRole('button', { name: 'Close Wall' }).click();
    await expect.poll(() => editor.names()).toEqual(['Wall', 'Picture']);
    await editor.page.getByRole('searchbox', { name: 'Search elements' }).fill('light');
    await expect.poll(() => editor.names()).toEqual(['Wall', 'Light']);
    await editor.page.getByRole('searchbox', { name: 'Search elements' }).fill('nothing of the kind');
    await editor.page.getByText('No elements match.').waitFor();
  });
});

describe('undo and redo', () => {
  test('by the keys and by the list, and both are saved', async () => {
    const { editor, id } = await openRoom([{ element: 'image', name: 'Picture' }]);
    await editor.select('Picture');
    await editor.press('Delete');
    await editor.answer('Remove');
    await editor.press('Control+z');
    expect(await editor.names()).toEqual(['Picture']);
    await editor.press('Control+Shift+z');
    await editor.saved();
    expect(await stored(id)).toEqual([]);
    await editor.press('Control+z');
    await editor.saved();
    expect((await stored(id)).map(({ name }) => name)).toEqual(['Picture']);
    await editor.page.getByRole('button', { name: 'History' }).click();
    await editor.page.getByRole('menuitem', { name: 'Remove “Picture”' }).click();
    await editor.saved();
    expect(await stored(id)).toEqual([]);
    expect(editor.faults).toEqual([]);
  });
});
