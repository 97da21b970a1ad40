import { expect, test } from 'vitest';
import { accessibilityFaults } from '../../harness/admin-page.ts';
import { EditorDriver } from '../../harness/editor-driver.ts';
import { webSuite } from '../../harness/web-suite.ts';

const web = webSuite();

const open = (id: number) => EditorDriver.open(web.app, web.browser, id);

test('those who edit the same space see each other, what is selected, and what is done, within a moment', async () => {
  const { id } = await web.app.client.rooms.create({ body: { title: 'Hall' } });
  for (const name of ['Picture', 'Portrait'])
    await web.app.client.rooms.addElement({ params: { id }, body: { element: 'image', name, width: 100 } });
  const [one, two] = [await open(id), await open(id)];
  const others = two.page.getByRole('list', { name: 'Others who edit this space' });
  await others.getByRole('listitem').waitFor();
  await one.select('Portrait');
  await others.getByRole('button', { name: /: Portrait$/ }).waitFor();
  await two.tree.getByRole('img', { name: /has this selected$/ }).waitFor();
  // Nobody looks at the log by itself within that time.
  await one.add('Group');
  await expect.poll(() => two.names(), { timeout: 5000 }).toEqual(['Picture', 'Portrait', 'Group']);
  expect(await accessibilityFaults(two.page)).toEqual([]);
  await one.close();
  await others.waitFor({ state: 'detached' });
  await two.close();
});
