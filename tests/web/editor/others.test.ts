import { expect, test } from 'vitest';
import { allPolicies } from '../../../src/server/features/organizations/service.ts';
import { accessibilityFaults } from '../../harness/admin-page.ts';
import { EditorDriver } from '../../harness/editor-driver.ts';
import { webSuite } from '../../harness/web-suite.ts';

const web = webSuite();

const open = (id: number) => EditorDriver.open(web.app, web.browser, id);

test('those who edit the same space see each other, what is selected, and what is done, within a moment', async () => {
  const { id } = await web.app.client.rooms.create({ body: { title: 'Hall' } });
  for (const name of ['Picture', 'Portrait'])
    await web.app.client.rooms.addElement({ params: { id }, body: { element: 'image', name, width: 100 } });
  const note = {
    element: 'html',
    name: 'Note',
    width: 100,
    height: 60,
    position_z: -400,
    config: { body: 'Note' },
  } as const;
  await web.app.client.rooms.addElement({ params: { id }, body: note });
  const [one, two] = [await open(id), await open(id)];
  const others = two.page.getByRole('list', { name: 'Others who edit this space' });
  await others.getByRole('listitem').waitFor();
  await one.select('Portrait');
  await others.getByRole('button', { name: /: Portrait$/ }).waitFor();
  await two.tree.getByRole('img', { name: /has this selected$/ }).waitFor();
  // Nobody looks at the log by itself within that time.
  await one.add('Group');
  await expect.poll(() => two.names(), { timeout: 5000 }).toEqual(['Picture', 'Portrait', 'Note', 'Group']);
  expect(await accessibilityFaults(two.page)).toEqual([]);

  // On the canvas: the outline in their color, the pointer, and what is moved while it is moved.
  const seen = (name: string) =>
    two.page.evaluate((prefix) => {
      const found = window.enfiladeCanvas!.stage!.three.children.find((each) => each.name.startsWith(prefix));
      return found?.visible ?? null;
    }, name);
  await expect.poll(() => seen('other ')).toBe(true);
  const box = (await one.page.getByRole('application', { name: 'Room' }).boundingBox())!;
  await one.page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
  await expect.poll(() => seen('pointer of ')).toBe(true);
  const shownX = () =>
    two.page.evaluate((name) => {
      const { scene } = window.enfiladeCanvas!.stage!;
      const element = scene.room.elements.find((each) => each.name === name)!;
      const matrix: number[] = [];
      scene.worldMatrix(scene.entityOf(element.id)!, matrix);
      return { shown: Math.round(matrix[12]!), document: element.position_x };
    }, 'Portrait');
  await one.select('Portrait');
  await others.getByRole('button', { name: /: Portrait$/ }).waitFor();
  await one.page.evaluate(() => window.enfiladeCanvas!.tools!.type('x', 70));
  await expect.poll(shownX).toEqual({ shown: 70, document: 0 });
  await one.page.evaluate(() => window.enfiladeCanvas!.tools!.endTyping());
  await expect.poll(shownX).toEqual({ shown: 70, document: 70 });

  // A property that is dragged by its handle is seen while it is dragged, too.
  const widthOf = (editor: EditorDriver) =>
    editor.page.evaluate(
      (name) => window.enfiladeCanvas!.stage!.scene.room.elements.find((each) => each.name === name)!.width,
      'Note',
    );
  await one.select('Note');
  const corner = await one.page.evaluate(async () => {
    const { stage } = window.enfiladeCanvas!;
    const points = stage!.three.getObjectByName('property-handles square')!;
    while (!points.visible) await new Promise(requestAnimationFrame);
    const { at } = (points.userData.handles as { name: string; at: number[] }[]).find(
      ({ name }) => name === 'size -1 0',
    )!;
    const place = stage!.camera.position.clone().fromArray(at).project(stage!.camera);
    const { left, top, width, height } = stage!.canvas.getBoundingClientRect();
    return { x: left + ((place.x + 1) / 2) * width, y: top + ((1 - place.y) / 2) * height };
  });
  await one.page.mouse.move(corner.x, corner.y);
  await one.page.mouse.down();
  await one.page.mouse.move(corner.x - 60, corner.y, { steps: 5 });
  await expect.poll(() => widthOf(two)).toBeGreaterThan(110);
  await one.page.keyboard.press('Escape');
  await one.page.mouse.up();
  await expect.poll(() => widthOf(two)).toBe(100);
  await one.select('Portrait');

  // What they see.
  await others.getByRole('button', { name: /: Portrait$/ }).click();
  await two.page.getByRole('menuitem', { name: 'Follow: see what they see' }).click();
  await two.page.getByText(/^You see what .* sees\.$/).waitFor();
  await one.page.evaluate(() =>
    window.enfiladeCanvas!.tools!.camera.follow({ x: 50, y: 20, z: 90 }, { x: 0, y: 20, z: 90 }),
  );
  const standing = () =>
    two.page.evaluate(() => {
      const { position } = window.enfiladeCanvas!.stage!.camera;
      return [position.x, position.y, position.z].map((each) => Math.round(each / 10) * 10);
    });
  await expect.poll(standing).toEqual([50, 20, 90]);
  expect(await accessibilityFaults(two.page)).toEqual([]);
  await two.page.getByRole('application', { name: 'Room' }).click({ position: { x: 5, y: 5 } });
  await two.page.getByText(/^You see what .* sees\.$/).waitFor({ state: 'detached' });
  await one.close();
  await others.waitFor({ state: 'detached' });
  await two.close();
});

