import { expect, test } from 'vitest';
import { enterRoom, newVisitor } from '../harness/browser.ts';
import { webSuite } from '../harness/web-suite.ts';

const web = webSuite();

test('a visitor sees what is edited meanwhile, where it stands and without another page; a cut line catches up', async () => {
  const { client } = web.app;
  const room = (await client.rooms.create({ body: { title: 'Hall' } })).id;
  const { slug } = await client.endpoints.create({ body: { name: 'Live hall', room_id: room } });
  const { page, close } = await newVisitor(web.browser, { isNew: true });
  const add = (body: Parameters<typeof client.rooms.addElement>[0]['body']) =>
    client.rooms.addElement({ params: { id: room }, body });
  const lines: string[] = [];
  page.on('websocket', (socket) => lines.push(new URL(socket.url()).pathname));
  const loads: string[] = [];
  page.on('request', (request) => request.isNavigationRequest() && loads.push(request.url()));

  await enterRoom(page, `${web.app.origin}/${slug}`);
  await expect.poll(() => lines).toEqual(['/realtime/edits']);
  const pose = () =>
    page.evaluate(() => {
      const { pose: seen, scene } = window.enfilade!.stage!;
      return {
        at: [seen.position.x, seen.position.y, seen.position.z].map((at) => Math.round(at) + 0),
        title: scene.room.title,
      };
    });
  await page.evaluate(() => {
    const { stage } = window.enfilade!;
    stage!.rig.moveTo({ x: 40, y: 0, z: 10 }, undefined, undefined, false);
    stage!.invalidate();
  });
  await expect.poll(async () => (await pose()).at).toEqual([40, 0, 10]);

  const drawn = (id: number) => page.evaluate((wanted) => window.enfilade!.stage!.viewOf(wanted) !== undefined, id);
  const { id: text } = await add({ element: 'text', name: 'Welcome', config: { text: 'Welcome' } });
  await expect.poll(() => drawn(text)).toBe(true);
  // The controls follow as well.
  const { id: point } = await add({ element: 'view_point', name: 'By the window' });
  const menu = page.getByRole('navigation', { name: 'View points' });
  await menu.waitFor();
  await client.elements.hide({ params: { id: text, hidden: '1' } });
  await expect.poll(() => drawn(text)).toBe(false);
  await client.elements.remove({ params: { id: point } });
  await menu.waitFor({ state: 'hidden' });

  // Away, and back again.
  await page.context().setOffline(true);
  await client.rooms.update({ params: { id: room }, body: { title: 'Court' } });
  await client.elements.hide({ params: { id: text, hidden: '0' } });
  await page.context().setOffline(false);
  await expect.poll(() => drawn(text)).toBe(true);
  expect(await pose()).toEqual({ at: [40, 0, 10], title: 'Court' });
  expect(loads).toHaveLength(1);
  await close();
});
