import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Client } from '../../../../src/contract/client.ts';
import { ApiApp, databases, refused } from '../../../harness/api-app.ts';

describe.each(databases)('addresses that structures had, on %s', (kind) => {
  let api: ApiApp;
  let client: Client;
  let room: number;
  beforeAll(async () => {
    api = await ApiApp.start(kind);
    client = api.client();
    room = (await client.rooms.create({ body: { title: 'Hall' } })).id;
  });
  beforeEach(async () => {
    for (const { id } of await client.endpoints.list()) await client.endpoints.remove({ params: { id } });
  });
  afterAll(() => api.close());

  const add = (slug: string, parent_endpoint_id: number | null = null) =>
    client.endpoints.create({ body: { name: slug, slug, room_id: room, parent_endpoint_id } });
  const move = (id: number, slug: string) => client.endpoints.update({ params: { id }, body: { slug } });
  const listed = async (id: number) => (await client.endpoints.addresses({ params: { id } })).map(({ path }) => path);
  /** Where an address leads: status, and what it names. */
  const leads = async (path: string) => {
    const { status, headers } = await api.send('GET', path);
    return [status, headers.get('location')];
  };

  it('lead to where it is now, with their query, in frames and as text', async () => {
    const { id } = await add('workshop');
    const inside = await add('bench', id);
    expect((await move(id, 'studio')).path).toBe('/studio');
    expect(await leads('/workshop?view=2')).toEqual([301, '/studio?view=2']);
    expect(await leads('/embed/workshop?autoload=1')).toEqual([301, '/embed/studio?autoload=1']);
    expect((await leads('/workshop?text'))[0]).toBe(301);
    expect(await leads('/workshop/bench')).toEqual([301, '/studio/bench']);
    expect((await api.send('GET', '/api/v1/endpoints/workshop/bench')).body.data).toMatchObject({
      id: inside.id,
      path: '/studio/bench',
    });
    expect(await listed(id)).toEqual(['/workshop']);
    expect(await listed(inside.id)).toEqual(['/workshop/bench']);
  });

  it('lead there after several moves, and no more where it came back to', async () => {
    const { id } = await add('one');
    await move(id, 'two');
    await move(id, 'three');
    expect(await leads('/one')).toEqual([301, '/three']);
    expect(await leads('/two')).toEqual([301, '/three']);
    await move(id, 'one');
    expect(await listed(id)).toEqual(['/three', '/two']);
    expect((await leads('/one'))[0]).not.toBe(301);
  });

  it('are kept when the tree is put into another order', async () => {
    const { id: outer } = await add('outer');
    const { id: inner } = await add('inner');
    await client.endpoints.reorder({ body: { sort: [{ id: outer, children: [{ id: inner }] }] } });
    expect(await leads('/inner')).toEqual([301, '/outer/inner']);
    await client.endpoints.reorder({ body: { sort: [{ id: inner }, { id: outer }] } });
    expect(await leads('/outer/inner')).toEqual([301, '/inner']);
  });

  it('belong to a later structure that has them, and to the old one again when that goes', async () => {
    const { id } = await add('door');
    await move(id, 'gate');
    const later = await add('door');
    expect((await leads('/door'))[0]).not.toBe(301);
    await client.endpoints.remove({ params: { id: later.id } });
    expect(await leads('/door')).toEqual([301, '/gate']);
  });

  it('lead nowhere when they are removed, or their structure is hidden', async () => {
    const { id } = await add('early');
    await move(id, 'late');
    await client.endpoints.update({ params: { id }, body: { is_visible: false } });
    expect((await leads('/early'))[0]).toBe(404);
    await client.endpoints.update({ params: { id }, body: { is_visible: true } });
    await client.endpoints.removeAddress({ params: { id }, body: { path: '/early' } });
    expect((await leads('/early'))[0]).toBe(404);
    expect((await refused(client.endpoints.removeAddress({ params: { id }, body: { path: '/early' } }))).status).toBe(
      404,
    );
  });
});
