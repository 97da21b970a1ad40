import { expect, test } from 'vitest';
import { EditorDriver } from '../../harness/editor-driver.ts';
import { publishTour } from '../../harness/tour-room.ts';
import { webSuite } from '../../harness/web-suite.ts';

const web = webSuite();

const NADIR = 'fixtures/media/panorama-poster.jpg';

test('the tools of a tour align, level, copy, check, and put places on a plan', async () => {
  const { client } = web.app;
  const { roomId, places } = await publishTour(web.app, 3, false);
  await web.app.upload(NADIR);
  const editor = await EditorDriver.open(web.app, web.browser, roomId);
  const { page } = editor;
  const tour = page.getByRole('region', { name: 'Tour' });
  const room = () => client.rooms.read({ params: { id: roomId } });
  const elementOf = async (id: number) => (await room()).elements.find((element) => element.id === id)!;
  const stand = async (nth: number) => {
    await tour.getByRole('button', { name: `Go to Place ${nth}` }).click();
    await expect.poll(() => page.evaluate(() => window.enfiladeCanvas!.stage!.scene.place)).toBe(places[nth - 1]);
  };
  const tool = async (name: string) => {
    await tour.getByRole('button', { name: 'Tools' }).click();
    await page.getByRole('menuitem', { name }).click();
  };

  // The check finds places without links, and adds links both ways.
  await tool('Check tour');
  const check = page.getByRole('region', { name: 'Check tour' });
  await check.getByRole('button', { name: 'Add the way back: Place 1' }).click();
  await page.getByText('2 links added.').waitFor();
  await check.getByRole('region', { name: 'No way out' }).getByRole('button', { name: 'Place 3', exact: true }).click();
  await expect.poll(() => page.evaluate(() => window.enfiladeCanvas!.stage!.scene.place)).toBe(places[2]);
  await check.getByRole('button', { name: 'Add the way back: Place 3' }).first().click();
  await check.getByText('Every place has a way in and out').waitFor();
  await editor.saved();
  await check.getByRole('button', { name: 'Close the tour check' }).click();

  // The same elevation from both: the point is halfway, ahead of the first place and behind the second one.
  await stand(1);
  const box = (await page.getByRole('application', { name: 'Room' }).boundingBox())!;
  const middle = { x: box.x + box.width / 2, y: box.y + box.height / 2 - 60 };
  await tool('Align heading');
  await page.mouse.click(middle.x, middle.y);
  await page.getByText('Go to the place to align').waitFor();
  await stand(2);
  await page.mouse.click(middle.x + 150, middle.y);
  await page.getByText('is aligned with').waitFor();
  await editor.saved();
  const aligned = (await elementOf(places[1]!)).config as { panorama_heading: number };
  expect(aligned.panorama_heading).toBeGreaterThan(150);
  expect(aligned.panorama_heading).toBeLessThan(179);
  await editor.press('Control+z');
  await editor.saved();
  expect((await elementOf(places[1]!)).config).toMatchObject({ panorama_heading: 0 });

  // A level line that rises to the right, and a second one.
  await tool('Level horizon');
  for (const y of [0, 40]) {
    await page.mouse.move(middle.x - 150, middle.y + y + 20);
    await page.mouse.down();
    await page.mouse.move(middle.x, middle.y + y, { steps: 4 });
    await page.mouse.move(middle.x + 150, middle.y + y - 20, { steps: 4 });
    await page.mouse.up();
  }
  await page.getByText('Horizon leveled.').waitFor();
  await editor.saved();
  const level = (await elementOf(places[1]!)).config as { panorama_roll: number };
  expect(Math.abs(level.panorama_roll)).toBeGreaterThan(1);
  await editor.press('Control+z');
  await editor.saved();
  expect((await elementOf(places[1]!)).config).toMatchObject({ panorama_roll: 0, panorama_pitch: 0 });

  // A hotspot of the first place, at the third one, too.
  await stand(1);
  await editor.row('To Place 2').first().click();
  await tool('Copy hotspots to places…');
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('checkbox', { name: 'Place 3' }).click();
  await dialog.getByRole('button', { name: 'Copy' }).click();
  await page.getByText('1 hotspot added.').waitFor();
  await editor.saved();
  const copies = (await room()).elements.filter(
    ({ visible_at, name }) => name === 'To Place 2' && visible_at[0] === places[2],
  );
  expect(copies.length).toBeGreaterThanOrEqual(1);

  await tool('Nadir for all…');
  await page.getByRole('dialog').getByRole('button', { name: 'Blur', exact: true }).click();
  await page.keyboard.press('Escape');
  await editor.saved();
  expect((await room()).config.nadir_blur).toBe(40);

  // Drawn from above, all places are on the plan; a drag moves one, and a press puts it back there.
  await tour.getByRole('button', { name: 'Plan' }).click();
  const plan = page.getByRole('region', { name: 'Plan' });
  await plan.getByRole('button', { name: 'Draw from above' }).click();
  const mark = plan.getByRole('button', { name: /^Place 1/ });
  await mark.waitFor();
  await stand(2);
  await plan.getByRole('button', { name: 'Place 2, you are here' }).waitFor();
  const from = (await mark.boundingBox())!;
  await page.mouse.move(from.x + 12, from.y + 12);
  await page.mouse.down();
  await page.mouse.move(from.x + 42, from.y + 22, { steps: 4 });
  await page.mouse.up();
  await editor.saved();
  const floors = async () =>
    (await room()).elements.flatMap(({ config }) => ('plan_marks' in config ? config.plan_marks : []));
  expect(await floors()).toHaveLength(3);
  expect((await floors()).find(({ view_point_id }) => view_point_id === places[0])!.x).toBeGreaterThan(0.5);
  // The selected hotspot stays.
  const { length } = (await room()).elements;
  await mark.focus();
  await page.keyboard.press('Delete');
  await plan.getByText('Press the plan to put “Place 1” there.').waitFor();
  const sheet = (await plan.getByRole('img', { name: 'Plan' }).boundingBox())!;
  await page.mouse.click(sheet.x + 20, sheet.y + sheet.height / 2);
  await plan.getByText('Drag a place to move it.').waitFor();
  await editor.saved();
  expect((await floors()).find(({ view_point_id }) => view_point_id === places[0])!.x).toBeLessThan(0.3);
  expect((await room()).elements).toHaveLength(length);
  expect(editor.faults).toEqual([]);
  await editor.close();
});
