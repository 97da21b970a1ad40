import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MAX_ENDPOINT_ROWS } from '../../../../src/contract/calls/endpoints.ts';
import type { Client } from '../../../../src/contract/client.ts';
import { ApiApp, databases, refused } from '../../../harness/api-app.ts';

describe.each(databases)('the list of structures on %s', (kind) => {
  let api: ApiApp;
  let client: Client;
  let room_id: number;
  const ids = new Map<string, number>();

  const add = async (name: string, more: { parent?: string; is_visible?: boolean; is_protected?: boolean } = {}) => {
    const { parent, ...fields } = more;
    const parent_endpoint_id = parent === undefined ? null : ids.get(parent)!;
    const body = { name, room_id, parent_endpoint_id, ...fields };
    ids.set(name, (await client.endpoints.create({ body })).id);
  };
  const list = async (query: NonNullable<Parameters<Client['endpoints']['rows']>[0]>['query'] = {}) =>
    client.endpoints.rows({ query });
  const names = async (query?: Parameters<typeof list>[0]) => (await list(query)).data.map(({ name }) => name);

  beforeAll(async () => {
    api = await ApiApp.start(kind);
    client = api.client();
    room_id = (await client.rooms.create({ body: { title: 'Room' } })).id;
    await add('West', { is_visible: false });
    await add('East');
    await add('Hall 10', { parent: 'East', is_protected: true });
    await add('Hall 9', { parent: 'East' });
    await add('North');
  });
  afterAll(() => api.close());

  it('follows the tree, and has names, paths and counts of parents', async () => {
    const { data, meta } = await list();
    expect(meta).toMatchObject({ total: 5, last_page: 1 });
    expect(
      data.map(({ name, path, parent_name, children_count }) => [name, path, parent_name, children_count]),
    ).toEqual([
      ['West', '/west', null, 0],
      ['East', '/east', null, 2],
      ['Hall 10', '/east/hall-10', 'East', 0],
      ['Hall 9', '/east/hall-9', 'East', 0],
      ['North', '/north', null, 0],
    ]);
    expect(data[0]!.room).toMatchObject({ id: room_id, title: 'Room' });
  });

  it('is sorted by name, URL and time of change, flat', async () => {
    expect(await names({ sort: 'name' })).toEqual(['East', 'Hall 9', 'Hall 10', 'North', 'West']);
    expect(await names({ sort: '-path' })).toEqual(['West', 'North', 'Hall 10', 'Hall 9', 'East']);
    await client.endpoints.update({ params: { id: ids.get('East')! }, body: { is_timed: true } });
    expect((await names({ sort: '-updated' }))[0]).toBe('East');
  });

  it('is sorted by schedule: dates, daily starts, then those without one, in both directions', async () => {
    const plan = (name: string, body: Parameters<Client['endpoints']['update']>[0]['body']) =>
      client.endpoints.update({ params: { id: ids.get(name)! }, body });
    const zone = { show_countdown: true, time_zone: 'Europe/Amsterdam' };
    await plan('West', { ...zone, start_time: '20:00' });
    await plan('Hall 10', { ...zone, start_time: '09:30' });
    await plan('North', { ...zone, start_date: '2031-04-01', start_time: '10:00' });
    await plan('Hall 9', { ...zone, start_date: '2030-12-24', start_time: '23:00' });
    // A start time without an effect is no schedule.
    await plan('East', { is_timed: false, start_time: '01:00', time_zone: 'Europe/Amsterdam' });
    expect(await names({ sort: 'schedule' })).toEqual(['Hall 9', 'North', 'Hall 10', 'West', 'East']);
    expect(await names({ sort: '-schedule' })).toEqual(['West', 'Hall 10', 'North', 'Hall 9', 'East']);
    expect(await names({ sort: 'schedule', per_page: 2, page: 2 })).toEqual(['Hall 10', 'West']);
    expect(await names({ sort: 'schedule', state: 'protected' })).toEqual(['Hall 10']);
  });

  it('is filtered by state, level, parent and words; matches keep their parent', async () => {
    expect(await names({ state: 'hidden' })).toEqual(['West']);
    expect(await names({ state: 'protected' })).toEqual(['East', 'Hall 10']);
    expect(await names({ state: 'protected', sort: 'name' })).toEqual(['Hall 10']);
    expect(await names({ state: 'empty' })).toEqual([]);
    expect(await names({ level: 'top' })).toEqual(['West', 'East', 'North']);
    expect(await names({ parent_id: ids.get('East')! })).toEqual(['Hall 10', 'Hall 9']);
    expect(await names({ parent_id: ids.get('East')!, sort: 'name' })).toEqual(['Hall 9', 'Hall 10']);
    expect(await names({ level: 'top', sort: 'name' })).toEqual(['East', 'North', 'West']);
    expect(await names({ level: 'top', state: 'protected' })).toEqual([]);
    expect(await names({ search: 'east', room_id: 999_999 })).toEqual([]);
    expect(await names({ search: 'hall 9' })).toEqual(['East', 'Hall 9']);
    expect(await names({ search: 'east' })).toEqual(['East', 'Hall 10', 'Hall 9']);
    expect(await names({ room_id: 999_999 })).toEqual([]);
    const { id } = await client.endpoints.update({ params: { id: ids.get('North')! }, body: { shows: 'published' } });
    expect((await list({ state: 'closed' })).data.map((row) => row.id)).toEqual([id]);
  });

  it('begins a page between siblings with their parent', async () => {
    const { data, meta } = await list({ per_page: 3, page: 2 });
    expect(data.map(({ name }) => name)).toEqual(['East', 'Hall 9', 'North']);
    expect(meta).toMatchObject({ total: 5, last_page: 2 });
  });

  it('moves one structure before, after and below others', async () => {
    const move = (name: string, body: Parameters<Client['endpoints']['move']>[0]['body']) =>
      client.endpoints.move({ params: { id: ids.get(name)! }, body });
    await move('North', { parent_endpoint_id: null, before_id: ids.get('West')! });
    expect(await names({ level: 'top' })).toEqual(['North', 'West', 'East']);
    await move('North', { parent_endpoint_id: null, after_id: ids.get('West')! });
    expect(await names({ level: 'top' })).toEqual(['West', 'North', 'East']);
    const moved = await move('North', { parent_endpoint_id: ids.get('East')! });
    expect(moved.path).toBe('/east/north');
    expect(await names({ parent_id: ids.get('East')! })).toEqual(['Hall 10', 'Hall 9', 'North']);
    expect(await client.endpoints.addresses({ params: { id: moved.id } })).toMatchObject([{ path: '/north' }]);
    const { data } = await client.history.list({ query: { entity: 'endpoint', per_page: 1 } });
    expect(data[0]).toMatchObject({ action: 'update', after: { north: { parent_endpoint_id: ids.get('East') } } });
    expect((await refused(move('Hall 9', { parent_endpoint_id: null, before_id: moved.id }))).status).toBe(422);
    expect((await refused(move('East', { parent_endpoint_id: ids.get('West')! }))).status).toBe(422);
    const theirs = api.client(api.two.admin);
    expect(
      (await refused(theirs.endpoints.move({ params: { id: moved.id }, body: { parent_endpoint_id: null } }))).status,
    ).toBe(404);
    await move('North', { parent_endpoint_id: null });
  });

  it('of 5,000 structures stays small', async () => {
    const { db } = api.services;
    const { id: _, ...row } = await db
      .selectFrom('endpoints')
      .selectAll()
      .where('id', '=', ids.get('West')!)
      .executeTakeFirstOrThrow();
    const rows = Array.from({ length: 5000 }, (_, index) => ({
      ...row,
      name: `An exhibition of a usual length ${index}`,
      slug: `an-exhibition-of-a-usual-length-${index}`,
      index: `c${String(index).padStart(4, '0')}`,
    }));
    for (let from = 0; from < rows.length; from += 500)
      await db
        .insertInto('endpoints')
        .values(rows.slice(from, from + 500))
        .execute();
    const { data, meta } = await list({ per_page: MAX_ENDPOINT_ROWS });
    expect([data.length, meta.total]).toEqual([MAX_ENDPOINT_ROWS, 5005]);
    expect(JSON.stringify(data).length).toBeLessThan(200_000);
  });
});
