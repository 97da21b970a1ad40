import { test } from 'vitest';
import { openAdmin } from '../../harness/admin-page.ts';
import { webSuite } from '../../harness/web-suite.ts';

const web = webSuite();

test('shots', async () => {
  const { client } = web.app;
  const { id: room_id } = await client.rooms.create({ body: { title: 'Room' } });
  const { id: endpoint_id } = await client.endpoints.create({ body: { name: 'Gala in the North Hall', room_id, is_protected: true } });
  const { id } = await client.accessTokens.create({ body: { endpoint_id, token: 'ann', holder_name: 'Ann Vos van der Velden', group: 'Press', note: 'Needs a ramp, table 4' } });
  for (let i = 0; i < 24; i++) await client.accessTokens.create({ body: { endpoint_id, holder_name: 'Guest ' + i, group: 'Press', valid_till: '2031-03-10T22:00:00Z' } });
  const made = await client.checkIn.create({ params: { id: endpoint_id }, body: { name: 'Front door' } });
  for (const scheme of ['light', 'dark'] as const) {
    const { page, close } = await openAdmin(web.app, web.browser, `/admin/structures/${endpoint_id}`, { deviceScaleFactor: 1, scheme, viewport: { width: 1440, height: 900 } });
    await page.getByText('checked in').scrollIntoViewIfNeeded();
    await page.screenshot({ path: `/tmp/shots/card-${scheme}.png` });
    await page.getByRole('button', { name: 'Add check-in link' }).click();
    await page.getByLabel('Name').last().fill('Back door');
    await page.screenshot({ path: `/tmp/shots/add-${scheme}.png` });
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    await page.getByText('It is shown only now').waitFor();
    await page.screenshot({ path: `/tmp/shots/once-${scheme}.png` });
    await page.getByRole('button', { name: 'Done' }).click();
    await close();
    const context = await web.browser.newContext({ viewport: { width: 390, height: 844 }, colorScheme: scheme, deviceScaleFactor: 1 });
    const door = await context.newPage();
    door.on('console', (m) => console.log(m.text()));
    await door.goto(`${web.app.origin}/check-in#${made.token}`);
    await door.getByLabel('Token').waitFor();
    await door.screenshot({ path: `/tmp/shots/door-${scheme}.png` });
    await door.getByLabel('Token').fill('ann');
    await door.getByRole('button', { name: 'Find' }).click();
    await door.getByText('Ann Vos').waitFor();
    await door.screenshot({ path: `/tmp/shots/found-${scheme}.png` });
    if (scheme === 'light') { await door.getByRole('button', { name: 'Check in' }).click(); await door.getByText(/^Checked in at/).waitFor(); }
    await door.screenshot({ path: `/tmp/shots/done-${scheme}.png` });
    await context.close();
  }
  const { page, close } = await openAdmin(web.app, web.browser, '/admin/access-tokens', { deviceScaleFactor: 1, viewport: { width: 1440, height: 900 } });
  await page.getByRole('button', { name: 'Print QR codes', exact: true }).click();
  await page.getByText('on 3 pages').waitFor();
  await page.emulateMedia({ media: 'print' });
  await page.setViewportSize({ width: 794, height: 1123 });
  await page.screenshot({ path: '/tmp/shots/paper.png' });
  const pdf = await page.pdf({ preferCSSPageSize: true, printBackground: true });
  (await import('node:fs')).writeFileSync('/tmp/shots/sheet.pdf', pdf);
  await close();
  void id;
});
