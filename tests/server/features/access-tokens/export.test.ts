import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Client } from '../../../../src/contract/client.ts';
import { ApiApp, databases } from '../../../harness/api-app.ts';

describe.each(databases)('the export of access tokens on %s', (kind) => {
  let api: ApiApp;
  let client: Client;
  const ids: number[] = [];
  beforeAll(async () => {
    api = await ApiApp.start(kind);
    client = api.client();
    const { id: room_id } = await client.rooms.create({ body: { title: 'Room' } });
    for (const name of ['Museum', 'Hall']) {
      const parent_endpoint_id = name === 'Hall' ? ids[0]! : null;
      const body = { name, room_id, parent_endpoint_id, is_protected: true };
      ids.push((await client.endpoints.create({ body })).id);
    }
    await client.accessTokens.create({ body: { endpoint_id: ids[0]!, token: 'early bird', holder_name: 'Eva' } });
    await client.accessTokens.create({
      body: { endpoint_id: ids[1]!, token: 'late', valid_till: '2001-01-01T00:00:00.000Z' },
    });
  });
  afterAll(() => api.close());

  const linesOf = async (query: NonNullable<Parameters<Client['accessTokens']['export']>[0]>['query'] = {}) =>
    (await client.accessTokens.export({ query })).replaceAll('"', '').trim().split('\r\n');

  it('has a heading, links to the structures, states and holders, newest first', async () => {
    const [heading, late, early] = await linesOf();
    expect(heading).toMatch(/^token,link,structure,state,holder_name,holder_email,/);
    expect(late).toMatch(/^late,https?:\/\/[^,]+\/museum\/hall#access_token=late,Hall,expired,/);
    expect(early).toMatch(/^early bird,https?:\/\/[^,]+\/museum#access_token=early%20bird,Museum,unused,Eva,/);
  });

  it('is filtered by structure and state, and logged', async () => {
    expect(await linesOf({ endpoint_id: ids[0]! })).toHaveLength(2);
    expect((await linesOf({ state: 'expired' }))[1]).toMatch(/^late,/);
    expect((await linesOf({ state: 'unused' }))[1]).toMatch(/^early bird,/);
    expect(await linesOf({ state: 'running' })).toHaveLength(1);
    const { data } = await client.audit.list({ query: { event: 'exported' } });
    expect(data[0]).toMatchObject({ subject: 'Access tokens', details: { state: 'running' } });
    expect(await linesOf({ search: 'arly' })).toHaveLength(2);
    expect(await api.client(api.two.admin).accessTokens.export({ query: {} })).not.toContain('early bird');
  });

  it('contains exactly what a search shows, however many tokens match', async () => {
    const { id: room_id } = await client.rooms.create({ body: { title: 'Arena' } });
    const { id } = await client.endpoints.create({ body: { name: 'Arena', room_id, is_protected: true } });
    const body = { endpoint_id: id, prefix: 'VIP-', length: 8 };
    await client.accessTokens.createMany({ body: { ...body, count: 2500 } });
    await client.accessTokens.createMany({ body: { ...body, prefix: 'crew ', count: 30 } });
    await client.accessTokens.create({ body: { endpoint_id: id, token: 'x1', holder_name: 'Vipul Rao' } });
    const searches = ['crew', 'rew', 'vipul rao', 'museum', 'early bird', 'x1', 'nothing like it', 'hall lat', '%'];
    for (const search of searches) {
      const exported = (await linesOf({ search })).slice(1).map((line) => line.split(',')[0]!);
      // Parts of the many new tokens are found once they are in the index.
      const shown = async () => {
        const { data } = await client.accessTokens.list({ query: { search, per_page: 1000 } });
        return data.map(({ token }) => token).toSorted();
      };
      await expect.poll(shown, { message: search }).toEqual(exported.toSorted());
    }
    expect(await linesOf({ search: 'vip' })).toHaveLength(1 + 2501);
    expect(await linesOf({ search: 'vip', endpoint_id: ids[0]! })).toHaveLength(1);
    expect(await linesOf({ search: 'arena', state: 'unused' })).toHaveLength(1 + 2531);
  });
});
