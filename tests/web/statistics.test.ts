import type { BrowserContext, Page, Request } from 'playwright';
import { describe, expect, test } from 'vitest';
import type { Beacon } from '../../src/contract/calls/statistics.ts';
import { enterRoom, newVisitor } from '../harness/browser.ts';
import { webSuite } from '../harness/web-suite.ts';

const suite = webSuite();

/** What a browser tells of its visits, as it tells it. */
function told(context: BrowserContext): Beacon[] {
  const list: Beacon[] = [];
  context.on('request', (request: Request) => {
    if (new URL(request.url()).pathname === '/api/v1/statistics') list.push(request.postDataJSON() as Beacon);
  });
  return list;
}

/** Waits until a page has what counts its visit. */
const counterLoaded = (page: Page) =>
  page.waitForFunction(() => performance.getEntriesByType('resource').some(({ name }) => name.includes('/stay-with-')));

const picture = { element: 'image' as const, name: 'Picture', width: 300, height: 300, position_z: -600 };
const door = (slug: string) => ({
  element: 'button' as const,
  name: 'Door',
  width: 400,
  height: 200,
  position_z: -500,
  config: { title: 'Onward', navigation: { type: 'slug', type_config: { slug_one: slug } } },
});

describe('a visit', () => {
  test('is counted with what was seen and opened, and from where it came; nothing is kept in the browser', async () => {
    const next = await suite.app.publish({ title: 'Next' }, [picture]);
    const first = await suite.app.publish({ title: 'First' }, [picture, door(next.slice(1))]);
    const ids = new Map((await suite.app.client.endpoints.list()).map(({ id, slug }) => [`/${slug}`, id]));
    const { page, close } = await newVisitor(suite.browser);
    const list = told(page.context());
    await enterRoom(page, suite.app.origin + first);
    await expect.poll(() => list.length, { timeout: 20_000 }).toBe(1);
    expect(list[0]).toEqual({
      endpoint_id: ids.get(first),
      visit: expect.stringMatching(/^[a-f0-9]{16}$/),
      begins: true,
    });
    await page.waitForFunction(() => performance.getEntriesByName('enfilade:ready').length > 0);
    await page.getByRole('button', { name: 'Onward' }).press('Enter');
    await expect.poll(() => list.length, { timeout: 20_000 }).toBe(3);
    const [, left, arrived] = list;
    expect(left).toMatchObject({ endpoint_id: ids.get(first), opened: [['door', expect.any(Number), 1]] });
    expect(arrived).toMatchObject({
      endpoint_id: ids.get(next),
      begins: true,
      from_id: ids.get(first),
      visit: left!.visit,
    });
    expect(await page.context().cookies()).toEqual([]);
    expect(await page.evaluate(() => Object.keys(localStorage).filter((key) => /visit|statist/i.test(key)))).toEqual(
      [],
    );
    await suite.app.services.visitCounting.buffer.flush();
    const rows = await suite.app.services.db.selectFrom('statistics_events').select(['kind', 'other_id']).execute();
    expect(rows).toContainEqual({ kind: 'way', other_id: ids.get(first) });
    await close();
  });

  test.each([
    ['Do Not Track', 'Object.defineProperty(Navigator.prototype, "doNotTrack", { get: () => "1" })'],
    [
      'Global Privacy Control',
      'Object.defineProperty(Navigator.prototype, "globalPrivacyControl", { get: () => true })',
    ],
  ])('is told to nobody with %s', async (_name, script) => {
    const path = await suite.app.publish({ title: 'Quiet' }, [picture]);
    const { page, context } = await newVisitor(suite.browser);
    await context.addInitScript(script);
    const list = told(context);
    await enterRoom(page, suite.app.origin + path);
    await counterLoaded(page);
    await page.goto('about:blank');
    expect(list).toEqual([]);
    await context.close();
  });

  test('is told to nobody where the organization does not count visits', async () => {
    await suite.app.client.organizations.update({ body: { has_statistics: false } });
    const path = await suite.app.publish({ title: 'Off' }, [picture]);
    const { page, close } = await newVisitor(suite.browser);
    const list = told(page.context());
    await enterRoom(page, suite.app.origin + path);
    await counterLoaded(page);
    await page.goto('about:blank');
    expect(list).toEqual([]);
    await suite.app.client.organizations.update({ body: { has_statistics: true } });
    await close();
  });
});
