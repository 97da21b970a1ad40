import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Client } from '../../../../src/contract/client.ts';
import { ApiApp, databases, refused, type TestOrganization } from '../../../harness/api-app.ts';

const MINUTE = 60_000;

describe.each(databases)('many access tokens at once on %s', (kind) => {
  let api: ApiApp;
  let organization: TestOrganization;
  let client: Client;
  let endpoint: number;
  let count = 0;
  beforeAll(async () => {
    api = await ApiApp.start(kind);
  });
  beforeEach(async () => {
    organization = await api.addOrganization(`host-${++count}.example`);
    client = api.client(organization.admin);
    endpoint = await addEndpoint('Members', 30);
  });
  afterAll(() => api.close());

  const addEndpoint = async (name: string, access_token_duration: number | null = null) => {
    const room = await client.rooms.create({ body: { title: 'Hall' } });
    const body = { name, room_id: room.id, is_protected: true, access_token_duration };
    return (await client.endpoints.create({ body })).id;
  };
  const addMany = (body: object = {}) =>
    client.accessTokens.createMany({ body: { endpoint_id: endpoint, count: 50, ...body } });
  const list = async (query: object = {}) => client.accessTokens.list({ query });
  const fieldsOf = async (attempt: Promise<unknown>) => {
    const error = await refused(attempt);
    return [error.status, ...Object.keys(error.msg)];
  };

  it('are made up from signs that nobody mixes up, with the duration of their structure', async () => {
    expect(await addMany({ count: 100, prefix: 'VIP-', length: 12 })).toEqual({ created: 100 });
    const { data, meta } = await list();
    expect(meta.total).toBe(100);
    expect(new Set(data.map(({ token }) => token)).size).toBe(100);
    for (const { token, valid_duration } of data) {
      expect(token).toMatch(/^VIP-[a-hjkmnp-z2-9]{12}$/);
      expect(valid_duration).toBe(30);
    }
    const till = new Date(api.clock.now() + MINUTE).toISOString();
    await addMany({ count: 1, valid_duration: null, valid_till: till });
    expect((await list()).data[0]).toMatchObject({ valid_duration: null, valid_till: till, valid_from: null });
  });

  it('are read one after the other, each once, while others are added', async () => {
    await addMany({ count: 25 });
    const before = (await list()).data.map(({ id }) => id);
    const read: number[] = [];
    for (let before_id: number | undefined; ; before_id = read.at(-1)) {
      const { data, meta } = await list({ per_page: 10, before_id });
      if (data.length === 0) break;
      if (read.length === 0) expect(meta).toMatchObject({ total: before.length, page: 1 });
      read.push(...data.map(({ id }) => id));
      await addMany({ count: 3 });
    }
    expect(read).toEqual(before);
    expect(await fieldsOf(list({ before_id: 'x' }))).toEqual([400, 'before_id']);
    expect(await fieldsOf(list({ per_page: 1001 }))).toEqual([400, 'per_page']);
    await client.accessTokens.removeMany({ body: { ids: (await list({ per_page: 1000 })).data.map(({ id }) => id) } });
  });

  it('ten thousand come and go in one call each', async () => {
    expect(await addMany({ count: 10_000 })).toEqual({ created: 10_000 });
    expect((await list()).meta.total).toBe(10_000);
    const ids: number[] = [];
    for (let page = 1; page <= 10; page++) ids.push(...(await list({ page, per_page: 1000 })).data.map(({ id }) => id));
    expect(new Set(ids).size).toBe(10_000);
    expect(await client.accessTokens.removeMany({ body: { ids: [...ids.slice(1), ids[0]!] } })).toEqual({
      removed: 10_000,
    });
    expect((await list()).meta.total).toBe(0);
  });

  it('security 19: are refused where they would be easy to guess, with the length that is enough', async () => {
    const error = await refused(addMany({ count: 10_000, length: 6 }));
    expect([error.status, error.msg.length![0]]).toEqual([
      422,
      'This many tokens of this length are easy to guess. Use at least 7.',
    ]);
    expect(await fieldsOf(addMany({ length: 5 }))).toEqual([422, 'length']);
    expect(await fieldsOf(addMany({ count: 10_001 }))).toEqual([422, 'count']);
    expect(await fieldsOf(addMany({ endpoint_id: 999_999 }))).toEqual([422, 'endpoint_id']);
    const past = { valid_from: '2026-03-10T12:00:00Z', valid_till: '2026-03-10T11:00:00Z' };
    expect(await fieldsOf(addMany(past))).toEqual([422, 'valid_till']);
    expect((await list()).meta.total).toBe(0);
  });

  it('go all or none', async () => {
    await addMany({ count: 3 });
    const ids = (await list()).data.map(({ id }) => id);
    const foreign = api.client(api.two.admin);
    const room = await foreign.rooms.create({ body: { title: 'R' } });
    const door = await foreign.endpoints.create({ body: { name: `D ${count}`, room_id: room.id } });
    const theirs = await foreign.accessTokens.create({ body: { endpoint_id: door.id } });
    for (const wrong of [999_999, theirs.id]) {
      const error = await refused(client.accessTokens.removeMany({ body: { ids: [...ids, wrong] } }));
      expect([error.status, error.msg.ids![0]]).toEqual([422, expect.stringContaining(`(${wrong})`)]);
    }
    expect((await list()).meta.total).toBe(3);
    expect((await foreign.accessTokens.list()).meta.total).toBeGreaterThan(0);
  });

  it('are listed by structure and by where they are in their life', async () => {
    const other = await addEndpoint('Others');
    await addMany({ count: 2 });
    await client.accessTokens.create({ body: { endpoint_id: other, token: 'other' } });
    const till = new Date(api.clock.now() + MINUTE).toISOString();
    await client.accessTokens.create({ body: { endpoint_id: other, token: 'brief', valid_till: till } });
    await client.accessTokens.create({ body: { endpoint_id: other, token: 'used' } });
    await api.app.inject({
      method: 'POST',
      url: '/api/v1/endpoints/others',
      headers: { host: organization.host! },
      payload: { access_token: 'used' },
    });
    const tokens = async (query: object) => (await list(query)).data.map(({ token }) => token);
    expect((await list({ endpoint_id: endpoint })).meta.total).toBe(2);
    expect(await tokens({ endpoint_id: other })).toEqual(['used', 'brief', 'other']);
    expect(await tokens({ endpoint_id: other, state: 'unused' })).toEqual(['brief', 'other']);
    expect(await tokens({ state: 'running' })).toEqual(['used']);
    expect(await tokens({ state: 'expired' })).toEqual([]);
    api.clock.advance(MINUTE);
    expect(await tokens({ state: 'expired' })).toEqual(['brief']);
    expect(await tokens({ endpoint_id: other, state: 'unused', search: 'oth' })).toEqual(['other']);
    expect(await tokens({ endpoint_id: 999_999 })).toEqual([]);
    expect((await api.client(api.two.admin).accessTokens.list({ query: { endpoint_id: other } })).data).toEqual([]);
  });

  it('are listed page by page in every order, whatever narrows the list, where they are more than one slice', async () => {
    const { db, clock } = api.services;
    const now = clock.now();
    const stamp = (minutes: number) => new Date(now + minutes * MINUTE).toISOString();
    const made = Array.from({ length: 11_500 }, (_, index) => ({
      organization_id: organization.id,
      endpoint_id: endpoint,
      // Neither in the order of their ids, nor each moment once.
      token: `T${String((index * 7919) % 11_500).padStart(5, '0')}`,
      valid_from: null,
      valid_till: index % 5 === 0 ? null : stamp((index % 40) - 2),
      valid_duration: null,
      first_used_at: index % 400 === 0 ? stamp(-1 - (index % 3)) : null,
      created_at: stamp(0),
      updated_at: stamp(0),
    }));
    for (let from = 0; from < made.length; from += 1000)
      await db
        .insertInto('access_tokens')
        .values(made.slice(from, from + 1000))
        .execute();
    const stored = await db
      .selectFrom('access_tokens')
      .select(['id', 'token', 'first_used_at', 'valid_till'])
      .where('endpoint_id', '=', endpoint)
      .execute();
    const rows = stored.map((row) => ({ ...row, id: Number(row.id) }));
    type Row = (typeof rows)[number];
    const isEnded = ({ valid_till }: Row) => valid_till !== null && valid_till <= stamp(0);
    const narrowed: [object, (row: Row) => boolean][] = [
      [{ state: 'expired' }, isEnded],
      [{ state: 'running' }, (row) => row.first_used_at !== null && !isEnded(row)],
      [{ state: 'unused' }, (row) => row.first_used_at === null && !isEnded(row)],
      [{ used: '1' }, (row) => row.first_used_at !== null],
    ];
    const keys = {
      created: (row: Row) => row.id,
      token: (row: Row) => row.token,
      used: (row: Row) => row.first_used_at ?? '',
      valid_till: (row: Row) => row.valid_till ?? '9999',
    };
    for (const [by, keyOf] of Object.entries(keys))
      for (const [query, isIn] of narrowed) {
        const rising = rows.filter(isIn).toSorted((a, b) => {
          const [one, other] = [keyOf(a), keyOf(b)];
          return one < other ? -1 : one > other ? 1 : a.id - b.id;
        });
        for (const [sort, sorted] of [
          [by, rising],
          [`-${by}`, rising.toReversed()],
        ] as const) {
          const pages = Math.ceil(sorted.length / 50);
          for (const page of new Set([1, 2, pages, pages + 1])) {
            const found = await list({ endpoint_id: endpoint, ...query, sort, page, per_page: 50 });
            const told = `${sort} ${JSON.stringify(query)} page ${page}`;
            expect(found.meta.total, told).toBe(sorted.length);
            expect(
              found.data.map(({ id }) => id),
              told,
            ).toEqual(sorted.slice((page - 1) * 50, page * 50).map(({ id }) => id));
          }
        }
      }
  });
});
