import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { flatRoom } from '../../../../engine/document/room.ts';
import type { Beacon } from '../../../../src/contract/calls/statistics.ts';
import { calls } from '../../../../src/contract/calls.ts';
import type { Client } from '../../../../src/contract/client.ts';
import type { StatisticsGroup } from '../../../../src/contract/entities.ts';
import { forgetOld } from '../../../../src/server/features/statistics/jobs.ts';
import { rollUp } from '../../../../src/server/features/statistics/roll-up.ts';
import { ApiApp, databases, refused } from '../../../harness/api-app.ts';
import { visitsOf } from '../../../harness/synthetic-visits.ts';

const HOUR = 60 * 60 * 1000;
const DAY = 24 * HOUR;
const PHONE = 'Mozilla/5.0 (Linux; Android 15) AppleWebKit/537.36 Chrome/140.0 Mobile Safari/537.36';
const DESKTOP = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/140.0 Safari/537.36';

let visits = 0;
const newVisit = () => (++visits).toString(16).padStart(16, '0');

describe.each(databases)('statistics on %s', (kind) => {
  let api: ApiApp;
  let client: Client;
  let hall: { room: number; picture: number; door: number; point: number; endpoint: number };
  let annex: number;
  beforeAll(async () => {
    api = await ApiApp.start(kind);
    client = api.client();
    const room = (await client.rooms.create({ body: { title: 'Hall' } })).id;
    const add = async (body: Parameters<Client['rooms']['addElement']>[0]['body']) =>
      (await client.rooms.addElement({ params: { id: room }, body })).id;
    const navigation = { type: 'slug', type_config: { slug_one: 'annex' } };
    hall = {
      room,
      picture: await add({ element: 'image', name: '=Picture', position_z: -300, width: 100, height: 100 }),
      door: await add({
        element: 'image',
        name: 'Door',
        position_z: 300,
        width: 100,
        height: 100,
        config: { navigation },
      }),
      point: await add({ element: 'view_point', name: 'Middle', position_x: 20 }),
      endpoint: (await client.endpoints.create({ body: { name: 'Hall', room_id: room } })).id,
    };
    annex = (await client.endpoints.create({ body: { name: 'Annex', room_id: room } })).id;
  });
  afterAll(() => api.close());

  /** Sends what a page tells, as if from an address. */
  const send = (
    body: Beacon | object,
    {
      address = '203.0.113.1',
      agent = DESKTOP,
      token,
      host,
    }: { address?: string; agent?: string; token?: string; host?: string } = {},
  ) =>
    api.app.inject({
      method: 'POST',
      url: '/api/v1/statistics',
      remoteAddress: address,
      headers: { 'user-agent': agent, ...(token && { authorization: `Bearer ${token}` }), ...(host && { host }) },
      payload: body,
    });
  const begin = (endpoint_id: number, more: Partial<Beacon> = {}): Beacon => ({
    endpoint_id,
    visit: newVisit(),
    begins: true,
    ...more,
  });
  /** Lets time pass, and signs in again where a session has ended. */
  const pass = async (milliseconds: number) => {
    api.clock.advance(milliseconds);
    for (const { admin } of [api.one, api.two]) admin.token = await api.signIn(admin);
    client = api.client();
  };
  /** What timers do now and then. */
  const settle = async () => {
    await api.services.visitCounting.buffer.flush();
    await rollUp(api.services);
  };
  const read = async (query: { from?: string; endpoint_id?: number; interval?: 'hour' } = {}) => {
    await settle();
    return client.statistics.read({ query });
  };
  const list = async (by: StatisticsGroup, endpoint_id?: number) => {
    await settle();
    return client.statistics.list({ query: { by, ...(endpoint_id && { endpoint_id }) } });
  };

  it('a thousand visits that the engine makes up come out exactly, and dwell within five percent', async () => {
    const { endpoint } = await client.visit.one({ params: { slugOne: 'hall' } }).then((data) => ({ endpoint: data }));
    const made = visitsOf(flatRoom(endpoint.room!), { count: 1000, seconds: 25, press: hall.door });
    const from = ['', 'shop.example', 'news.example'];
    for (let start = 0; start < made.length; start += 100)
      await Promise.all(
        made.slice(start, start + 100).map(async ({ stretch, seconds }, index) => {
          const number = start + index;
          const address = `198.51.100.${number % 250}`;
          const agent = number % 4 === 0 ? PHONE : DESKTOP;
          // A network with the same program is one visitor: each has one of the two here.
          const site = from[number % 3]!;
          const { statusCode } = await send(begin(hall.endpoint, { seconds, site, ...stretch }), { address, agent });
          expect(statusCode).toBe(204);
        }),
      );
    const { totals, live, points, is_counting, has_countries } = await read({ interval: 'hour' });
    const all = made.flatMap(({ stretch }) => stretch.seen);
    const due = (id: number) => all.filter(([seen]) => seen === id).reduce((sum, [, time]) => sum + time, 0);
    expect({ ...totals, live }).toEqual({
      visits: 1000,
      visitors: new Set(made.map((_, index) => `${index % 250} ${index % 4 === 0}`)).size,
      seconds: 25_000,
      live: 1000,
    });
    expect([is_counting, has_countries, points.at(-1)?.visits]).toEqual([true, false, 1000]);
    expect(await list('device')).toMatchObject([
      { name: 'desktop', count: 750 },
      { name: 'phone', count: 250 },
    ]);
    expect(await list('site')).toMatchObject([
      { name: 'news.example', count: 333 },
      { name: 'shop.example', count: 333 },
    ]);
    // Every visitor looks at the picture for 10 of 25 seconds and at the door for the rest, and stands at the view point.
    const elements = await list('element');
    for (const [id, share] of [
      [hall.picture, 10],
      [hall.door, 15],
    ] as const) {
      const { seconds } = elements.find((row) => row.id === id)!;
      expect(seconds).toBe(due(id));
      expect(Math.abs(seconds - 1000 * share)).toBeLessThan(1000 * share * 0.05);
    }
    expect((await list('view_point'))[0]).toMatchObject({ id: hall.point, name: 'Middle', room_id: hall.room });
    expect(await list('opened')).toMatchObject([{ id: hall.door, name: 'Door', detail: 'door', count: 1000 }]);
  });

  it('counts each event once, on several servers at once too', async () => {
    const rows = () =>
      api.services.db
        .selectFrom('statistics_hours')
        .select(['hour', 'kind', 'subject', 'other_id', 'count', 'amount'])
        .orderBy('hour')
        .orderBy('kind')
        .orderBy('subject')
        .orderBy('other_id')
        .orderBy('endpoint_id')
        .execute();
    await settle();
    const before = await rows();
    expect(before.length).toBeGreaterThan(5);
    await Promise.all([rollUp(api.services), rollUp(api.services), rollUp(api.services)]);
    expect(await rows()).toEqual(before);
    await send(begin(annex));
    await api.services.visitCounting.buffer.flush();
    await Promise.all([rollUp(api.services), rollUp(api.services), rollUp(api.services)]);
    await settle();
    const sum = (list: typeof before) =>
      list.filter(({ kind }) => kind === 'visit').reduce((all, { count }) => all + count, 0);
    expect(sum(await rows())).toBe(sum(before) + 1);
  });

  it('a visitor counts once a day in all, once for each structure, and is somebody else tomorrow', async () => {
    await pass(DAY);
    const address = '192.0.2.7';
    const begun = new Date(api.clock.now()).toISOString();
    await send(begin(hall.endpoint), { address });
    await send(begin(annex, { from_id: hall.endpoint }), { address });
    await settle();
    await pass(2 * HOUR);
    await send(begin(hall.endpoint, { from_id: annex }), { address });
    const today = (endpoint_id?: number) => read({ from: begun, ...(endpoint_id && { endpoint_id }) });
    expect((await today()).totals).toEqual({ visits: 3, visitors: 1, seconds: 0 });
    expect((await today(hall.endpoint)).totals).toEqual({ visits: 2, visitors: 1, seconds: 0 });
    expect((await today(annex)).totals).toEqual({ visits: 1, visitors: 1, seconds: 0 });
    const hashes = await api.services.db
      .selectFrom('statistics_events')
      .select('visitor')
      .where('visitor', 'is not', null)
      .distinct()
      .where('at', '>=', begun)
      .execute();
    expect(hashes).toHaveLength(1);
    await pass(DAY);
    await send(begin(hall.endpoint), { address });
    expect((await today()).totals).toEqual({ visits: 4, visitors: 2, seconds: 0 });
    const ways = (await list('way')).map(({ name, detail, count }) => `${name} → ${detail} ${count}`);
    expect(ways.toSorted()).toEqual(['Annex → Hall 1', 'Hall → Annex 1']);
  });

  it('says nothing of what it leaves out: other answers would tell what there is', async () => {
    const { rooms, endpoints } = api.client(api.two.admin);
    const foreign = (await rooms.create({ body: { title: 'Foreign' } })).id;
    const foreignElement = (await rooms.addElement({ params: { id: foreign }, body: { element: 'image' } })).id;
    const foreignEndpoint = (await endpoints.create({ body: { name: 'Foreign', room_id: foreign } })).id;
    const hidden = (await client.endpoints.create({ body: { name: 'Secret', room_id: hall.room, is_visible: false } }))
      .id;
    const closed = (
      await client.endpoints.create({ body: { name: 'Members', room_id: hall.room, is_protected: true } })
    ).id;
    const empty = (
      await client.endpoints.create({
        body: { name: 'Nothing', room_id: (await client.rooms.create({ body: { title: 'Gone' } })).id },
      })
    ).id;
    await client.rooms.remove({ params: { id: (await client.endpoints.read({ params: { id: empty } })).room_id! } });
    await settle();
    const before = await api.dump(['attempts', 'sessions', 'installation_notes', 'statistics_salts']);
    for (const id of [foreignEndpoint, hidden, closed, empty, 999_999_999, Number.MAX_SAFE_INTEGER])
      expect((await send(begin(id, { seconds: 5 }))).statusCode, `${id}`).toBe(204);
    expect((await send(begin(hall.endpoint), { agent: 'Googlebot/2.1' })).statusCode).toBe(204);
    const about = { seconds: 0, begins: false, seen: [[foreignElement, 9]], opened: [['link', foreignElement, 1]] };
    expect((await send({ ...begin(hall.endpoint), ...about })).statusCode).toBe(204);
    await settle();
    expect(await api.dump(['attempts', 'sessions', 'installation_notes', 'statistics_salts'])).toBe(before);
    // From another organization's structure there is no way.
    await send(begin(annex, { from_id: foreignEndpoint }));
    expect((await list('way')).map(({ name }) => name).toSorted()).toEqual(['Annex', 'Hall']);
    await api.client(api.two.admin).rooms.remove({ params: { id: foreign } });
  });

  it.each([
    ['a visit that is no number', { visit: 'x'.repeat(16) }],
    ['a visit with a NUL', { visit: `\0${'0'.repeat(15)}` }],
    ['a site with a NUL', { site: 'a\0.example' }],
    ['a site that is a whole address', { site: 'https://a.example/secret?name=kim' }],
    ['too long a time', { seconds: 1e9 }],
    ['a time before', { seconds: -1 }],
    ['too many elements', { seen: Array.from({ length: 101 }, (_, index) => [index + 1, 1]) }],
    ['an unknown kind', { opened: [['wallet', 1, 1]] }],
    ['a place that is nowhere', { poses: [[1e12, 0, 0, 0]] }],
    ['half a place', { poses: [[1.5, 0, 0, 0]] }],
    ['a field that there is not', { name: 'Kim' }],
  ])('refuses %s', async (_what, wrong) => {
    const { statusCode } = await send({ ...begin(hall.endpoint), ...wrong });
    expect([400, 422]).toContain(statusCode);
  });

  it('tells which access token opened, to whoever may see these, and how many were used for the first time', async () => {
    const closed = await client.endpoints.create({ body: { name: 'Club', room_id: hall.room, is_protected: true } });
    const { id } = await client.accessTokens.create({ body: { endpoint_id: closed.id, token: 'sesame-open' } });
    const entered = await api.call(
      calls.visit.enterOne,
      { slugOne: 'club' },
      { body: { access_token: 'sesame-open' } },
    );
    await send(begin(closed.id), { token: entered.body.token, address: '203.0.113.77' });
    await send(begin(closed.id), { token: entered.body.token, address: '203.0.113.77' });
    expect(await list('token', closed.id)).toMatchObject([{ id, name: 'sesame-open', count: 2 }]);
    expect((await read({ endpoint_id: closed.id })).first_uses).toBe(1);
    const reader = await api.addUser(api.one, {
      endpoints: { view_any: true, create: false, update: false, delete: false },
    });
    expect((await refused(api.client(reader).statistics.list({ query: { by: 'token' } }))).code).toBe('forbidden');
    await client.accessTokens.remove({ params: { id } });
    expect(await list('token', closed.id)).toMatchObject([{ id, name: '', count: 2 }]);
  });

  it('holds nothing by which somebody could be recognized, and sets no cookie', async () => {
    const address = '203.0.113.201';
    const agent = 'Mozilla/5.0 (Rememberable/77.1; Linux x86_64)';
    const code = 'my-own-secret-code';
    const closed = await client.endpoints.create({ body: { name: 'Vault', room_id: hall.room, is_protected: true } });
    await client.accessTokens.create({ body: { endpoint_id: closed.id, token: code } });
    const { body } = await api.call(calls.visit.enterOne, { slugOne: 'vault' }, { body: { access_token: code } });
    const answer = await send(begin(closed.id, { seconds: 3 }), { address, agent, token: body.token });
    expect([answer.statusCode, answer.headers['set-cookie'], answer.body]).toEqual([204, undefined, '']);
    await settle();
    for (const table of ['statistics_events', 'statistics_hours', 'statistics_poses'] as const) {
      const rows = await api.services.db.selectFrom(table).selectAll().execute();
      const text = JSON.stringify(rows);
      for (const secret of [address, agent, 'Rememberable', code, body.token]) expect(text).not.toContain(secret);
    }
    // The key of today is there, the one of yesterday is not: what was made with it leads to nobody.
    const salts = await api.services.db.selectFrom('statistics_salts').select('day').execute();
    expect(salts).toEqual([{ day: new Date(api.clock.now()).toISOString().slice(0, 10) }]);
    await pass(DAY);
    await forgetOld(api.services);
    expect(await api.services.db.selectFrom('statistics_salts').select('day').execute()).toEqual([]);
  });

  it('counts nothing where the organization says so, and places only where it asks for them', async () => {
    const poses = [[10, 170, -20, 90]] as Beacon['poses'];
    const places = async () => {
      await settle();
      return (await client.statistics.exportPoses({ query: { endpoint_id: annex } })).trim().split('\r\n').slice(1);
    };
    await send(begin(annex, { poses }));
    expect(await places()).toEqual([]);
    await client.organizations.update({ body: { has_statistics_poses: true } });
    expect((await client.visit.settings()).has_statistics_poses).toBe(true);
    await send(begin(annex, { poses }));
    expect(await places()).toEqual([expect.stringMatching(/^"[^"]+","10","170","'-20","90"$/)]);
    const before = (await read()).totals;
    await client.organizations.update({ body: { has_statistics: false } });
    expect(await client.visit.settings()).toMatchObject({ has_statistics: false, has_statistics_poses: false });
    await send(begin(annex, { poses }));
    expect((await read()).totals).toEqual(before);
    expect((await read()).is_counting).toBe(false);
    await client.organizations.update({ body: { has_statistics: true, has_statistics_poses: false } });
  });

  it('gives figures as CSV that no spreadsheet computes, and notes the export', async () => {
    await send(begin(hall.endpoint, { seen: [[hall.picture, 7]] }));
    await settle();
    const text = await client.statistics.export({ query: { by: 'element' } });
    expect(text).toContain(`"${hall.picture}","","'=Picture","image"`);
    const { data } = await client.audit.list({ query: { event: 'exported' } });
    expect(data[0]).toMatchObject({ subject: 'Statistics', details: { by: 'element' } });
  });

  it.each([
    ['ends before it begins', { from: '2026-03-02T00:00:00Z', till: '2026-03-01T00:00:00Z' }],
    ['is longer than figures are kept', { from: '2020-01-01T00:00:00Z' }],
    ['is far too long for hours', { from: '2026-01-01T00:00:00Z', till: '2026-03-01T00:00:00Z', interval: 'hour' }],
    ['has no such time zone', { zone: 'Mars/Olympus' }],
    ['has an offset for a zone', { zone: '+01:00' }],
  ] as const)('refuses a range that %s', async (_what, query) => {
    expect((await refused(client.statistics.read({ query }))).code).toBe('bad_request');
  });

  it('gives days as the calendar of a zone has them, also when clocks change', async () => {
    const query = { from: '2026-03-27T23:00:00Z', till: '2026-03-30T22:00:00Z', zone: 'Europe/Amsterdam' } as const;
    const { points } = await client.statistics.read({ query });
    expect(points.map(({ at }) => at.slice(0, 13))).toEqual(['2026-03-27T23', '2026-03-28T23', '2026-03-29T22']);
    const weeks = await client.statistics.read({ query: { ...query, interval: 'week' } });
    expect(weeks.points.map(({ at }) => at.slice(0, 13))).toEqual(['2026-03-27T23', '2026-03-29T22']);
  });

  it('forgets what came after two days, places after thirty, and figures of a structure with it', async () => {
    await client.organizations.update({ body: { has_statistics_poses: true } });
    const gone = (await client.endpoints.create({ body: { name: 'Gone', room_id: hall.room } })).id;
    await send(begin(gone, { poses: [[1, 2, 3, 4]] }), { address: '203.0.113.99' });
    await send(begin(annex, { poses: [[1, 2, 3, 4]] }));
    await settle();
    const counts = async () => {
      const of = async (table: 'statistics_events' | 'statistics_hours' | 'statistics_poses') =>
        (await api.services.db.selectFrom(table).select('endpoint_id').execute()).filter(
          ({ endpoint_id }) => endpoint_id === gone,
        ).length;
      return [await of('statistics_events'), await of('statistics_hours'), await of('statistics_poses')];
    };
    expect(await counts()).toEqual([2, 4, 1]);
    const totals = (await read()).totals;
    await pass(2 * DAY + HOUR);
    await forgetOld(api.services);
    await rollUp(api.services);
    expect(await api.services.db.selectFrom('statistics_events').select('id').execute()).toEqual([]);
    expect(
      (await read({ from: new Date(api.clock.now() - 20 * DAY).toISOString() })).totals.visits,
    ).toBeGreaterThanOrEqual(totals.visits);
    expect(await counts()).toEqual([0, 4, 1]);
    await client.endpoints.remove({ params: { id: gone } });
    expect(await counts()).toEqual([0, 0, 0]);
    await pass(30 * DAY);
    await forgetOld(api.services);
    expect(await api.services.db.selectFrom('statistics_poses').select('id').execute()).toEqual([]);
    expect(await api.services.db.selectFrom('statistics_hours').select('id').execute()).not.toEqual([]);
    await pass(800 * DAY);
    await forgetOld(api.services);
    expect(await api.services.db.selectFrom('statistics_hours').select('id').execute()).toEqual([]);
  });

  it('says what visitors would stumble over', async () => {
    const navigation = { type: 'slug', type_config: { slug_one: 'nowhere' } };
    const body = { element: 'image', name: 'Old door', config: { navigation } } as const;
    const { id } = await client.rooms.addElement({ params: { id: hall.room }, body });
    const stream = await client.rooms.addElement({
      params: { id: hall.room },
      body: { element: 'live_stream', name: 'Stage' },
    });
    await client.endpoints.create({ body: { name: 'Locked', room_id: hall.room, is_protected: true } });
    const groups = await client.statistics.problems();
    const found = groups.flatMap(({ problems }) => problems);
    expect(groups.map(({ count }) => count)).toEqual(groups.map(({ problems }) => problems.length));
    expect(found).toContainEqual(
      expect.objectContaining({ kind: 'dead_link', element_id: id, element_name: 'Old door', room_id: hall.room }),
    );
    expect(found).toContainEqual(
      expect.objectContaining({ kind: 'no_stream', element_id: stream.id, element_name: 'Stage' }),
    );
    expect(found).toContainEqual(expect.objectContaining({ kind: 'no_tokens', endpoint_name: 'Locked' }));
    expect(found).toContainEqual(expect.objectContaining({ kind: 'no_space', endpoint_name: 'Nothing' }));
    expect(found.some(({ element_id }) => element_id === hall.door)).toBe(false);
  });
});
