import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { calls } from '../../../../src/contract/calls.ts';
import type { Client } from '../../../../src/contract/client.ts';
import { ApiApp, databases } from '../../../harness/api-app.ts';
import { FeedSource, item, rss } from '../../../harness/stand-ins/feed-source.ts';

describe.each(databases)('items of feeds on %s', (kind) => {
  let api: ApiApp;
  let client: Client;
  let source: FeedSource;
  let room: number;
  beforeAll(async () => {
    source = await new FeedSource().start();
    api = await ApiApp.start(kind, {}, { allowed: [new URL(source.url).host] });
    client = api.client();
    room = (await client.rooms.create({ body: { title: 'Hall' } })).id;
    await client.endpoints.create({ body: { name: 'Hall', room_id: room } });
  });
  afterEach(() => expect(source.wrong.splice(0)).toEqual([]));
  afterAll(async () => {
    await api.close();
    await source.stop();
  });

  const picdrop = (feed_url: string, name = 'Gallery') =>
    client.feeds.create({ body: { name, type: 'picdrop', config: { feed_url } } });

  describe('visitors', () => {
    let feed: number;
    let hall: number;
    beforeAll(async () => {
      feed = (await picdrop(source.put('/visitors.xml', rss(item(1))))).id;
      hall = (await client.rooms.create({ body: { title: 'Members' } })).id;
    });
    const status = async (token: string | null = null) =>
      (await api.call(calls.visit.feedItems, { id: feed }, { token })).status;

    it('get the items of a feed only where a visible group of a room that they may enter shows it', async () => {
      expect(await status()).toBe(404);
      const endpoint = await client.endpoints.create({ body: { name: 'Members', room_id: hall, is_visible: false } });
      const add = (body: Parameters<Client['rooms']['addElement']>[0]['body']) =>
        client.rooms.addElement({ params: { id: hall }, body });
      const outer = await add({ element: 'group' });
      const group = await add({
        element: 'group',
        parent_element_id: outer.id,
        config: { feed_enabled: true, feed_id: feed },
      });
      expect(await status()).toBe(404);
      const open = (body: Parameters<Client['endpoints']['update']>[0]['body']) =>
        client.endpoints.update({ params: { id: endpoint.id }, body });
      await open({ is_visible: true });
      expect(await status()).toBe(200);
      const toggle = async (change: () => Promise<unknown>, back: () => Promise<unknown>) => {
        await change();
        expect(await status()).toBe(404);
        await back();
        expect(await status()).toBe(200);
      };
      const hide = (id: number, hidden: '0' | '1') => () => client.elements.hide({ params: { id, hidden } });
      const config = (given: Record<string, unknown>) => () =>
        client.elements.update({ params: { id: group.id }, body: { config: given } });
      await toggle(hide(group.id, '1'), hide(group.id, '0'));
      await toggle(hide(outer.id, '1'), hide(outer.id, '0'));
      await toggle(config({ feed_enabled: false }), config({ feed_enabled: true }));
      await toggle(config({ feed_id: feed + 1000 }), config({ feed_id: feed }));
      await toggle(
        () => open({ is_visible: false }),
        () => open({ is_visible: true }),
      );
      await open({ is_protected: true });
      expect([await status(), await status('no-such-token-at-all-1234567890')]).toEqual([404, 404]);
      const { token: code } = await client.accessTokens.create({ body: { endpoint_id: endpoint.id } });
      const entered = await api.call(
        calls.visit.enterOne,
        { slugOne: endpoint.slug },
        { body: { access_token: code } },
      );
      expect(await status(entered.body.token)).toBe(200);
      const elsewhere = await client.endpoints.create({
        body: { name: 'Elsewhere', room_id: room, is_protected: true },
      });
      const other = await client.accessTokens.create({ body: { endpoint_id: elsewhere.id } });
      const visit = await api.call(
        calls.visit.enterOne,
        { slugOne: elsewhere.slug },
        { body: { access_token: other.token } },
      );
      expect(await status(visit.body.token)).toBe(404);
      const { statusCode } = await api.app.inject({
        url: `/api/v1/feeds/${feed}/items`,
        headers: { host: api.two.host! },
      });
      expect(statusCode).toBe(404);
    });

    it('security 14: a feed that they may not see is no other than one that does not exist', async () => {
      const hidden = await client.feeds.create({ body: { name: 'Hidden', type: 'local' } });
      const [one, none] = await Promise.all([hidden.id, 999_999].map((id) => api.call(calls.visit.feedItems, { id })));
      expect([one!.status, one!.text]).toEqual([404, none!.text]);
    });
  });
});
