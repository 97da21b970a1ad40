import { expect, test } from 'vitest';
import { EditorDriver } from '../../harness/editor-driver.ts';
import { webSuite } from '../../harness/web-suite.ts';

const web = webSuite();

test('three windows on one room end with the same room, whoever adds, renames, moves and undoes', async () => {
  const { client } = web.app;
  const { id } = await client.rooms.create({ body: { title: 'Hall' } });
  for (const name of ['One', 'Two', 'Three'])
    await client.rooms.addElement({ params: { id }, body: { element: 'button', name } });
  const editors = await Promise.all([1, 2, 3].map(() => EditorDriver.open(web.app, web.browser, id)));
  const rename = async (editor: EditorDriver, name: string, to: string) => {
    await editor.tree.getByTitle(name, { exact: true }).dblclick();
    const field = editor.tree.getByRole('textbox');
    await field.fill(to);
    await field.press('Enter');
  };
  const place = async (editor: EditorDriver, name: string, x: number) => {
    await editor.select(name);
    const field = editor.page.getByLabel('Position X', { exact: true });
    await field.fill(String(x));
    await field.press('Enter');
  };
  const [first, second, third] = editors as [EditorDriver, EditorDriver, EditorDriver];
  // At the same time: different elements, the same element, and an addition.
  await Promise.all([rename(first, 'One', 'First'), place(second, 'Two', 200), third.add('Group')]);
  await Promise.all([place(first, 'Three', 50), rename(second, 'Three', 'Third'), place(third, 'Three', 70)]);
  await first.press('Control+z');
  await Promise.all(editors.map((editor) => editor.saved()));
  const room = await client.rooms.read({ params: { id } });
  const rooms = () =>
    Promise.all(
      editors.map(({ page }) =>
        page.evaluate(() =>
          window.enfiladeCanvas!.stage!.scene.room.elements.map(({ id: elementId, name, position_x }) => [
            elementId,
            name,
            position_x,
          ]),
        ),
      ),
    );
  const there = room.elements.map(({ id: elementId, name, position_x }) => [elementId, name, position_x]);
  await expect.poll(rooms, { timeout: 20_000 }).toEqual([there, there, there]);
  expect(there.map(([, name]) => name)).toEqual(['First', 'Two', 'Third', '']);
  expect(room.elements[1]!.position_x).toBe(200);
  for (const editor of editors) {
    expect(editor.faults).toEqual([]);
    await editor.close();
  }
});

test('a number that is being typed survives an edit by somebody else', async () => {
  const { client } = web.app;
  const { id } = await client.rooms.create({ body: { title: 'Typing' } });
  for (const name of ['Mine', 'Theirs'])
    await client.rooms.addElement({ params: { id }, body: { element: 'button', name } });
  const editor = await EditorDriver.open(web.app, web.browser, id);
  await editor.select('Mine');
  const field = editor.page.getByLabel('Position X', { exact: true });
  await field.fill('200');
  const [, theirs] = (await client.rooms.read({ params: { id } })).elements;
  const moved = { type: 'element.update', id: theirs!.id, fields: { position_x: 70 } } as const;
  await client.rooms.commit({ params: { id }, body: { client: 'somebody-else', mutation: 1, commands: [moved] } });
  const xOfTheirs = () =>
    editor.page.evaluate(
      () => window.enfiladeCanvas!.stage!.scene.room.elements.find(({ name }) => name === 'Theirs')!.position_x,
    );
  await expect.poll(xOfTheirs).toBe(70);
  await editor.page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
  await field.press('Enter');
  await editor.saved();
  const saved = await client.rooms.read({ params: { id } });
  expect(saved.elements.map(({ position_x }) => position_x)).toEqual([200, 70]);
  await editor.close();
});
