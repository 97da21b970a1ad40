import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { calls } from '../../../../src/contract/calls.ts';
import type { Client } from '../../../../src/contract/client.ts';
import { ApiApp, databases, refused, type TestOrganization } from '../../../harness/api-app.ts';

describe.each(databases)('access tokens on %s', (kind) => {
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
  const add = (body: object = {}) => client.accessTokens.create({ body: { endpoint_id: endpoint, ...body } });
  const fields = async (attempt: Promise<unknown>) => {
    const error = await refused(attempt);
    return [error.status, ...Object.keys(error.msg)];
  };

  it('is made up where none is given, with the duration of its structure', async () => {
    const token = await add();
    expect(token).toMatchObject({
      endpoint_id: endpoint,
      endpoint: { id: endpoint, name: 'Members', slug: 'members', path: '/members' },
      valid_from: null,
      valid_till: null,
      valid_duration: 30,
      first_used_at: null,
      policies: { update: true, delete: true },
    });
    expect(token.token).toMatch(/^[a-hjkmnp-z2-9]{4}(?:-[a-hjkmnp-z2-9]{4}){3}$/);
    expect((await add()).token).not.toBe(token.token);
    expect((await add({ valid_duration: null })).valid_duration).toBeNull();
    expect(await client.accessTokens.read({ params: { id: token.id } })).toEqual(token);
    expect((await client.endpoints.read({ params: { id: endpoint } })).access_tokens_count).toBe(3);
  });

  it('takes its duration by either name', async () => {
    const { accessTokens } = client;
    const made = await add({ duration: 45 });
    expect(made.valid_duration).toBe(45);
    expect((await add({ duration: 45, valid_duration: 60 })).valid_duration).toBe(60);
    expect((await add({ duration: null })).valid_duration).toBeNull();
    const change = async (body: object) =>
      (await accessTokens.update({ params: { id: made.id }, body })).valid_duration;
    expect(await change({ duration: 90 })).toBe(90);
    expect(await change({ duration: 90, valid_duration: 120 })).toBe(120);
    expect(await change({ duration: null })).toBeNull();
    expect(await fields(add({ duration: 4 }))).toEqual([422, 'duration']);
    await accessTokens.createMany({ body: { endpoint_id: endpoint, count: 2, duration: 15 } });
    const { data } = await accessTokens.list({ query: { endpoint_id: endpoint, per_page: 2 } });
    expect(data.map(({ valid_duration }) => valid_duration)).toEqual([15, 15]);
  });

  it('keeps a given code as it is, once for each structure', async () => {
    expect((await add({ token: '  Émile=1 ' })).token).toBe('Émile=1');
    expect(await fields(add({ token: 'Émile=1' }))).toEqual([422, 'token']);
    const other = await addEndpoint('Others');
    const moved = await add({ endpoint_id: other, token: 'Émile=1' });
    const move = client.accessTokens.update({ params: { id: moved.id }, body: { endpoint_id: endpoint } });
    expect(await fields(move)).toEqual([422, 'endpoint_id']);
    for (const token of ['', ' ', 'a\nb', 'a'.repeat(256)])
      expect(await fields(add({ token }))).toEqual([422, 'token']);
    const change = client.accessTokens.update({ params: { id: moved.id }, body: { token: 'new' } as never });
    expect((await refused(change)).code).toBe('unknown_field');
  });

  it('security 21: reads times at any offset as the same moment', async () => {
    const token = await add({
      valid_from: '2026-03-29T01:59:59+14:00',
      valid_till: '2026-10-25T02:30:00.250-14:00',
    });
    expect(token).toMatchObject({ valid_from: '2026-03-28T11:59:59.000Z', valid_till: '2026-10-25T16:30:00.250Z' });
    for (const valid_from of [
      '2026-03-29',
      '29.3.2026',
      '2026-03-29T01:00',
      '1969-12-31T23:59:59Z',
      '9999-12-31T23:00:00-14:00',
    ])
      expect(await fields(add({ valid_from })), valid_from).toEqual([422, 'valid_from']);
    const { id, valid_from } = token;
    const update = (body: object) => client.accessTokens.update({ params: { id }, body });
    expect(await fields(update({ valid_till: valid_from }))).toEqual([422, 'valid_till']);
    expect(await fields(add({ valid_from, valid_till: valid_from }))).toEqual([422, 'valid_till']);
    expect(await fields(update({ valid_duration: 4 }))).toEqual([422, 'valid_duration']);
    expect(await update({ valid_from: null, valid_till: null, valid_duration: 5 })).toMatchObject({
      valid_from: null,
      valid_till: null,
      valid_duration: 5,
    });
  });

  it('is listed newest first, a hundred on a page, and found by its code and its structure', async () => {
    const { db } = api.services;
    const at = new Date(api.clock.now()).toISOString();
    const rows = Array.from({ length: 130 }, (_, index) => ({
      organization_id: organization.id,
      endpoint_id: endpoint,
      token: `Code-${String(index).padStart(3, '0')}`,
      valid_from: null,
      valid_till: null,
      valid_duration: null,
      first_used_at: null,
      created_at: at,
      updated_at: at,
    }));
    await db.insertInto('access_tokens').values(rows).execute();
    const list = async (query: string) => {
      const { body } = await api.call(calls.accessTokens.list, {}, { query, token: organization.admin.token });
      return { codes: body.data.map(({ token }: { token: string }) => token), meta: body.meta };
    };
    const first = await list('');
    expect(first.meta).toEqual({ total: 130, page: 1, last_page: 2 });
    expect([first.codes.length, first.codes[0], first.codes[99]]).toEqual([100, 'Code-129', 'Code-030']);
    expect((await list('page=2')).codes).toHaveLength(30);
    expect((await list('search=code-12&per_page=3')).codes).toEqual(['Code-129', 'Code-128', 'Code-127']);
    expect((await list('search=MEMBERS')).meta.total).toBe(130);
    expect((await list('search=%25')).meta.total).toBe(0);
  });

  it('refuses an edit of a version that is no longer current', async () => {
    const { id, updated_at } = await add();
    const change = () => client.accessTokens.update({ params: { id }, body: { valid_duration: 10, updated_at } });
    await change();
    expect((await refused(change())).code).toBe('stale');
  });

  it('goes away alone, and with its structure', async () => {
    const { id } = await add();
    await add();
    await client.accessTokens.remove({ params: { id } });
    expect((await refused(client.accessTokens.remove({ params: { id } }))).status).toBe(404);
    expect((await client.accessTokens.list()).data).toHaveLength(1);
    await client.endpoints.remove({ params: { id: endpoint } });
    expect((await client.accessTokens.list()).data).toEqual([]);
  });
});
