import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Call } from '../../../../src/contract/call.ts';
import { TOKEN_ORDERS } from '../../../../src/contract/calls/access-tokens.ts';
import { API_KEY_ORDERS } from '../../../../src/contract/calls/api-keys.ts';
import { FEED_ORDERS } from '../../../../src/contract/calls/feeds.ts';
import { LIVE_STREAM_ORDERS } from '../../../../src/contract/calls/live-streams.ts';
import { ROOM_ORDERS } from '../../../../src/contract/calls/rooms.ts';
import { TEMPLATE_ORDERS } from '../../../../src/contract/calls/templates.ts';
import { USER_ORDERS } from '../../../../src/contract/calls/users.ts';
import { calls } from '../../../../src/contract/calls.ts';
import { allPolicies } from '../../../../src/server/features/organizations/service.ts';
import { ApiApp, databases } from '../../../harness/api-app.ts';

/** Entries of each list: the later ones in time and in their words are not those that were added later. */
const COUNT = 7;
const NAMES = ['delta', 'Alfa', 'echo', 'Bravo', 'alfa', 'Charlie', 'bravo'];
const DAYS = [4, 2, 6, 2, 7, null, null];
const KINDS = ['b', 'a', 'b', 'c', 'a', 'b', 'c'];
const dayOf = (day: number) => `2026-04-0${day}T00:00:00.000Z`;

// biome-ignore lint/suspicious/noExplicitAny: rows of every list are looked into.
type Row = any;

/** What a list is ordered by without being asked, its orders, and what a row goes by in each; later texts stand later. */
interface OrderedList {
  call: Call;
  table: string;
  orders: readonly string[];
  usual: string;
  by: Record<string, (row: Row) => string>;
}

const nameOf = ({ name }: Row) => name.toLowerCase();
const editedOf = ({ updated_at }: Row) => updated_at;
const createdOf = ({ created_at }: Row) => created_at;

const LISTS: Record<string, OrderedList> = {
  spaces: {
    call: calls.rooms.list,
    table: 'rooms',
    orders: ROOM_ORDERS,
    usual: 'name',
    by: { name: nameOf, edited: ({ edited_at }) => edited_at },
  },
  templates: {
    call: calls.templates.list,
    table: 'templates',
    orders: TEMPLATE_ORDERS,
    usual: 'name',
    by: { name: nameOf, edited: editedOf },
  },
  'live streams': {
    call: calls.liveStreams.list,
    table: 'live_streams',
    orders: LIVE_STREAM_ORDERS,
    usual: 'name',
    by: { name: nameOf, edited: editedOf, type: ({ type }) => type, state: ({ state }) => state },
  },
  feeds: {
    call: calls.feeds.list,
    table: 'feeds',
    orders: FEED_ORDERS,
    usual: 'name',
    by: { name: nameOf, edited: editedOf, type: ({ type }) => type },
  },
  users: {
    call: calls.users.list,
    table: 'users',
    orders: USER_ORDERS,
    usual: 'name',
    by: { name: nameOf, email: ({ email }) => email, seen: ({ last_seen_at }) => last_seen_at ?? '' },
  },
  'API keys': {
    call: calls.apiKeys.list,
    table: 'api_keys',
    orders: API_KEY_ORDERS,
    usual: '-created',
    by: {
      created: createdOf,
      name: nameOf,
      used: ({ last_used_at }) => last_used_at ?? '',
      expires: ({ expires_at }) => expires_at ?? 'never',
    },
  },
  'access tokens': {
    call: calls.accessTokens.list,
    table: 'access_tokens',
    orders: TOKEN_ORDERS,
    usual: '-created',
    by: {
      created: createdOf,
      token: ({ token }) => token,
      used: ({ first_used_at }) => first_used_at ?? '',
      valid_till: ({ valid_till }) => valid_till ?? 'never',
    },
  },
};

/** Whether an order is one of all entries; tokens are ordered by themselves in one structure only. */
const isOfAll = (sort: string) => !sort.endsWith('token');

const cases = Object.entries(LISTS).flatMap(([name, list]) =>
  list.orders.filter(isOfAll).map((sort) => ({ name, list, sort })),
);

/** Rows in the order that a list should have them: those that are alike by their ids. */
function inOrder(rows: readonly Row[], list: OrderedList, sort: string): number[] {
  const valueIn = list.by[sort.replace('-', '')]!;
  const compare = (a: Row, b: Row) =>
    valueIn(a) === valueIn(b) ? Number(a.id) - Number(b.id) : valueIn(a) < valueIn(b) ? -1 : 1;
  const ordered = rows.toSorted(compare).map(({ id }) => id);
  return sort.startsWith('-') ? ordered.reverse() : ordered;
}

