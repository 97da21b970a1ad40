import { expect, test } from 'vitest';
import { accessibilityFaults, openAdmin } from '../../harness/admin-page.ts';
import { webSuite } from '../../harness/web-suite.ts';

const web = webSuite();

test('the back-office shows blocks and their places, and updates and undoes all of them', async () => {
  const { client } = web.app;
  const deskOf = (name: string) => ({ id: 1, element: 'group', children: [{ id: 2, element: 'text', name }] });
  const block = await client.blocks.create({ body: { name: 'Desk', element: deskOf('Leg') } });
  const rooms: number[] = [];
  for (const title of ['Hall', 'Annex']) {
    const { id } = await client.rooms.create({ body: { title } });
    rooms.push(id);
    const config = { block_id: block.id, block_version: 1, block_elements: [-2] };
    const element = {
      id: -1,
      element: 'group',
      name: `${title} desk`,
      config,
      children: [{ id: -2, element: 'text', name: 'Leg' }],
    };
    const commands = [{ type: 'element.add' as const, parent: null, element }];
    await client.rooms.commit({ params: { id }, body: { client: 'test', mutation: 1, commands } });
  }
  const [hall, annex] = rooms as [number, number];
  const leg = async (id: number) => (await client.rooms.read({ params: { id } })).elements[0]!.children[0]!;
  await client.elements.update({ params: { id: (await leg(annex)).id }, body: { name: 'My own' } });
  await client.blocks.update({ params: { id: block.id }, body: { element: deskOf('Drawer') } });
  const names = async () => [(await leg(hall)).name, (await leg(annex)).name];

  const { page, close } = await openAdmin(web.app, web.browser, '/admin/spaces/blocks');
  await page.getByRole('heading', { level: 1, name: 'Blocks' }).waitFor();
  await page.getByText('2 places', { exact: true }).waitFor();
  expect(await accessibilityFaults(page)).toEqual([]);
  await page.getByRole('link', { name: 'Desk', exact: true }).click();
  await page.getByRole('heading', { level: 1, name: 'Places of “Desk”' }).waitFor();
  await page.getByText('Changed here').waitFor();
  expect(await page.getByText('To update', { exact: true }).count()).toBe(2);
  expect(await accessibilityFaults(page)).toEqual([]);

  await page.getByRole('button', { name: 'Update places' }).click();
  const dialog = page.getByRole('dialog', { name: 'Update the places of “Desk”?' });
  await dialog.getByText('“Annex desk” in Annex').waitFor();
  await dialog.getByRole('button', { name: 'Overwrite changes' }).click();
  await page.getByText('“Desk” updated in 2 spaces.').waitFor();
  expect(await names()).toEqual(['Drawer', 'Drawer']);
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.getByText('Changed here').waitFor();
  expect(await names()).toEqual(['Leg', 'My own']);

  await page.getByRole('button', { name: 'Update places' }).click();
  await dialog.getByRole('button', { name: 'Skip changed places' }).click();
  await page.getByText('“Desk” updated in 1 space.').waitFor();
  expect(await names()).toEqual(['Drawer', 'My own']);
  await close();
});
