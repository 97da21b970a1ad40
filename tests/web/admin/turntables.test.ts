import sharp from 'sharp';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openAdmin } from '../../harness/admin-page.ts';
import type { Visitor } from '../../harness/browser.ts';
import { webSuite } from '../../harness/web-suite.ts';

const web = webSuite();
let visitor: Visitor;
let template: number;
let model: number;
beforeAll(async () => {
  const { client } = web.app;
  model = (await web.app.upload('fixtures/media/orrery.glb')).id;
  template = (await client.templates.create({ body: { name: 'Orrery', model_type: 'model', file_id: model } })).id;
  visitor = await openAdmin(web.app, web.browser, '/admin');
});
afterAll(() => visitor.close());

const openLibrary = async () => {
  await visitor.page.goto(`${web.app.origin}/admin/spaces/templates/${template}`);
  await visitor.page
    .getByRole('group', { name: 'Model' })
    .or(visitor.page.getByText('orrery.glb').first())
    .first()
    .waitFor();
  await visitor.page
    .getByRole('button', { name: /^(?:Choose|Replace|Change)/ })
    .first()
    .click();
  return visitor.page.getByRole('option', { name: /orrery\.glb/ });
};

test('a model is drawn from all sides when it is first shown, and turns while it is pointed at', async () => {
  const tile = await openLibrary();
  const image = tile.locator('img');
  await image.waitFor();
  const { turntable_url } = await web.app.client.media.read({ params: { id: model } });
  expect(await image.getAttribute('src')).toBe(turntable_url);
  const sheet = Buffer.from(await (await fetch(web.app.origin + turntable_url)).arrayBuffer());
  const viewAt = (left: number, top: number) =>
    sharp(sheet).extract({ left, top, width: 200, height: 150 }).raw().toBuffer();
  // The first and the last view differ, and both have something in them.
  const [first, last] = [await viewAt(0, 0), await viewAt(1000, 450)];
  expect(first.equals(last)).toBe(false);
  for (const view of [first, last]) expect(view.some((part) => part > 60)).toBe(true);
  const isTurning = () => image.evaluate((drawn) => drawn.getAnimations().length > 0);
  expect(await isTurning()).toBe(false);
  await visitor.page.emulateMedia({ reducedMotion: 'no-preference' });
  await tile.hover();
  await expect.poll(isTurning).toBe(true);
  await visitor.page.emulateMedia({ reducedMotion: 'reduce' });
  await expect.poll(isTurning).toBe(false);
  expect(visitor.faults).toEqual([]);
});

test('it is there at once the next time', async () => {
  const tile = await openLibrary();
  await tile.locator('img').waitFor();
  expect(visitor.faults).toEqual([]);
});
