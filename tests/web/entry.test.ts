import type { Page } from 'playwright';
import { describe, expect, test } from 'vitest';
import { tokenFragment } from '../../src/contract/token-link.ts';
import { enterRoom, newVisitor } from '../harness/browser.ts';
import { webSuite } from '../harness/web-suite.ts';

const web = webSuite();
let made = 0;

/** Publishes a structure of an empty room; gives its id and path. */
async function publish(fields: Record<string, unknown>) {
  const { client } = web.app;
  const room = await client.rooms.create({ body: { title: 'Vault' } });
  const name = `Door ${++made}`;
  const { id, slug } = await client.endpoints.create({ body: { name, room_id: room.id, ...fields } });
  return { id, path: `/${slug}` };
}
const makeCode = async (endpoint_id: number, fields: Record<string, unknown> = {}) =>
  (await web.app.client.accessTokens.create({ body: { endpoint_id, ...fields } })).token;

const enterCode = async (page: Page, code: string) => {
  await page.getByLabel('Your personal code').fill(code);
  await page.getByRole('button', { name: 'Login' }).click();
};

describe('the way into a protected room', () => {
  test('each reason has its sentence; the right code leads in, and is not asked for again', async () => {
    const { id, path } = await publish({ is_protected: true });
    const later = new Date(Date.now() + 3_600_000).toISOString();
    const before = new Date(Date.now() - 3_600_000).toISOString();
    const right = await makeCode(id);
    const early = await makeCode(id, { valid_from: later });
    const late = await makeCode(id, { valid_till: before });
    const { page, close } = await newVisitor(web.browser);
    await page.goto(web.app.origin + path);
    await page.getByRole('heading', { name: 'Enter your code' }).waitFor();
    expect(await page.getByLabel('Your personal code').getAttribute('type')).toBe('password');
    await enterCode(page, 'nonsense');
    await page.getByText('That code isn’t valid. Check it and try again.').waitFor();
    await enterCode(page, early);
    await page.getByText('This code is not valid yet.').waitFor();
    await enterCode(page, late);
    await page.getByText('This code has expired.').waitFor();
    await enterCode(page, right);
    await page.locator('#entrance.is-ready').waitFor();
    await page.locator('#entrance').press('Enter');
    await page.locator('#room[data-state="ready"]').waitFor();
    await enterRoom(page, web.app.origin + path);
    expect(await page.getByLabel('Your personal code').count()).toBe(0);
    await close();
  });

  test('a link with an access token leads in without typing; the token leaves the address; a wrong one asks', async () => {
    const { id, path } = await publish({ is_protected: true });
    const code = await makeCode(id);
    const { page, close } = await newVisitor(web.browser);
    await page.goto(web.app.origin + path + tokenFragment('nonsense'));
    await page.getByText('That code isn’t valid. Check it and try again.').waitFor();
    expect(page.url()).toBe(web.app.origin + path);
    await page.goto('about:blank');
    await page.goto(web.app.origin + path + tokenFragment(code));
    await page.locator('#entrance.is-ready').waitFor();
    expect(page.url()).toBe(web.app.origin + path);
    const { first_used_at } = (await web.app.client.accessTokens.list({ query: { endpoint_id: id } })).data[0]!;
    expect(first_used_at).not.toBeNull();
    await close();
  });

  test('a visit that was ended asks for the code again', async () => {
    const { id, path } = await publish({ is_protected: true });
    const code = await makeCode(id);
    const { page, close } = await newVisitor(web.browser);
    await page.goto(web.app.origin + path);
    await enterCode(page, code);
    await page.locator('#entrance.is-ready').waitFor();
    await web.app.services.db.deleteFrom('visitor_sessions').execute();
    await page.goto(web.app.origin + path);
    await page.getByText('This code has expired.').waitFor();
    await enterCode(page, code);
    await page.locator('#entrance.is-ready').waitFor();
    await close();
  });

  test('a code that lasts some minutes opens the room that long', async () => {
    const { id, path } = await publish({ is_protected: true });
    const code = await makeCode(id, { valid_duration: 5 });
    const { page, close } = await newVisitor(web.browser);
    await page.goto(web.app.origin + path);
    await enterCode(page, code);
    await page.locator('#entrance.is-ready').waitFor();
    const { valid_till } = await web.app.services.db
      .selectFrom('access_tokens')
      .select('valid_till')
      .where('endpoint_id', '=', id)
      .executeTakeFirstOrThrow();
    const minutes = (Date.parse(valid_till!) - Date.now()) / 60_000;
    expect(minutes).toBeGreaterThan(3);
    expect(minutes).toBeLessThanOrEqual(5);
    const past = new Date(Date.now() - 60_000).toISOString();
    await web.app.services.db
      .updateTable('access_tokens')
      .set({ valid_till: past })
      .where('endpoint_id', '=', id)
      .execute();
    await page.goto(web.app.origin + path);
    await enterCode(page, code);
    await page.getByText('This code has expired.').waitFor();
    await close();
  });

  test('a visitor is told five minutes before the code runs out, once aloud, and may put it away', async () => {
    const { id, path } = await publish({ is_protected: true });
    const code = await makeCode(id, { valid_duration: 12 });
    const { page, context } = await newVisitor(web.browser);
    await page.clock.install();
    await page.goto(web.app.origin + path);
    await enterCode(page, code);
    await page.locator('#entrance.is-ready').waitFor();
    await page.locator('#entrance').press('Enter');
    await page.locator('#room[data-state="ready"]').waitFor();
    const spoken = page.getByRole('status').filter({ hasText: 'Your access' });
    const shown = page.locator('#overlay p:has(button)').filter({ hasText: 'Your access' });
    expect([await shown.count(), await spoken.count()]).toEqual([0, 0]);
    await page.clock.fastForward(7.5 * 60_000);
    await shown.getByText('Your access ends in 5 minutes.').waitFor();
    await page.clock.fastForward(60_000);
    await shown.getByText('Your access ends in 4 minutes.').waitFor();
    await expect.poll(() => spoken.allTextContents()).toEqual(['Your access ends in 5 minutes.']);
    await page.clock.fastForward(2.9 * 60_000);
    await shown.getByText('Your access ends in 1 minute.').waitFor();
    await shown.getByRole('button', { name: 'Close' }).click();
    await shown.waitFor({ state: 'detached' });
    await expect.poll(() => spoken.count()).toBe(0);
    await page.clock.fastForward(120_000);
    expect(await shown.count()).toBe(0);
    await context.close();
  });

  test('when access ends, the room closes for a form that takes another token, also over an open dialog', async () => {
    const { id, path } = await publish({ is_protected: true });
    const code = await makeCode(id, { valid_duration: 12 });
    const next = await makeCode(id, {});
    const { page, context } = await newVisitor(web.browser);
    await page.clock.install();
    await page.goto(web.app.origin + path);
    await enterCode(page, code);
    await page.locator('#entrance.is-ready').waitFor();
    await page.locator('#entrance').press('Enter');
    await page.locator('#room[data-state="ready"]').waitFor();
    await page.getByRole('button', { name: 'More' }).click();
    await page.getByRole('button', { name: 'Help' }).click();
    await page.getByRole('dialog', { name: 'Help' }).waitFor();
    web.app.clock.advance(13 * 60_000);
    await page.clock.fastForward(13 * 60_000);
    await page.getByText('Your access has ended.').last().waitFor();
    expect(await page.getByRole('dialog', { name: 'Help' }).count()).toBe(0);
    expect(await page.evaluate(() => window.enfilade!.stage)).toBeUndefined();
    await enterCode(page, next);
    await page.locator('#room[data-state="ready"]').waitFor();
    web.app.clock.advance(-13 * 60_000);
    await context.close();
  });

  test('whoever has less than five minutes left is told on entering', async () => {
    const { id, path } = await publish({ is_protected: true });
    const code = await makeCode(id, { valid_till: new Date(Date.now() + 118_000).toISOString() });
    const { page, close } = await newVisitor(web.browser);
    await page.goto(web.app.origin + path);
    await enterCode(page, code);
    await page.locator('#entrance.is-ready').waitFor();
    await page.locator('#entrance').press('Enter');
    await page.getByRole('status').getByText('Your access ends in 2 minutes.').waitFor({ state: 'attached' });
    await close();
  });

  test.each([
    [118, 'Still 2 min.'],
    [50, 'The last minute.'],
  ])('with %i seconds left, a warning has the organization’s own words', async (seconds, words) => {
    const { id, path } = await publish({ is_protected: true });
    const texts = { en: { accessEndsIn: 'Still {count} min.', accessEndsInMinute: 'The last minute.' } };
    await web.app.client.organizations.update({ body: { texts } });
    const code = await makeCode(id, { valid_till: new Date(Date.now() + seconds * 1000).toISOString() });
    const { page, close } = await newVisitor(web.browser);
    await page.goto(web.app.origin + path);
    await enterCode(page, code);
    await page.locator('#entrance.is-ready').waitFor();
    await page.locator('#entrance').press('Enter');
    await page.getByRole('status').getByText(words).waitFor({ state: 'attached' });
    await web.app.client.organizations.update({ body: { texts: {} } });
    await close();
  });

  test("the server that can't be reached is said, and tried again", async () => {
    const { id, path } = await publish({ is_protected: true });
    const code = await makeCode(id);
    const { page, context } = await newVisitor(web.browser);
    await page.goto(web.app.origin + path);
    await page.getByLabel('Your personal code').waitFor();
    await context.setOffline(true);
    await enterCode(page, code);
    await page.getByText('The room could not be reached. Check your connection and try again.').waitFor();
    await context.setOffline(false);
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.locator('#entrance.is-ready').waitFor();
    await context.close();
  });
});