test('what somebody moves is seen meanwhile, however many elements it is', async () => {
  const { id } = await web.app.client.rooms.create({ body: { title: 'Hall' } });
  const commands = Array.from({ length: 120 }, (_, index) => ({
    type: 'element.add' as const,
    element: { id: -1 - index, element: 'image', name: `Image ${index}`, width: 10, height: 10, position_x: index },
  }));
  await web.app.client.rooms.commit({ params: { id }, body: { client: 'test', mutation: 1, commands } });
  const [one, two] = [await open(id), await open(id)];
  await two.page.getByRole('list', { name: 'Others who edit this space' }).getByRole('listitem').waitFor();
  await one.page.getByRole('list', { name: 'Others who edit this space' }).getByRole('listitem').waitFor();
  const heights = () =>
    two.page.evaluate(() => {
      const { scene } = window.enfiladeCanvas!.stage!;
      const matrix: number[] = [];
      return scene.room.elements.map(({ id: each, position_y }) => {
        scene.worldMatrix(scene.entityOf(each)!, matrix);
        return { shown: Math.round(matrix[13]!), document: position_y };
      });
    });
  const canvas = one.page.getByRole('application', { name: 'Room' });
  await canvas.and(one.page.locator('[data-state="ready"]')).waitFor();
  await canvas.focus();
  await one.page.keyboard.press('Control+a');
  await one.page.keyboard.down('ArrowUp');
  await expect
    .poll(async () => (await heights()).every(({ shown, document }) => shown >= 20 && document === 0))
    .toBe(true);
  await one.page.keyboard.up('ArrowUp');
  await one.saved();
  const moved = (await web.app.client.rooms.read({ params: { id } })).elements[0]!.position_y;
  expect(moved).toBeGreaterThanOrEqual(20);
  await expect.poll(heights).toEqual(Array.from({ length: 120 }, () => ({ shown: moved, document: moved })));
  expect(two.faults).toEqual([]);
  await one.close();
  await two.close();
});

test('who loses the right to edit can only look from then on, and goes on where it comes back; nothing is lost', async () => {
  const { client } = web.app;
  const { id } = await client.rooms.create({ body: { title: 'Hall' } });
  await client.rooms.addElement({ params: { id }, body: { element: 'image', name: 'Picture', width: 100 } });
  const editor = await EditorDriver.open(web.app, web.browser, id);
  await editor.add('Group');
  await editor.saved();
  const user = (await client.users.list()).data.toSorted((one, other) => other.id - one.id)[0]!;
  const allow = (update: boolean) => {
    const all = allPolicies();
    const policies = { ...all, rooms: { ...all.rooms, update } };
    return client.users.update({ params: { id: user.id }, body: { policies } });
  };
  await allow(false);
  await editor.saveState.getByText('Read only').waitFor();
  await editor.select('Picture');
  await allow(true);
  await editor.saveState.getByText('Saved').waitFor();
  await editor.add('Group');
  await editor.saved();
  expect((await client.rooms.read({ params: { id } })).elements).toHaveLength(3);
  await editor.close();
});
