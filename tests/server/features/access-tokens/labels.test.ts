import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { calls } from '../../../../src/contract/calls.ts';
import type { Client } from '../../../../src/contract/client.ts';
import { ApiApp, databases } from '../../../harness/api-app.ts';

describe.each(databases)('group, note and last use of an access token on %s', (kind) => {
  let api: ApiApp;
  let client: Client;
  let endpoint: number;
  beforeAll(async () => {
    api = await ApiApp.start(kind);
    client = api.client();
    const room = (await client.rooms.create({ body: { title: 'Hall' } })).id;
    const body = { name: 'Hall', slug: 'hall', room_id: room, is_protected: true };
    endpoint = (await client.endpoints.create({ body })).id;
  });
  afterAll(() => api.close());

  const send = (content: string, body: object = {}) =>
    client.accessTokens.importFile({
      params: { id: endpoint },
      body,
      files: { access_tokens_file: new File([content], 'codes.csv') },
    });
  const found = async (query: object) =>
    (await client.accessTokens.list({ query })).data.map(({ token }) => token).toSorted();

  it('are set, imported from usual headings, filtered and found', async () => {
    const { id } = await client.accessTokens.create({
      body: { endpoint_id: endpoint, token: 'one', group: 'Press', note: 'Needs a ramp' },
    });
    expect(await client.accessTokens.read({ params: { id } })).toMatchObject({ group: 'Press', note: 'Needs a ramp' });
    await client.accessTokens.update({ params: { id }, body: { note: '' } });
    expect(await client.accessTokens.read({ params: { id } })).toMatchObject({ group: 'Press', note: null });
    await send('Barcode;Naam;Groep;Opmerkingen\nAAA-1;Ann;Speakers;"Vegetarian; aisle"\nAAA-2;Bob;Press;\n');
    await client.accessTokens.createMany({ body: { endpoint_id: endpoint, count: 2, group: 'Staff', prefix: 's-' } });
    expect(await client.accessTokens.groups()).toEqual(['Press', 'Speakers', 'Staff']);
    expect(await found({ group: 'Press' })).toEqual(['AAA-2', 'one']);
    expect(await found({ group: 'Staff', state: 'unused', endpoint_id: endpoint })).toHaveLength(2);
    for (const search of ['aisle', 'speak']) expect(await found({ search })).toEqual(['AAA-1']);
  });

  it('are in exports, which import the same again', async () => {
    const csv = await client.endpoints.exportTokens({ params: { id: endpoint } });
    expect(csv).toContain('token,holder_name,holder_email,group,note\r\n"one","","","Press",""\r\n');
    const links = await client.accessTokens.export({ query: { group: 'Speakers' } });
    expect(links.split('\r\n')[1]).toContain('"Ann","","Speakers","Vegetarian; aisle"');
    const json = await api.call(
      calls.endpoints.exportTokens,
      { id: endpoint },
      { query: 'format=json', token: api.one.admin.token },
    );
    const before = await client.accessTokens.list({ query: { sort: 'token', endpoint_id: endpoint } });
    for (const content of [csv, json.text]) {
      expect(await send(content)).toMatchObject({ accepted: 0, updated: 0 });
      const report = await send('token,group\none,Guests\n');
      expect(report).toMatchObject({ accepted: 0, updated: 1 });
      expect(await found({ group: 'Press' })).toEqual(['AAA-2']);
      await client.imports.undo({ params: { id: report.job! }, body: {} });
      expect(await found({ group: 'Press' })).toEqual(['AAA-2', 'one']);
      await send('one\n', { mode: 'replace' });
      expect(await found({ group: 'Press' })).toEqual(['AAA-2']);
      await api.services.db.deleteFrom('access_tokens').execute();
      await send(content);
      const after = await client.accessTokens.list({ query: { sort: 'token', endpoint_id: endpoint } });
      const labels = (list: typeof before) => list.data.map(({ token, group, note }) => ({ token, group, note }));
      expect(labels(after)).toEqual(labels(before));
    }
  });

  it('record the last use at most once a minute', async () => {
    const { id } = await client.accessTokens.create({ body: { endpoint_id: endpoint, token: 'used' } });
    const enter = async () => {
      const { status } = await api.call(calls.visit.enterOne, { slugOne: 'hall' }, { body: { access_token: 'used' } });
      expect(status).toBe(200);
      const { first_used_at, last_used_at, updated_at } = await client.accessTokens.read({ params: { id } });
      return { first_used_at, last_used_at, updated_at };
    };
    const first = await enter();
    expect(first.last_used_at).toBe(first.first_used_at);
    api.clock.advance(30_000);
    expect(await enter()).toEqual(first);
    api.clock.advance(31_000);
    const last = await enter();
    expect(last).toMatchObject({ first_used_at: first.first_used_at, updated_at: first.updated_at });
    expect(Date.parse(last.last_used_at!)).toBe(Date.parse(first.first_used_at!) + 61_000);
  });
});
