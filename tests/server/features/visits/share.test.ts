import { readFile } from 'node:fs/promises';
import sharp from 'sharp';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { calls } from '../../../../src/contract/calls.ts';
import type { Client } from '../../../../src/contract/client.ts';
import { ApiApp, databases, formOf } from '../../../harness/api-app.ts';

const HOUR = 60 * 60 * 1000;
const panorama = await readFile('fixtures/media/panorama-poster.jpg');
const picture = (name = 'me.jpg', content: Buffer = panorama) => ({
  field: 'file',
  name,
  content: new Blob([new Uint8Array(content)]),
});

describe.each(databases)('what visitors share on %s', (kind) => {
  let api: ApiApp;
  let client: Client;
  let room: number;
  let wall: number;
  beforeAll(async () => {
    api = await ApiApp.start(kind, { TRUSTED_PROXIES: '127.0.0.1' });
    client = api.client();
    room = (await client.rooms.create({ body: { title: 'Hall' } })).id;
    await client.endpoints.create({ body: { name: 'Hall', room_id: room } });
  });
  beforeEach(async () => {
    wall = (await client.feeds.create({ body: { name: 'Wall', type: 'local' } })).id;
    await client.rooms.addElement({
      params: { id: room },
      body: { element: 'group', config: { feed_enabled: true, feed_id: wall } },
    });
  });
  afterAll(() => api.close());

  let addresses = 0;
  const newAddress = () => `198.51.${Math.floor(++addresses / 250)}.${addresses % 250}`;
  const share = (fields: Record<string, string>, file?: ReturnType<typeof picture>, address = newAddress()) =>
    api.call(
      calls.visit.share,
      {},
      {
        form: formOf({ name: 'Eva', feed_id: String(wall), ...fields }, file),
        headers: { 'x-forwarded-for': address },
      },
    );
  const items = () => api.client({ token: null }).visit.feedItems({ params: { id: wall } });

  it('a message and a picture stand in the feed, newest first, and the picture in the library', async () => {
    const words = await share({ message: ' <b>Hello</b> & "you"\n🙂 ' });
    expect(words.status).toBe(201);
    expect(words.body.data).toMatchObject({ name: 'Eva', message: '<b>Hello</b> & "you"\n🙂', file_url: '', link: '' });
    api.clock.advance(1000);
    const seen = await share({ name: 'Tom' }, picture('Tom.jpg'));
    const { width, height } = await sharp(panorama).metadata();
    expect(seen.body.data).toMatchObject({ name: 'Tom', message: '', width, height });
    expect((await items()).map(({ name }) => name)).toEqual(['Tom', 'Eva']);
    const { status, headers } = await api.send('GET', seen.body.data.file_url);
    expect([status, headers.get('content-type')]).toEqual([200, 'image/jpeg']);
    const { data } = await client.media.list();
    const stored = data.find(({ name }) => name === 'Tom.jpg')!;
    expect(stored.url).toBe(seen.body.data.file_url);
    const row = await api.services.db
      .selectFrom('media')
      .selectAll()
      .where('id', '=', stored.id)
      .executeTakeFirstOrThrow();
    expect(row.user_id).toBeNull();
    expect((await client.feeds.read({ params: { id: wall } })).items_count).toBe(2);
  });

  it('a picture that is taken out of the library is gone from the feed', async () => {
    await share({ name: 'Only picture' }, picture('bad.jpg'));
    await share({ name: 'Both', message: 'And words' }, picture('bad.jpg'));
    const { data } = await client.media.list({ query: { search: 'bad.jpg' } });
    const params = { id: data[0]!.id };
    const { msg } = await client.media.remove({ params }).catch((error) => error);
    expect(msg.error).toContain('Feed Wall');
    await client.media.remove({ params, query: { force: '1' } });
    expect(await items()).toMatchObject([{ name: 'Both', message: 'And words', file_url: '' }]);
  });

  it('security 24: only pictures are taken, and nothing of anything else is kept', async () => {
    const before = await api.dump(['attempts']);
    const wrong: [string, Buffer, number][] = [
      ['me.jpg', Buffer.from('no picture'), 415],
      ['me.jpg', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>'), 415],
      ['me.html', Buffer.from('<script>alert(1)</script>'), 415],
      ['me.glb', await readFile('fixtures/media/orrery.glb'), 415],
      ['me.zip', Buffer.from('PK\x05\x06'.padEnd(22, '\0'), 'latin1'), 422],
      ['me.jpg', panorama.subarray(0, 2000), 422],
      ['me.jpg', Buffer.alloc(0), 422],
      ['me.jpg', Buffer.concat([panorama, Buffer.alloc(20 * 1024 * 1024)]), 413],
    ];
    for (const [name, content, expected] of wrong) {
      const { status, text } = await share({ message: 'With it' }, picture(name, content));
      expect([415, 422].includes(expected) ? [415, 422] : [expected], `${name} ${text}`).toContain(status);
    }
    const unusable: Record<string, string>[] = [
      { message: '' },
      { message: ' \n ' },
      { name: ' ', message: 'x' },
      { message: 'x'.repeat(2001) },
    ];
    for (const fields of unusable) expect((await share(fields)).status, JSON.stringify(fields)).toBe(422);
    expect((await share({ message: 'x', html: '<b>' })).status).toBe(400);
    expect(await api.dump(['attempts'])).toBe(before);
  });

  it('security 24: the 21st of an address in an hour is refused, also after a restart; others go on', async () => {
    const address = newAddress();
    for (let count = 1; count <= 20; count++)
      expect((await share({ message: `${count}` }, undefined, address)).status).toBe(201);
    expect((await share({ message: '21' }, undefined, address)).status).toBe(429);
    await api.restart();
    api.clock.advance(HOUR - 1000);
    expect((await share({ message: '22' }, undefined, address)).status).toBe(429);
    expect((await share({ message: 'Another' })).status).toBe(201);
    api.clock.advance(1000);
    expect((await share({ message: '23' }, undefined, address)).status).toBe(201);
    client = api.client({ token: await api.signIn(api.one.admin) });
    expect(await items()).toHaveLength(22);
  });

  it('security 24: of fifty at once, twenty are taken; a whole IPv6 network counts as one address', async () => {
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, index) =>
        share({ message: `${index}` }, undefined, `2001:db8:1:2::${index.toString(16)}`),
      ),
    );
    const statuses = Map.groupBy(answers, ({ status }) => status);
    expect([statuses.get(201)?.length, statuses.get(429)?.length]).toEqual([20, 30]);
  });

  it('security 24: a full feed takes no more', async () => {
    const { db } = api.services;
    const row = {
      feed_id: wall,
      name: 'A',
      message: 'B',
      media_id: null,
      file_url: '',
      width: null,
      height: null,
      link: '',
    };
    const created_at = new Date(api.clock.now()).toISOString();
    for (let start = 0; start < 999; start += 333)
      await db
        .insertInto('feed_items')
        .values(Array.from({ length: 333 }, (_, index) => ({ ...row, external_id: `${start + index}`, created_at })))
        .execute();
    const answers = await Promise.all([1, 2, 3].map((index) => share({ message: `Last ${index}` })));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 413, 413]);
    expect(await items()).toHaveLength(100);
    await db.deleteFrom('feed_items').where('feed_id', '=', wall).execute();
    await share({ message: 'Large' }, picture('large.jpg'));
    await db
      .updateTable('media')
      .set({ bytes: 1024 ** 3 })
      .where('name', '=', 'large.jpg')
      .execute();
    expect((await share({ message: 'x' })).status).toBe(413);
  });

  it('goes only into a local feed that a room which the visitor may enter shares to', async () => {
    const other = await client.feeds.create({ body: { name: 'Other', type: 'local' } });
    const to = (token?: string) =>
      api.call(
        calls.visit.share,
        {},
        {
          token: token ?? null,
          form: formOf({ name: 'Eva', message: 'Hi', feed_id: String(other.id) }),
          headers: { 'x-forwarded-for': newAddress() },
        },
      );
    const unknown = await share({ message: 'Hi', feed_id: '999999' });
    const unused = await to();
    expect([unused.status, unused.text]).toEqual([404, unknown.text]);
    const hall = await client.rooms.create({ body: { title: 'Members' } });
    const endpoint = await client.endpoints.create({ body: { name: 'Members', room_id: hall.id, is_protected: true } });
    const navigation = { type: 'modal_share', type_config: { feed_id: other.id } } as const;
    const params = { id: hall.id };
    const button = await client.rooms.addElement({
      params,
      body: { element: 'button', config: { title: 'Share', navigation } },
    });
    expect((await to()).status).toBe(404);
    const { token: code } = await client.accessTokens.create({ body: { endpoint_id: endpoint.id } });
    const entered = await api.call(calls.visit.enterOne, { slugOne: 'members' }, { body: { access_token: code } });
    expect((await to(entered.body.token)).status).toBe(201);
    await client.endpoints.update({ params: { id: endpoint.id }, body: { is_protected: false } });
    expect((await to()).status).toBe(201);
    await client.elements.hide({ params: { id: button.id, hidden: '1' } });
    expect((await to()).status).toBe(404);
    await client.rooms.update({ params, body: { config: { top_left_link: { name: 'Share', navigation } } } });
    expect((await to()).status).toBe(201);
    await client.rooms.remove({ params });
    expect((await to()).status).toBe(404);
    await client.feeds.remove({ params: { id: other.id } });
    const { status } = await api.app
      .inject({ url: '/api/v1/settings' })
      .then(({ statusCode }) => ({ status: statusCode }));
    expect(status).toBe(200);
  });

  it('a feed that visitors only look at takes nothing from them', async () => {
    const { db } = api.services;
    await db.updateTable('feeds').set({ type: 'picdrop', config: '{}' }).where('id', '=', wall).execute();
    expect((await share({ message: 'Hi' })).status).toBe(404);
  });
});
