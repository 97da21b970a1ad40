import { beforeAll, describe, expect, test } from 'vitest';
import { newVisitor } from '../harness/browser.ts';
import { laterToday } from '../harness/later-today.ts';
import { webSuite } from '../harness/web-suite.ts';

const suite = webSuite();
const [CODE, COUNTDOWN] = ['/vault', '/later'];
let logo: string;
let home: number;
/** What stands in the closed room and its template. */
let secrets: string[];

beforeAll(async () => {
  const { client, upload } = suite.app;
  const [shown, ...hidden] = await Promise.all(
    ['nine-peaks-in-mist', 'reeds-at-dusk', 'warp-and-weft'].map((name) =>
      upload(`fixtures/media/pictures/${name}.jpg`),
    ),
  );
  logo = shown!.url;
  const front = { name: 'Front', logo_file_id: shown!.id, font_color: '#bfe6ff' };
  const front_id = (await client.templates.create({ body: front })).id;
  const room = await client.rooms.create({ body: { title: 'Hall', template_id: front_id } });
  home = (await client.endpoints.create({ body: { name: 'Hall', room_id: room.id } })).id;

  const [sign, background] = hidden.map(({ id }) => id);
  const own = { name: 'Own', logo_file_id: sign, background_file_id: background, font_color: '#ff8800' };
  const template_id = (await client.templates.create({ body: own })).id;
  const closed = await client.rooms.create({ body: { title: 'Behind the door', template_id } });
  await client.endpoints.create({ body: { name: 'Vault', room_id: closed.id, is_protected: true } });
  await client.endpoints.create({ body: { name: 'Later', room_id: closed.id, ...laterToday(new Date()) } });
  secrets = ['Behind the door', '#ff8800', ...hidden.map(({ url }) => url), 'data:image'];
});

describe('in front of a room that is closed', () => {
  test.each([CODE, COUNTDOWN])('the front page’s logo shows, and nothing of the room: %s', async (path) => {
    const html = await (await fetch(suite.app.origin + path)).text();
    for (const secret of secrets) expect(html).not.toContain(secret);
    const { page, close, faults } = await newVisitor(suite.browser);
    await page.goto(suite.app.origin + path);
    await page.locator('.entry-logo').waitFor();
    expect(await page.locator('.entry-logo').getAttribute('src')).toBe(logo);
    await page.waitForFunction(() => document.querySelector<HTMLImageElement>('.entry-logo')!.naturalWidth > 0);
    const color = () => getComputedStyle(document.querySelector('.entry-backdrop')!).stroke;
    expect(await page.evaluate(color)).toBe('rgb(191, 230, 255)');
    for (const secret of secrets) expect(await page.content()).not.toContain(secret);
    expect(faults.filter((fault) => !fault.includes('/endpoints/vault'))).toEqual([]);
    await close();
  });

  test('a front page that is closed itself gives no logo either: the product’s sign stands there', async () => {
    const { client, origin } = suite.app;
    const { name, room_id } = await client.endpoints.read({ params: { id: home } });
    await client.endpoints.update({ params: { id: home }, body: { name, room_id, is_protected: true } });
    expect(await (await fetch(origin + CODE)).text()).not.toContain(logo);
    const { page, close } = await newVisitor(suite.browser);
    await page.goto(origin + CODE);
    await page.locator('#entry .sign').waitFor();
    expect(await page.locator('.entry-logo').count()).toBe(0);
    await close();
  });
});