describe.each(databases)('orders of lists on %s', (kind) => {
  let api: ApiApp;

  const list = async ({ call }: OrderedList, query: string) => {
    const { status, body } = await api.call(call, {}, { query, token: api.one.admin.token });
    expect(status, query).toBe(200);
    return { ids: body.data.map(({ id }: Row) => id) as number[], rows: body.data as Row[], total: body.meta.total };
  };

  beforeAll(async () => {
    api = await ApiApp.start(kind);
    const client = api.client();
    const { db } = api.services;
    const { policies } = await client.users.active();
    const { id: room_id } = await client.rooms.create({ body: { title: 'Seen', name: 'seen' } });
    const endpoints = [];
    for (const name of ['One', 'Two']) endpoints.push(await client.endpoints.create({ body: { name, room_id } }));
    for (const [index, name] of NAMES.entries()) {
      api.clock.advance(1000);
      await client.rooms.create({ body: { title: name, name } });
      await client.templates.create({ body: { name } });
      await client.feeds.create({ body: { name, type: 'local' } });
      await client.users.invite({ body: { name, email: `${7 - index}@example.com`, policies } });
      await client.apiKeys.create({ body: { name, policies, expires_at: null } });
      // The same token opens both structures: in the list of all, they are alike.
      for (const { id } of endpoints)
        await client.accessTokens.create({ body: { endpoint_id: id, token: `${name}-${name}` } });
      const stamps = { created_at: dayOf(1), updated_at: dayOf(1), organization_id: api.one.id };
      const stream = { name, type: 'vimeo', reference: name, state: 'stopped', encoder: null };
      const addresses = { player_hls_playback_url: '', webrtc_url: '' };
      await db
        .insertInto('live_streams')
        .values({ ...stamps, ...stream, ...addresses })
        .execute();
    }
    const idsOf = async (table: string) => {
      const { rows } = await sql<{ id: number }>`select id from ${sql.table(table)} order by id desc`.execute(db);
      return rows.map(({ id }) => id).slice(0, COUNT);
    };
    const set = (table: string, id: number, column: string, value: string | null) =>
      sql`update ${sql.table(table)} set ${sql.ref(column)} = ${value} where id = ${id}`.execute(db);
    for (const [index, day] of DAYS.entries()) {
      const moment = day === null ? null : dayOf(day);
      for (const table of ['rooms', 'templates', 'live_streams', 'feeds'])
        await set(table, (await idsOf(table))[index]!, 'updated_at', moment ?? dayOf(3));
      await set('users', (await idsOf('users'))[index]!, 'last_seen_at', moment);
      const [key, token] = [(await idsOf('api_keys'))[index]!, (await idsOf('access_tokens'))[index]!];
      await set('api_keys', key, 'last_used_at', moment);
      await set('api_keys', key, 'expires_at', moment);
      await set('access_tokens', token, 'first_used_at', moment);
      await set('access_tokens', token, 'valid_till', moment);
      const stream = (await idsOf('live_streams'))[index]!;
      await set('live_streams', stream, 'state', ['started', 'starting', 'stopped'][index % 3]!);
      await set('live_streams', stream, 'type', KINDS[index] === 'a' ? 'vimeo' : 'wowza_live');
      await set('feeds', (await idsOf('feeds'))[index]!, 'type', KINDS[index] === 'a' ? 'picdrop' : 'local');
    }
  });
  afterAll(() => api.close());

  it.each(cases)(
    '$name by $sort: every entry once, on whatever page, those that are alike by their ids',
    async (each) => {
      const { rows, total } = await list(each.list, 'per_page=100');
      const wanted = inOrder(rows, each.list, each.sort);
      expect(total).toBeGreaterThanOrEqual(COUNT);
      expect((await list(each.list, `per_page=100&sort=${each.sort}`)).ids).toEqual(wanted);
      const paged: number[] = [];
      for (let page = 1; paged.length < total; page++) {
        const { ids } = await list(each.list, `per_page=3&page=${page}&sort=${each.sort}`);
        expect(ids.length).toBeGreaterThan(0);
        paged.push(...ids);
      }
      expect(paged).toEqual(wanted);
    },
  );

  it.each(Object.entries(LISTS))(
    '%s: without being asked as ever, and no others than are known',
    async (_name, each) => {
      const { ids, rows } = await list(each, 'per_page=100');
      expect(ids).toEqual(inOrder(rows, each, each.usual));
      for (const query of ['sort=size', 'sort=', 'sort=--name', 'sort=name&sort=-name']) {
        const { status, body } = await api.call(each.call, {}, { query, token: api.one.admin.token });
        expect([status, body.code, Object.keys(body.msg)], query).toEqual([400, 'bad_request', ['sort']]);
      }
    },
  );

  it('access tokens of one structure, and of those what a filter leaves; by themselves only there', async () => {
    const token = LISTS['access tokens']!;
    const [{ endpoint_id }] = (await list(token, '')).rows;
    for (const query of [`endpoint_id=${endpoint_id}`, `endpoint_id=${endpoint_id}&used=1`, 'used=0', 'search=bravo'])
      for (const sort of token.orders.filter((each) => query.startsWith('endpoint') || isOfAll(each))) {
        const { rows } = await list(token, query);
        expect((await list(token, `${query}&sort=${sort}`)).ids, `${query} ${sort}`).toEqual(
          inOrder(rows, token, sort),
        );
      }
    const { status, body } = await api.call(token.call, {}, { query: 'sort=token', token: api.one.admin.token });
    expect([status, body.msg.sort]).toEqual([
      400,
      ['Choose a structure. Sorting by token works only within one structure.'],
    ]);
  });

  it('lists say who changed a template, feed or live stream last, as far as that is known', async () => {
    const { templates, feeds, liveStreams, users } = api.client();
    const { name } = await users.active();
    const rows = [...(await templates.list()).data, ...(await feeds.list()).data];
    expect(new Set(rows.map(({ edited_by }) => edited_by))).toEqual(new Set([name]));
    const other = api.client(await api.addUser(api.one, allPolicies()));
    const params = { id: (await templates.list()).data[0]!.id };
    await other.templates.update({ params, body: { width: 500 } });
    expect((await templates.read({ params })).edited_by).toBe((await other.users.active()).name);
    const added = (await liveStreams.list()).data.map(({ edited_by }) => edited_by);
    expect(new Set(added), 'they were added past the history').toEqual(new Set([null]));
  });
});
