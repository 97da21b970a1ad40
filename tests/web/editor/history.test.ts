import { expect, test } from 'vitest';
import { accessibilityFaults } from '../../harness/admin-page.ts';
import { EditorDriver } from '../../harness/editor-driver.ts';
import { webSuite } from '../../harness/web-suite.ts';

const web = webSuite();

test('the history tells what everybody did, in sentences, and undoes what nobody has changed since', async () => {
  const { client } = web.app;
  const { id } = await client.rooms.create({ body: { title: 'Hall' } });
  const add = (name: string) =>
    client.rooms.addElement({ params: { id }, body: { element: 'image', name, width: 100 } });
  const portrait = await add('Portrait');
  const change = (body: object) => client.elements.update({ params: { id: portrait.id }, body });
  await change({ name: 'Landscape', position_x: 40 });
  await change({ position_x: 90 });
  const editor = await EditorDriver.open(web.app, web.browser, id);
  const { page } = editor;
  await page.getByRole('button', { name: 'History', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Changes by everybody…' }).click();
  const panel = page.getByRole('region', { name: 'History of the space' });
  const entry = (text: string) => panel.getByRole('listitem').filter({ hasText: text });
  await entry('“Landscape” moved from 40, 0, 0 to 90, 0, 0').waitFor();
  await entry('“Portrait” renamed to “Landscape”').getByText('“Landscape” moved from 0, 0, 0 to 40, 0, 0').waitFor();
  await entry('“Portrait” added').waitFor();
  await panel.getByRole('heading', { name: /, by a script$/ }).waitFor();
  expect(await panel.getByRole('listitem').count()).toBe(3);
  expect(await accessibilityFaults(page)).toEqual([]);

  // The name is as it was then, the place has been changed since.
  await entry('“Portrait” renamed')
    .getByRole('button', { name: /^Undo this/ })
    .click();
  await editor.saved();
  const now = async () =>
    (await client.rooms.read({ params: { id } })).elements.map(({ name, position_x }) => [name, position_x]);
  expect(await now()).toEqual([['Portrait', 90]]);
  await entry('“Landscape” renamed to “Portrait”').waitFor();
  await expect
    .poll(() =>
      entry('“Portrait” renamed to “Landscape”')
        .getByRole('button', { name: /^Undo this/ })
        .isDisabled(),
    )
    .toBe(true);
  // It is a step of one's own as any other.
  await page.keyboard.press('Control+z');
  await editor.saved();
  expect(await now()).toEqual([['Landscape', 90]]);

  // What others do meanwhile comes in by itself.
  await add('Poster');
  await entry('“Poster” added').waitFor();

  // The work of an agent is undone at once.
  for (const name of ['First', 'Second', 'Third']) {
    const commands = [{ type: 'element.add' as const, element: { id: -1, element: 'group', name } }];
    const mutation = name.length;
    await client.rooms.commit({
      params: { id },
      body: { client: `agent ${name}`, mutation, commands, origin: 'agent' },
    });
  }
  await panel.getByRole('heading', { name: /, by an agent$/ }).waitFor();
  await panel.getByRole('button', { name: /^Undo all 3: .+, by an agent$/ }).click();
  await editor.saved();
  expect((await now()).map(([name]) => name)).toEqual(['Landscape', 'Poster']);
  await panel.getByRole('button', { name: 'Close the history' }).click();
  await panel.waitFor({ state: 'detached' });
  await editor.close();
});
