import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { follow, openAdmin } from '../../harness/admin-page.ts';
import { webSuite } from '../../harness/web-suite.ts';

const web = webSuite();
let id: number;

beforeAll(async () => {
  const room = await web.app.client.rooms.create({ body: { title: 'Opera' } });
  const body = { name: 'Opera', room_id: room.id, is_timed: true, start_time: '20:00', time_zone: 'Europe/Amsterdam' };
  id = (await web.app.client.endpoints.create({ body })).id;
});
afterAll(() => web.app.client.organizations.update({ body: { time_zone: null } }));

const endpoint = () => web.app.client.endpoints.read({ params: { id } });
const shots = process.env.SHOTS;

describe('a start time with a zone', () => {
  test('stays when a colleague in New York renames the structure, who sees it in both places', async () => {
    const { page, close } = await openAdmin(web.app, web.browser, `/admin/structures/${id}`);
    const session = await page.context().newCDPSession(page);
    await session.send('Emulation.setTimezoneOverride', { timezoneId: 'America/New_York' });
    await page.reload();
    const zone = page.getByRole('combobox', { name: 'Time zone' });
    await expect.poll(() => zone.inputValue()).toBe('Europe/Amsterdam');
    const name = `Opera ${randomUUID()}`;
    await page.getByLabel('Title').fill(name);
    if (shots) await page.screenshot({ path: `${shots}/structure-zone.png`, fullPage: true });
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await expect.poll(async () => (await endpoint()).name).toBe(name);
    expect(await endpoint()).toMatchObject({ start_time: '20:00', time_zone: 'Europe/Amsterdam' });
    await follow(page, '/admin/structures');
    await page.getByText(/Amsterdam time \((?:14|15):00 /).waitFor();
    if (shots) await page.screenshot({ path: `${shots}/structures-zone.png` });
    await session.send('Emulation.setTimezoneOverride', { timezoneId: '' });
    await close();
  });

  test('moves with the zone that is chosen', async () => {
    const { page, close } = await openAdmin(web.app, web.browser, `/admin/structures/${id}`);
    const zone = page.getByRole('combobox', { name: 'Time zone' });
    await zone.fill('Lord_Howe');
    await page.getByRole('option', { name: 'Australia/Lord_Howe' }).click();
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await expect.poll(async () => (await endpoint()).time_zone).toBe('Australia/Lord_Howe');
    // Half an hour of daylight saving: UTC+10:30 or +11.
    expect([-630, -660]).toContain((await endpoint()).start_time_utc_offset);
    await close();
  });

  test('of a new structure has the zone of the organization', async () => {
    const { page, close } = await openAdmin(web.app, web.browser, '/admin/settings');
    await page.getByRole('combobox', { name: 'Time zone' }).fill('Tokyo');
    await page.getByRole('option', { name: 'Asia/Tokyo' }).click();
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await expect.poll(async () => (await web.app.client.organizations.read()).time_zone).toBe('Asia/Tokyo');
    if (shots) await page.screenshot({ path: `${shots}/general-zone.png`, fullPage: true });
    await follow(page, '/admin/structures/add');
    await page.getByLabel('Hours').fill('09');
    await page.getByLabel('Minutes').fill('00');
    await expect.poll(() => page.getByRole('combobox', { name: 'Time zone' }).inputValue()).toBe('Asia/Tokyo');
    if (shots) await page.screenshot({ path: `${shots}/new-structure-zone.png`, fullPage: true });
    await close();
  });
});
