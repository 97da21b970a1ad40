import { expect, test } from 'vitest';
import { EditorDriver } from '../../harness/editor-driver.ts';
import { publishTour } from '../../harness/tour-room.ts';
import { webSuite } from '../../harness/web-suite.ts';

const web = webSuite();

test('the tour view links, orders, renames and deletes places', async () => {
  const { client } = web.app;
  const { roomId, places } = await publishTour(web.app, 3, false);
  const editor = await EditorDriver.open(web.app, web.browser, roomId);
  const { page } = editor;
  const tour = page.getByRole('region', { name: 'Tour' });
  const item = (name: string) => tour.getByRole('listitem').filter({ hasText: name });
  await item('Place 1').getByRole('button', { name: 'Go to Place 1' }).click();
  await expect.poll(() => page.evaluate(() => window.enfiladeCanvas!.stage!.scene.place)).toBe(places[0]);
  expect(await item('Place 1').textContent()).toContain('Dead end');
  // A thumbnail dropped on the panorama becomes a hotspot there.
  const canvas = page.getByRole('application', { name: 'Room' });
  await item('Place 2')
    .getByRole('button', { name: 'Go to Place 2' })
    .dragTo(canvas, { targetPosition: { x: 500, y: 200 } });
  await page.getByRole('button', { name: 'Add link back' }).click();
  await editor.saved();
  const doors = (await client.rooms.read({ params: { id: roomId } })).elements.filter(
    ({ element }) => element === 'button',
  );
  const leadsTo = { type: 'view_point', type_config: expect.objectContaining({ arrival: 'keep' }) };
  expect(doors).toMatchObject([
    { visible_at: [places[0]], config: { title: 'Place 2', appearance: 'hotspot', navigation: leadsTo } },
    { visible_at: [places[1]], config: { title: 'Place 1', appearance: 'hotspot', navigation: leadsTo } },
  ]);
  // Back is in the direction of the first place, at +z.
  expect(doors[1]!.position_z).toBeGreaterThan(-1560);
  await tour.getByRole('button', { name: 'Add links' }).click();
  await page.getByRole('menuitem', { name: 'Each place with the next' }).click();
  await page.getByText('2 links added.').waitFor();
  const act = async (name: string, action: string) => {
    await item(name)
      .getByRole('button', { name: `Actions: ${name}` })
      .click();
    await page.getByRole('menuitem', { name: action, exact: true }).click();
  };
  await act('Place 3', 'Set as start');
  await act('Place 3', 'Rename');
  await tour.getByRole('textbox', { name: 'Name' }).fill('Garden');
  await page.keyboard.press('Enter');
  await act('Garden', 'Move left');
  await expect
    .poll(() => tour.getByRole('listitem').locator('[dir=auto]').allTextContents())
    .toEqual(['Place 1', 'Garden', 'Place 2']);
  // Elements of several places stay, without links to the deleted one.
  const shared = await client.rooms.addElement({
    params: { id: roomId },
    body: {
      element: 'text',
      name: 'Sign',
      visible_at: [places[0]!, places[1]!],
      config: { text: 'Sign', navigation: { type: 'view_point', type_config: { view_point_id: places[0] } } },
    },
  });
  await editor.row('Sign').waitFor();
  await act('Place 1', 'Delete…');
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await editor.saved();
  const left = await client.rooms.read({ params: { id: roomId } });
  expect(left.config.start_view_point_id).toBe(places[2]);
  expect(left.elements.map(({ element }) => element).sort()).toEqual([
    'button',
    'button',
    'text',
    'view_point',
    'view_point',
  ]);
  expect(left.elements.find(({ id }) => id === shared.id)).toMatchObject({
    visible_at: [places[1]],
    config: { navigation: { type: 'disabled' } },
  });
  await editor.press('Control+z');
  await editor.saved();
  expect((await client.rooms.read({ params: { id: roomId } })).elements).toHaveLength(8);
  await tour.getByRole('button', { name: /^Tour/ }).click();
  await expect.poll(() => tour.getByRole('listitem').count()).toBe(0);
  await tour.getByRole('button', { name: /^Tour/ }).click();
  await expect.poll(() => tour.getByRole('listitem').count()).toBe(3);
  expect(editor.faults).toEqual([]);
  await editor.close();
});
