import { expect, test } from 'vitest';
import { accessibilityFaults, openAdmin } from '../../harness/admin-page.ts';
import { webSuite } from '../../harness/web-suite.ts';

const web = webSuite();

test('one person proposes changes in the editor; two merge a conflict, and the log stays one', async () => {
  const { client } = web.app;
  const room = (await client.rooms.create({ body: { title: 'Hall' } })).id;
  const add = async (name: string) =>
    (await client.rooms.addElement({ params: { id: room }, body: { element: 'text', name } })).id;
  const [title, label] = [await add('Title'), await add('Label')];

  const author = await openAdmin(web.app, web.browser, `/admin/spaces/${room}`);
  const { page } = author;
  await page.getByRole('button', { name: 'Propose changes' }).click();
  const dialog = page.getByRole('dialog', { name: 'Propose changes' });
  await dialog.getByLabel('Name').fill('Autumn');
  await dialog.getByLabel('Note').fill('Warmer words.');
  expect(await accessibilityFaults(page)).toEqual([]);
  await dialog.getByRole('button', { name: 'Open editor' }).click();
  await page.getByRole('heading', { level: 1, name: 'Proposal' }).waitFor();
  await page.getByRole('treeitem', { name: /Label/ }).first().waitFor();

  const [proposal] = (await client.proposals.list({ query: { room_id: room } })).data;
  const { element_ids } = await client.proposals.read({ params: { id: proposal!.id } });
  const proposed = { name: 'Leaf', position_x: 40 };
  await client.elements.update({ params: { id: element_ids[label]! }, body: proposed });
  await client.elements.update({ params: { id: element_ids[title]! }, body: { name: 'Autumn' } });
  await page.getByRole('treeitem', { name: /Leaf/ }).first().waitFor();
  // In the meantime, the space changes at the same place.
  await client.elements.update({ params: { id: label }, body: { name: 'Sign' } });
  const before = await client.rooms.log({ params: { id: room } });

  await page.getByRole('button', { name: 'Review proposal' }).click();
  await page.getByRole('heading', { level: 1, name: 'Autumn' }).waitFor();
  await page.getByText('Warmer words.').waitFor();
  await page.getByText('Conflict', { exact: true }).waitFor();
  expect(await accessibilityFaults(page)).toEqual([]);

  const reviewer = await openAdmin(web.app, web.browser, `/admin/spaces/proposals/${proposal!.id}`);
  await reviewer.page.getByRole('checkbox', { name: '“Sign” renamed to “Leaf”' }).uncheck();
  await reviewer.page.getByText('1 change left out').waitFor();
  await reviewer.page.getByRole('button', { name: 'Merge 2 changes' }).click();
  await reviewer.page.getByText('Merged', { exact: true }).waitFor();
  // The author decides otherwise, but too late.
  await page.getByRole('button', { name: 'Merge 3 changes' }).click();
  await page.getByText('This proposal has been merged.').waitFor();
  await page.getByText('Merged', { exact: true }).waitFor();

  const { elements } = await client.rooms.read({ params: { id: room } });
  expect(elements.map(({ id, name, position_x }) => [id, name, position_x])).toEqual([
    [title, 'Autumn', 0],
    [label, 'Sign', 40],
  ]);
  const { entries } = await client.rooms.log({ params: { id: room }, query: { after: before.seq } });
  expect(entries).toMatchObject([{ seq: before.seq + 1, origin: 'proposal' }]);
  await page.getByRole('link', { name: 'Back' }).click();
  await page.getByRole('link', { name: 'Autumn' }).waitFor();
  await reviewer.close();
  await author.close();
});