describe('a room that starts later', () => {
  test('shows when it starts and how long that is, and opens then', async () => {
    // Ten minutes from now, which is noon where the room was published: no day ends in between.
    const start = new Date(Math.ceil(web.app.clock.now() / 60_000) * 60_000 + 600_000);
    const start_time_utc_offset = start.getUTCHours() * 60 + start.getUTCMinutes() - 720;
    const { path } = await publish({
      show_countdown: true,
      is_timed: true,
      start_time: '12:00',
      start_time_utc_offset,
    });
    const { page, context } = await newVisitor(web.browser, { timezoneId: 'UTC' });
    await page.clock.install();
    await page.goto(web.app.origin + path);
    await page.getByRole('heading', { name: `This room starts at ${start.toISOString().slice(11, 16)}` }).waitFor();
    const left = await page.getByRole('timer').textContent();
    expect(left).toMatch(/^\d\d:\d\d:\d\d$/);
    await page.clock.runFor(3000);
    await expect.poll(() => page.getByRole('timer').textContent()).not.toBe(left);
    web.app.clock.advance(start.getTime() - web.app.clock.now());
    await page.clock.fastForward('11:00');
    await page.getByRole('timer').waitFor({ state: 'detached' });
    await context.close();
  });
});

describe('a room in a frame', () => {
  test('leaves out what its address says, and shows without a click', async () => {
    const { path } = await publish({});
    const { page, close } = await newVisitor(web.browser);
    await page.goto(`${web.app.origin}/embed${path}?autoload=1&hideLogo=1&transparent=1`);
    await page.locator('#room[data-state="ready"]').waitFor();
    await page.locator('#entrance').waitFor({ state: 'hidden' });
    await page.getByRole('heading', { name: 'Vault' }).waitFor({ state: 'attached' });
    expect(await page.getByRole('link', { name: /home/ }).count()).toBe(0);
    expect(await page.evaluate(() => getComputedStyle(document.body).backgroundColor)).toBe('rgba(0, 0, 0, 0)');
    await page.goto(`${web.app.origin}/embed${path}?hideControls=1`);
    await page.locator('#entrance.is-ready').waitFor();
    await page.locator('#entrance').press('Enter');
    await page.locator('#room[data-state="ready"]').waitFor();
    await page.locator('#entrance').waitFor({ state: 'hidden' });
    await page.getByRole('heading', { name: 'Vault' }).waitFor();
    expect(await page.getByRole('button').allTextContents()).toEqual([]);
    await close();
  });
});
