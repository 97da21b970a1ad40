import type { Page } from 'playwright';
import { describe, expect, test } from 'vitest';
import { createClient } from '../../../src/contract/client.ts';
import { allPolicies } from '../../../src/server/features/organizations/service.ts';
import { TOKEN_KEY } from '../../../src/ui/session/session-store.ts';
import { signInAs } from '../../harness/admin-page.ts';
import { newVisitor } from '../../harness/browser.ts';
import { webSuite } from '../../harness/web-suite.ts';

const web = webSuite();

const userOf = (token: string) => createClient({ origin: web.app.origin, token: () => token }).users.active();

/** Stores a token as another window would, before the page learns of it. */
const store = (page: Page, token: string) =>
  page.evaluate(([key, value]) => localStorage.setItem(key!, value!), [TOKEN_KEY, token]);

/** A window of one user, the token of another one, and every call that the window sends. */
async function openWindow() {
  const [mine, strange] = [await signInAs(web.app, allPolicies()), await signInAs(web.app, allPolicies())];
  const visitor = await newVisitor(web.browser, {
    viewport: { width: 1280, height: 800 },
    kept: { origin: web.app.origin, entries: { [TOKEN_KEY]: mine } },
  });
  const { page } = visitor;
  const sent: { call: string; token: string; load: number }[] = [];
  let load = 0;
  page.on('domcontentloaded', () => load++);
  page.on('request', (request) => {
    const token = request.headers().authorization?.replace(/^Bearer /, '');
    if (token) sent.push({ call: `${request.method()} ${new URL(request.url()).pathname}`, token, load });
  });
  /** Calls of the first load in the other user's name, besides the question who they are. */
  const strangeCalls = () =>
    sent.filter((each) => each.load <= 1 && each.token === strange && !/users\/active$/.test(each.call));
  return { ...visitor, mine, strange, sent, strangeCalls, loads: () => load };
}

describe('another user signs in in another window', () => {
  test('a form of the back-office sends nothing in their name, and its draft waits for its user', async () => {
    const { client } = web.app;
    const { id } = await client.rooms.create({ body: { title: 'Hall' } });
    const { id: endpoint } = await client.endpoints.create({ body: { name: 'Museum', room_id: id } });
    const { page, mine, strange, strangeCalls, loads, close } = await openWindow();
    await page.goto(`${web.app.origin}/admin/structures/${endpoint}`);
    const name = page.getByLabel('Title');
    await expect.poll(() => name.inputValue()).toBe('Museum');
    await page.frameLocator('iframe').getByText('Hall', { exact: true }).waitFor();
    await name.fill('Gallery');
    await store(page, strange);
    await page.getByRole('button', { name: 'Save', exact: true }).first().click();
    await expect.poll(loads).toBe(2);
    await page
      .getByText((await userOf(strange)).name)
      .first()
      .waitFor();
    await expect.poll(() => name.inputValue()).toBe('Museum');
    expect(strangeCalls()).toEqual([]);
    expect((await client.endpoints.read({ params: { id: endpoint } })).name).toBe('Museum');
    await store(page, mine);
    await page.reload();
    await expect.poll(() => name.inputValue()).toBe('Gallery');
    await close();
  });

  test.each(['spaces', 'editor', 'editor/preview'])(
    'while the page %s loads, nothing is read in their name',
    async (name) => {
      const { id } = await web.app.client.rooms.create({ body: { title: 'Hall' } });
      const { page, strange, strangeCalls, sent, loads, close } = await openWindow();
      let isFirst = true;
      await page.route('**/users/active', async (route) => {
        const response = await route.fetch();
        if (isFirst) await store(page, strange);
        isFirst = false;
        await route.fulfill({ response });
      });
      await page.goto(`${web.app.origin}/admin/${name}${name === 'spaces' ? '' : `/${id}`}`);
      await expect.poll(loads).toBe(2);
      await expect
        .poll(() => sent.some(({ load, token, call }) => load === 2 && token === strange && !/active$/.test(call)))
        .toBe(true);
      expect(strangeCalls()).toEqual([]);
      await close();
    },
  );

  test('the same user signs in again: the page goes on with the new token', async () => {
    const { page, mine, sent, loads, close } = await openWindow();
    await page.goto(`${web.app.origin}/admin/spaces`);
    await page.locator('h1').waitFor();
    const { email } = await userOf(mine);
    const again = await page.evaluate(
      async ([address, password]) => {
        const response = await fetch('/api/v1/backend/users/login', {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ email: address, password }),
        });
        return response.headers.get('authorization')!.replace(/^Bearer /, '');
      },
      [email, 'correct horse battery'],
    );
    await store(page, again);
    await page.getByRole('link', { name: 'Structures', exact: true }).first().click();
    await expect
      .poll(() => sent.filter(({ token, call }) => token === again && !/active$/.test(call)).length)
      .toBeGreaterThan(0);
    expect(loads()).toBe(1);
    await close();
  });
});
