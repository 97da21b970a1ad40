import { expect, test } from 'vitest';
import { accessibilityFaults } from '../../harness/admin-page.ts';
import { EditorDriver } from '../../harness/editor-driver.ts';
import { webSuite } from '../../harness/web-suite.ts';

const web = webSuite();

const stored = async (id: number) => (await web.app.client.rooms.read({ params: { id } })).elements;
/** Names in a space, with those inside groups. */
const outline = async (id: number) =>
  (await stored(id)).map(({ name, children }) => [name, ...children.map((child) => child.name)]);
const blockPart = (editor: EditorDriver) => editor.window.getByRole('group', { name: 'Block' });
const press = (editor: EditorDriver, name: string) =>
  blockPart(editor).getByRole('button', { name, exact: true }).click();

async function newRoom(...names: string[]): Promise<number> {
  const { id } = await web.app.client.rooms.create({ body: { title: 'Hall' } });
  for (const name of names) await web.app.client.rooms.addElement({ params: { id }, body: { element: 'text', name } });
  return id;
}

/** Saves the selection as a block by its key. */
async function saveAsBlock(editor: EditorDriver, name: string): Promise<void> {
  await editor.press('Control+Alt+b');
  const dialog = editor.page.getByRole('dialog', { name: 'Save as block' });
  await dialog.getByLabel('Name').fill(name);
  expect(await accessibilityFaults(editor.page)).toEqual([]);
  await dialog.getByRole('button', { name: 'Save', exact: true }).click();
  await dialog.waitFor({ state: 'hidden' });
  await editor.saved();
}

async function place(editor: EditorDriver, name: string): Promise<void> {
  await editor.page.getByRole('button', { name: 'Add an item' }).click();
  const dialog = editor.page.getByRole('dialog', { name: 'Add an item' });
  await dialog.getByRole('button', { name: new RegExp(`^${name}`) }).click();
  await dialog.waitFor({ state: 'hidden' });
}

test('a selection becomes a block, is placed in another space, and takes over a new version or gives one', async () => {
  const first = await newRoom('Top', 'Leg');
  const second = await newRoom();
  const editor = await EditorDriver.open(web.app, web.browser, first);
  await editor.select('Top');
  await editor.page.keyboard.down('Shift');
  await editor.select('Leg');
  await editor.page.keyboard.up('Shift');
  await saveAsBlock(editor, 'Desk');
  const [group] = await stored(first);
  expect(group!.config).toMatchObject({ block_version: 1, block_elements: group!.children.map(({ id }) => id) });
  await blockPart(editor).getByText('Up to date').waitFor();
  expect(await accessibilityFaults(editor.page)).toEqual([]);

  const other = await EditorDriver.open(web.app, web.browser, second);
  await place(other, 'Desk');
  await blockPart(other).getByText('Version 1').waitFor();
  await other.saved();
  expect(await outline(second)).toEqual([['Desk', 'Top', 'Leg']]);
  // One step places all of it.
  await other.press('Control+z');
  await other.saved();
  expect(await outline(second)).toEqual([]);
  await other.press('Control+Shift+z');
  await other.saved();

  // A change of its own, saved as the block's next version.
  const [mine] = await stored(second);
  await web.app.client.elements.update({ params: { id: mine!.children[1]!.id }, body: { name: 'Drawer' } });
  await other.select('Desk');
  await blockPart(other).getByText('Changed here').waitFor();
  await press(other, 'Save changes to block');
  await blockPart(other).getByText('Up to date').waitFor();
  await other.page.getByText('saved as version 2').waitFor();
  await other.saved();

  await editor.page.reload();
  await editor.ready();
  await editor.select('Group');
  await blockPart(editor).getByText('Version 2 available').waitFor();
  await press(editor, 'Update this place');
  await blockPart(editor).getByText('Up to date').waitFor();
  await editor.saved();
  const [updated] = await stored(first);
  expect(updated!.children.map(({ id, name }) => [id, name])).toEqual([
    [group!.children[0]!.id, 'Top'],
    [group!.children[1]!.id, 'Drawer'],
  ]);
  await press(editor, 'Detach');
  await editor.window.getByRole('button', { name: 'Save as block…' }).waitFor();
  await editor.saved();
  const [block] = (await web.app.client.blocks.list()).data;
  expect(block).toMatchObject({ name: 'Desk', version: 2, places: 1 });
  await editor.close();
  await other.close();
});

test('places are updated from the back-office under two open editors, which agree with the server', async () => {
  const room = await newRoom('Picture');
  const { client } = web.app;
  const element = {
    id: 1,
    element: 'group',
    children: [
      { id: 2, element: 'text', name: 'Bulb' },
      { id: 3, element: 'text', name: 'Shade' },
    ],
  };
  const block = await client.blocks.create({ body: { name: 'Lamp', element } });
  const one = await EditorDriver.open(web.app, web.browser, room);
  const two = await EditorDriver.open(web.app, web.browser, room);
  await place(one, 'Lamp');
  await one.saved();
  await expect.poll(() => two.names()).toEqual(['Picture', 'Lamp', 'Bulb', 'Shade']);
  const children = [
    { id: 2, element: 'text', name: 'Bulb, dimmed' },
    { id: 4, element: 'text', name: 'Switch' },
  ];
  await client.blocks.update({ params: { id: block.id }, body: { element: { ...element, children } } });

  // One editor has changes in the place that the server doesn't have yet.
  await one.visitor.context.setOffline(true);
  for (const [name, to] of [
    ['Shade', 'Paper shade'],
    ['Lamp', 'My lamp'],
  ] as const) {
    await one.tree.getByTitle(name, { exact: true }).dblclick();
    const field = one.tree.getByRole('textbox');
    await field.fill(to);
    await field.press('Enter');
  }
  const { updated } = await client.blocks.updateIn({ params: { id: room }, body: { block_id: block.id } });
  expect(updated).toBe(1);
  await one.visitor.context.setOffline(false);
  await one.saved();
  expect(await outline(room)).toEqual([['Picture'], ['My lamp', 'Bulb, dimmed', 'Switch']]);
  for (const editor of [one, two]) {
    await expect.poll(() => editor.names()).toEqual(['Picture', 'My lamp', 'Bulb, dimmed', 'Switch']);
    await editor.select('My lamp');
    await blockPart(editor).getByText('Up to date').waitFor();
    await editor.close();
  }
});

test('a removed block leaves its places, which can be detached', async () => {
  const { client } = web.app;
  const room = await newRoom('Sign');
  const editor = await EditorDriver.open(web.app, web.browser, room);
  await editor.select('Sign');
  await saveAsBlock(editor, 'Sign board');
  const block = (await client.blocks.list({ query: { search: 'Sign board' } })).data[0]!;
  await client.blocks.remove({ params: { id: block.id } });
  await editor.press('Escape');
  await editor.select('Group');
  await blockPart(editor).getByText('Removed block').waitFor();
  await press(editor, 'Detach');
  await editor.saved();
  expect((await stored(room))[0]!.config).toMatchObject({ block_id: null });
  await editor.close();
});
