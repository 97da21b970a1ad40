import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Client } from '../../../../src/contract/client.ts';
import { RESERVED_SLUGS } from '../../../../src/contract/slug.ts';
import { ApiApp, databases, formOf, refused, type TestOrganization } from '../../../harness/api-app.ts';

describe.each(databases)('structures on %s', (kind) => {
  let api: ApiApp;
  let organization: TestOrganization;
  let client: Client;
  let room: number;
  let count = 0;
  beforeAll(async () => {
    api = await ApiApp.start(kind);
  });
  beforeEach(async () => {
    organization = await api.addOrganization(`host-${++count}.example`);
    client = api.client(organization.admin);
    room = (await client.rooms.create({ body: { title: 'Hall' } })).id;
  });
  afterAll(() => api.close());

  const add = (name: string, parent_endpoint_id: number | null = null, slug = '') =>
    client.endpoints.create({ body: { name, slug, room_id: room, parent_endpoint_id } });
  /** Slugs of the tree, such as a(b c). */
  const outline = async (search?: string): Promise<string> => {
    type Node = { slug: string; children: Node[] };
    const write = (list: Node[]): string =>
      list.map(({ slug, children }) => (children.length ? `${slug}(${write(children)})` : slug)).join(' ');
    return write(await client.endpoints.list({ query: search === undefined ? {} : { search } }));
  };
  const fields = async (attempt: Promise<unknown>) => {
    const error = await refused(attempt);
    return [error.status, ...Object.keys(error.msg)];
  };

  it('has the slug of its name, the defaults, and the space that it shows', async () => {
    const endpoint = await add('  The Great   Hall! ');
    expect(endpoint).toMatchObject({
      name: 'The Great   Hall!',
      slug: 'the-great-hall',
      is_visible: true,
      is_protected: false,
      room_id: room,
      room: { id: room, title: 'Hall', policies: { update: true, delete: true } },
      access_tokens_count: 0,
      children: [],
    });
    expect(await client.endpoints.read({ params: { id: endpoint.id } })).toEqual(endpoint);
    expect((await add('X', null, 'Ünder Ground')).slug).toBe('under-ground');
  });

  it('reads booleans as 0, 1, true and false, numbers, and nothing as null', async () => {
    const send = async (path: string, form: Record<string, string>) =>
      api.send('POST', `/api/v1/backend/endpoints${path}`, { token: organization.admin.token, form: formOf(form) });
    const made = await send('', {
      name: 'A',
      room_id: String(room),
      is_visible: '0',
      is_protected: 'true',
      start_time: '19:55',
      start_time_utc_offset: '-120',
      access_token_duration: '30',
    });
    expect(made.body.data).toMatchObject({
      is_visible: false,
      is_protected: true,
      start_time: '19:55',
      start_time_utc_offset: -120,
      access_token_duration: 30,
    });
    const changed = await send(`/${made.body.data.id}`, { start_time: '', access_token_duration: '', is_visible: '1' });
    expect(changed.body.data).toMatchObject({
      name: 'A',
      is_visible: true,
      is_protected: true,
      start_time: null,
      start_time_utc_offset: null,
      access_token_duration: null,
    });
    for (const [field, value] of [
      ['is_visible', '2'],
      ['access_token_duration', '4'],
      ['start_time', '25:00'],
      ['room_id', 'x'],
    ] as const)
      expect(Object.keys((await send(`/${made.body.data.id}`, { [field]: value })).body.msg)).toEqual([field]);
  });

  it('needs a title and a space', async () => {
    const body = { name: '', room_id: room };
    expect(await fields(client.endpoints.create({ body }))).toEqual([422, 'name']);
    expect(await fields(client.endpoints.create({ body: { name: 'A' } as never }))).toEqual([422, 'room_id']);
    expect(await fields(add('A', null, '世界'))).toEqual([422, 'slug']);
    expect(await fields(add('A', null, '!!!'))).toEqual([422, 'slug']);
  });

  it('has a slug of its own among its siblings, and none that the product uses', async () => {
    const a = await add('A');
    const b = await add('B');
    expect(await fields(add('a'))).toEqual([422, 'slug']);
    expect((await add('A', a.id)).slug).toBe('a');
    const rename = (slug: string) => client.endpoints.update({ params: { id: b.id }, body: { slug } });
    expect(await fields(rename('A'))).toEqual([422, 'slug']);
    expect((await rename('')).slug).toBe('b');
    expect((await rename('B')).slug).toBe('b');
    for (const slug of RESERVED_SLUGS.filter((reserved) => !reserved.includes('.')))
      expect(await fields(rename(slug))).toEqual([422, 'slug']);
    expect((await add('Admin', a.id)).slug).toBe('admin');
  });

  it('has no URL that a route of the server itself takes', () => {
    const routes = api.app.printRoutes({ commonPrefix: false });
    const first = [...routes.matchAll(/^(?: {4})?[├└]── \/?([^/\s]*)/gm)].map(([, segment]) => segment!);
    const fixed = new Set(first.filter((segment) => /^[\w-]+$/.test(segment)));
    expect(fixed.size).toBeGreaterThan(5);
    expect([...fixed].filter((segment) => !RESERVED_SLUGS.includes(segment))).toEqual([]);
  });

  it('stands on two levels at most', async () => {
    const a = await add('A');
    const b = await add('B', a.id);
    const c = await add('C');
    expect(await fields(add('D', b.id))).toEqual([422, 'parent_endpoint_id']);
    const move = (id: number, parent_endpoint_id: number | null) =>
      client.endpoints.update({ params: { id }, body: { parent_endpoint_id } });
    expect(await fields(move(a.id, c.id))).toEqual([422, 'parent_endpoint_id']);
    expect(await fields(move(c.id, c.id))).toEqual([422, 'parent_endpoint_id']);
    expect(await fields(move(c.id, 999_999))).toEqual([422, 'parent_endpoint_id']);
    await move(b.id, c.id);
    expect(await outline()).toBe('a c(b)');
    await move(b.id, null);
    expect(await outline()).toBe('a c b');
  });

  it('is copied to another place without its access tokens, with those below it when that is wanted', async () => {
    const params = { id: (await add('Museum')).id };
    const hall = await add('Hall', params.id);
    const body = { is_protected: true, start_time: '19:55', start_time_utc_offset: -60 };
    await client.endpoints.update({ params: { id: hall.id }, body });
    await client.accessTokens.create({ body: { endpoint_id: hall.id, token: 'secret' } });
    const beside = await client.endpoints.copy({ params: { id: hall.id }, body: {} });
    expect(beside).toMatchObject({
      ...body,
      name: 'Hall (copy)',
      slug: 'hall-copy',
      parent_endpoint_id: params.id,
      room_id: room,
      access_tokens_count: 0,
    });
    const copy = await client.endpoints.copy({ params, body: { name: 'Winter', slug: 'winter', children: true } });
    expect(copy).toMatchObject({ name: 'Winter', parent_endpoint_id: null });
    expect(await outline()).toBe('museum(hall hall-copy) winter(hall hall-copy)');
    await client.endpoints.copy({ params: { id: hall.id }, body: { slug: 'top', parent_endpoint_id: null } });
    expect(await outline()).toBe('museum(hall hall-copy) winter(hall hall-copy) top');
    const before = await api.dump();
    const attempts: [string, object][] = [
      ['slug', { slug: 'winter' }],
      ['slug', { slug: 'admin' }],
      ['parent_endpoint_id', { parent_endpoint_id: hall.id }],
      ['parent_endpoint_id', { parent_endpoint_id: copy.id, children: true }],
      ['parent_endpoint_id', { parent_endpoint_id: 999_999 }],
    ];
    for (const [field, given] of attempts)
      expect(await fields(client.endpoints.copy({ params, body: given })), field).toEqual([422, field]);
    expect(await api.dump()).toBe(before);
  });

  it('is found with what stands above and below it', async () => {
    const a = await add('Museum');
    await add('East wing', a.id);
    await add('West wing', a.id);
    await add('Park');
    expect(await outline('WING east')).toBe('museum(east-wing)');
    expect(await outline('museum')).toBe('museum(east-wing west-wing)');
    expect(await outline('nothing')).toBe('');
  });

  it('goes away with those below it', async () => {
    const a = await add('A');
    const b = await add('B', a.id);
    await add('C');
    await client.endpoints.remove({ params: { id: a.id } });
    expect(await outline()).toBe('c');
    expect((await refused(client.endpoints.read({ params: { id: b.id } }))).status).toBe(404);
  });

  it('is put into a new order, also under another parent, each once', async () => {
    const a = await add('A');
    const b = await add('B', a.id);
    const c = await add('C');
    const d = await add('B', c.id, 'b');
    const reorder = (sort: { id: number; children?: { id: number }[] }[]) =>
      client.endpoints.reorder({ body: { sort } });
    await reorder([
      { id: c.id, children: [{ id: b.id }] },
      { id: a.id, children: [{ id: d.id }] },
    ]);
    expect(await outline()).toBe('c(b) a(b)');
    expect((await client.endpoints.read({ params: { id: c.id } })).children[0]!.id).toBe(b.id);
    await reorder([{ id: b.id }, { id: a.id }, { id: c.id, children: [{ id: d.id }] }]);
    expect(await outline()).toBe('b a c(b)');
    const wrong = [
      [{ id: a.id }, { id: b.id }, { id: c.id }],
      [{ id: a.id }, { id: a.id }, { id: b.id }, { id: c.id }],
      [{ id: a.id }, { id: b.id }, { id: c.id }, { id: d.id }, { id: 999_999 }],
      [{ id: a.id }, { id: b.id }, { id: c.id }, { id: 999_999 }],
    ];
    for (const sort of wrong) expect(await fields(reorder(sort))).toEqual([422, 'sort']);
    expect(await fields(reorder([{ id: a.id }, { id: b.id }, { id: c.id }, { id: d.id }]))).toEqual([422, 'slug']);
    expect(await outline()).toBe('b a c(b)');
  });

  it('security 54: orders and removals at the same time leave a tree without doubles', async () => {
    const ids: number[] = [];
    for (let index = 0; index < 8; index++) ids.push((await add(`E${index}`)).id);
    const [first, ...others] = ids.map((id) => ({ id }));
    const orders = others.map((_, index) =>
      client.endpoints.reorder({
        body: { sort: [{ ...first!, children: others.slice(0, index) }, ...others.slice(index)] },
      }),
    );
    await Promise.allSettled([...orders, client.endpoints.remove({ params: { id: ids[7]! } })]);
    const tree = await client.endpoints.list();
    const all = tree.flatMap((endpoint) => [endpoint, ...endpoint.children]);
    expect(all.map(({ id }) => id).sort()).toEqual(ids.slice(0, 7).sort());
    expect(tree.every(({ children }) => children.every((child) => child.children.length === 0))).toBe(true);
  });

  it('security 54: structures that are moved below each other at the same time make no circle', async () => {
    const move = (id: number, parent_endpoint_id: number) =>
      client.endpoints.update({ params: { id }, body: { parent_endpoint_id } });
    for (let round = 0; round < 8; round++) {
      const [a, b] = [await add(`A${round}`), await add(`B${round}`)];
      const moves = await Promise.allSettled([move(a.id, b.id), move(b.id, a.id)]);
      expect(moves.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    }
  });

  it('refuses an edit of a version that is no longer current', async () => {
    const { id, updated_at } = await add('A');
    const change = () => client.endpoints.update({ params: { id }, body: { name: 'B', updated_at } });
    await change();
    expect((await refused(change())).code).toBe('stale');
  });
});
