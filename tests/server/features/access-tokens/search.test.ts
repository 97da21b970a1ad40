import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Client } from '../../../../src/contract/client.ts';
import { indexTokens } from '../../../../src/server/features/access-tokens/jobs.ts';
import { ApiApp, databases } from '../../../harness/api-app.ts';

describe.each(databases)('the search of access tokens on %s', (kind) => {
  let api: ApiApp;
  let client: Client;
  let endpoint: number;
  beforeAll(async () => {
    api = await ApiApp.start(kind);
    client = api.client();
    const room = (await client.rooms.create({ body: { title: 'Hall' } })).id;
    endpoint = (await client.endpoints.create({ body: { name: 'Members', room_id: room } })).id;
    const codes = Array.from({ length: 5000 }, (_, index) => `EVENT-${String(index).padStart(5, '0')}-x`);
    const file = new File([['needle-in-HAY', ...codes].join('\n')], 'codes.csv');
    await client.accessTokens.importFile({
      params: { id: endpoint },
      body: { column: '1', heading: false },
      files: { access_tokens_file: file },
    });
    await indexTokens(api.services);
  });
  afterAll(() => api.close());

  const search = async (text: string, more: object = {}) => {
    const { data, meta } = await client.accessTokens.list({ query: { search: text, ...more } });
    return { tokens: data.map(({ token }) => token), meta };
  };

  it('finds by any part from three characters, whatever the case, also what has just been added', async () => {
    for (const text of ['needle-in-HAY', 'needle', 'NEEDLE', 'ne', 'e-in-h', 'hay', 'hay needle'])
      expect([text, (await search(text)).tokens]).toEqual([text, ['needle-in-HAY']]);
    expect((await search('04321')).tokens).toEqual(['EVENT-04321-x']);
    expect((await search('zzz')).meta).toMatchObject({ total: 0, last_page: 1 });
    const { token } = await client.accessTokens.create({ body: { endpoint_id: endpoint, token: 'fresh-one' } });
    for (const text of ['fresh', 'esh-on']) expect((await search(text)).tokens).toEqual([token]);
  });

  it('lists at most a hundred, what was searched for first, and counts to a thousand', async () => {
    const { tokens, meta } = await search('vent-0');
    expect([tokens.length, meta]).toEqual([100, { total: 1000, page: 1, last_page: 1, is_more: true }]);
    expect(tokens.slice(0, 2)).toEqual(['EVENT-04999-x', 'EVENT-04998-x']);
    expect((await search('event-0000')).meta).toEqual({ total: 10, page: 1, last_page: 1 });
    await client.accessTokens.create({ body: { endpoint_id: endpoint, token: 'EVENT-0000' } });
    await client.accessTokens.create({ body: { endpoint_id: endpoint, token: 'EVENT-0000-later' } });
    expect((await search('event-0000')).tokens.slice(0, 3)).toEqual([
      'EVENT-0000',
      'EVENT-0000-later',
      'EVENT-00009-x',
    ]);
    const sorted = await search('vent-0', { endpoint_id: endpoint, sort: 'token' });
    expect(sorted.tokens).toEqual(sorted.tokens.toSorted());
  });

  it('compares by the normal form, and by what else narrows the list', async () => {
    for (const text of ['EVENT\u201100042', '\u200bEVENT-00042\u00a0', 'event\u201300042'])
      expect((await search(text)).tokens).toEqual(['EVENT-00042-x']);
    const id = (await client.accessTokens.list({ query: { search: 'EVENT-00042' } })).data[0]!.id;
    await api.services.db
      .updateTable('access_tokens')
      .set({ first_used_at: '2026-01-01T00:00:00.000Z' })
      .where('id', '=', id)
      .execute();
    expect((await search('vent-', { state: 'running' })).tokens).toEqual(['EVENT-00042-x']);
    expect((await search('vent-00042', { state: 'unused' })).tokens).toEqual([]);
    expect((await search('vent-', { before_id: id })).meta.total).toBe(42);
  });

  it('finds nothing of another organization, and nothing that was removed', async () => {
    const other = api.client(api.two.admin);
    expect((await other.accessTokens.list({ query: { search: 'needle' } })).data).toEqual([]);
    expect((await other.accessTokens.list({ query: { search: 'eedl' } })).data).toEqual([]);
    const { data } = await client.accessTokens.list({ query: { search: 'eedl' } });
    await client.accessTokens.remove({ params: { id: data[0]!.id } });
    expect((await search('eedl')).tokens).toEqual([]);
    await client.history.list({ query: {} });
  });

  it('finds composed and decomposed letters alike, in other lists as well', async () => {
    const room = (await client.rooms.create({ body: { title: 'Cafe\u0301 Zu\u0308rich' } })).id;
    await client.endpoints.create({ body: { name: 'Mu\u0308nchen', room_id: room } });
    for (const search of ['Café', 'Cafe\u0301', 'zürich']) {
      const { data } = await client.rooms.list({ query: { search } });
      expect([search, data.map(({ id }) => id)]).toEqual([search, [room]]);
    }
    for (const search of ['München', 'Mu\u0308nchen'])
      expect(await client.endpoints.list({ query: { search } })).toHaveLength(1);
  });

  it('finds tokens by the structure, and by the beginning of the holder', async () => {
    expect((await search('membe')).meta).toMatchObject({ total: 1000, is_more: true });
    const body = { endpoint_id: endpoint, token: 'held', holder_name: 'Ann Vos', holder_email: 'Ann@Example.com' };
    await client.accessTokens.create({ body });
    for (const text of ['ann', 'Ann V', 'ANN@example', 'ann@example.com'])
      expect((await search(text)).tokens).toEqual(['held']);
  });
});
