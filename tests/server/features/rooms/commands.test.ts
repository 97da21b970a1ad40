import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Client } from '../../../../src/contract/client.ts';
import { ApiApp, databases, refused } from '../../../harness/api-app.ts';

type Body = Parameters<Client['rooms']['commit']>[0]['body'];
type Sent = Body['commands'];

describe.each(databases)('commands on %s', (kind) => {
  let api: ApiApp;
  let client: Client;
  let id: number;
  let mutation: number;
  beforeAll(async () => {
    api = await ApiApp.start(kind);
    client = api.client();
  });
  beforeEach(async () => {
    id = (await client.rooms.create({ body: { title: 'Hall' } })).id;
    mutation = 0;
  });
  afterAll(() => api.close());

  const commit = (commands: Sent, more: Partial<Body> = {}) =>
    client.rooms.commit({ params: { id }, body: { client: 'desk', mutation: ++mutation, commands, ...more } });
  const read = () => client.rooms.read({ params: { id }, query: { seq: '1' } });
  const log = async (after = 0) => client.rooms.log({ params: { id }, query: { after } });
  const add = (element: Record<string, unknown>, place: object = {}): Sent[number] => ({
    type: 'element.add',
    element: { element: 'group', ...element },
    ...place,
  });
  const names = async () => (await read()).elements.map(({ name }) => name).join(' ');

  it('adds, changes, moves and removes in one call; new elements are named by numbers below 0', async () => {
    const { seq, ids } = await commit([
      add({ id: -1, name: 'A' }),
      add({ id: -2, element: 'text', name: 'B' }, { parent: -1 }),
      add({ id: -3, name: 'C' }),
      { type: 'element.update', id: -3, fields: { name: 'Sea', position_x: 5 } },
      { type: 'element.move', id: -3, parent: null, after: null },
      { type: 'room.update', fields: { title: 'Great hall', config: { ambient_light: 2 } } },
    ]);
    expect(seq).toBe(1);
    const room = await read();
    expect(room).toMatchObject({ title: 'Great hall', seq: 1, config: { ambient_light: 2 } });
    expect(room.elements.map((element) => element.id)).toEqual([ids['-3'], ids['-1']]);
    expect(room.elements[0]).toMatchObject({ name: 'Sea', position_x: 5 });
    expect(room.elements[1]!.children).toMatchObject([{ id: ids['-2'], name: 'B', parent_element_id: ids['-1'] }]);
    await commit([{ type: 'element.remove', id: ids['-1']! }]);
    expect(await names()).toBe('Sea');
  });

  it('takes numbers below 0 wherever a field refers to an element that the call adds', async () => {
    const here = (view_point_id: number) => ({ type: 'view_point', type_config: { view_point_id } });
    const { ids } = await commit([
      add({ id: -1, element: 'view_point', name: 'Door' }),
      add({ id: -2, element: 'button', name: 'Go' }),
      add({ id: -3, element: 'light', name: 'Spot', visible_at: [-1] }),
      { type: 'element.update', id: -2, fields: { visible_at: [-1], config: { navigation: here(-1) } } },
      { type: 'element.update', id: -3, fields: { config: { target: { type: 'Element', element_id: -2 } } } },
      {
        type: 'room.update',
        fields: { config: { start_view_point_id: -1, top_left_link: { name: 'Door', navigation: here(-1) } } },
      },
    ]);
    const [door, button] = [ids['-1']!, ids['-2']!];
    const room = await read();
    expect(room.config).toMatchObject({ start_view_point_id: door, top_left_link: { navigation: here(door) } });
    expect(room.elements[1]).toMatchObject({ visible_at: [door], config: { navigation: here(door) } });
    expect(room.elements[2]).toMatchObject({ visible_at: [door], config: { target: { element_id: button } } });
  });

  it('refuses settings in which no references can be read', async () => {
    const { ids } = await commit([add({ id: -1, element: 'button' })]);
    const wrong: object[] = [{ navigation: null }, { navigation: { type: 'view_point', type_config: 1 } }];
    for (const config of wrong) {
      const id = ids['-1']!;
      expect((await refused(commit([{ type: 'element.update', id, fields: { config } }]))).status).toBe(422);
      expect((await refused(commit([add({ id: -2, element: 'button', config })]))).status).toBe(422);
    }
    for (const top_left_link of ['Door', { name: 'Door', navigation: null }]) {
      const fields = { config: { top_left_link } };
      expect((await refused(commit([add({ id: -2 }), { type: 'room.update', fields }]))).status).toBe(422);
    }
  });

  it('gives elements that two programs put behind the same one keys of their own, and tells them', async () => {
    const send = (client: string, mutation: number, commands: Sent) =>
      api.client().rooms.commit({ params: { id }, body: { client, mutation, commands } });
    const { ids: first, indexes: all } = await send('one', 1, [add({ id: -1, name: 'A' }), add({ id: -2, name: 'D' })]);
    const after = first['-1']!;
    const [one, two] = [
      await send('one', 2, [add({ id: -1, name: 'C' }, { after })]),
      await send('two', 1, [add({ id: -1, name: 'B' }, { after })]),
    ];
    expect(await names()).toBe('A B C D');
    const keys = [all[after], two.indexes[two.ids['-1']!], one.indexes[one.ids['-1']!], all[first['-2']!]];
    expect((await read()).elements.map(({ index }) => index)).toEqual(keys);
    expect(keys.toSorted()).toEqual(keys);
    expect(new Set(keys).size).toBe(4);
    expect((await send('two', 1, [add({ id: -1, name: 'B' }, { after })])).indexes).toEqual(two.indexes);
  });

  it('takes places counted from 0, as programs of version 0.15 send them', async () => {
    const { ids } = await commit([
      add({ id: -1, name: 'A' }),
      add({ id: -2, name: 'B' }, { index: 0 }),
      add({ id: -3, name: 'C' }, { index: 1 }),
    ]);
    expect(await names()).toBe('B C A');
    await commit([{ type: 'element.move', id: ids['-2']!, parent: null, index: 2 }]);
    expect(await names()).toBe('C A B');
  });

  it('security 69: is done as a whole or not at all, and says which command is wrong and where', async () => {
    const before = await api.dump(['sessions', 'element_leases']);
    const error = await refused(
      commit([
        add({ id: -1, name: 'A' }),
        { type: 'element.update', id: -1, fields: { scale_x: 'wide' } },
        { type: 'room.update', fields: { title: 'Never' } },
      ]),
    );
    expect(error.status).toBe(422);
    expect(Object.keys(error.msg)).toEqual(['commands.1.scale_x']);
    const leaveOut = (text: string) => text.replace(/"revision":\d+/g, '');
    expect(leaveOut(await api.dump(['sessions', 'element_leases']))).toBe(leaveOut(before));
  });

  it('takes an element back under its id in the call that removes it, also one that no editor was leased the id of', async () => {
    const made = await client.rooms.addElement({ params: { id }, body: { element: 'text', name: 'Undone' } });
    const { ids } = await commit([add({ id: -1, name: 'Other' })]);
    await commit([
      { type: 'element.remove', id: made.id },
      { type: 'element.remove', id: ids['-1']! },
      add({ id: made.id, element: 'text', name: 'Undone' }),
      add({ id: ids['-1']!, name: 'Other' }),
    ]);
    expect((await read()).elements.map((element) => element.id)).toEqual([made.id, ids['-1']]);
    const other = await client.rooms.create({ body: { title: 'Elsewhere' } });
    const theirs = await client.rooms.addElement({ params: { id: other.id }, body: { element: 'text' } });
    const error = await refused(commit([add({ id: theirs.id, element: 'text' })]));
    expect(error.status).toBe(422);
  });

  it('tells of an element that is gone with the present place in the log', async () => {
    const { ids } = await commit([add({ id: -1 })]);
    const gone = ids['-1']!;
    await commit([{ type: 'element.remove', id: gone }]);
    const error = await refused(commit([{ type: 'element.update', id: gone, fields: { name: 'Late' } }]));
    expect([error.status, error.msg]).toEqual([409, { 'commands.0': [`Element ${gone} doesn't exist.`], seq: ['2'] }]);
  });

  it('security 69: does what is sent again once, and answers the same', async () => {
    const sent: Body = { client: 'desk', mutation: 7, commands: [add({ id: -1, name: 'Once' })] };
    const [first, ...others] = await Promise.all(
      Array.from({ length: 4 }, () => client.rooms.commit({ params: { id }, body: sent })),
    );
    for (const other of others) expect(other).toEqual(first);
    expect(await names()).toBe('Once');
    expect((await log()).entries).toHaveLength(1);
  });

  it('puts what comes at once in an order, behind the sibling that it names', async () => {
    const { ids } = await commit([add({ id: -1, name: 'A' }), add({ id: -2, name: 'B' })]);
    const behind = (name: string, mutation: number) =>
      client.rooms.commit({
        params: { id },
        body: {
          client: `from ${name}`,
          mutation: mutation + 1,
          commands: [add({ id: -1, name }, { after: ids['-1']! })],
        },
      });
    await Promise.all(['X', 'Y', 'Z'].map(behind));
    expect((await names()).split(' ').toSorted()).toEqual(['A', 'B', 'X', 'Y', 'Z']);
    expect((await names()).at(-1)).toBe('B');
    const { entries, seq } = await log();
    expect(entries.map((entry) => entry.seq)).toEqual([1, 2, 3, 4]);
    expect(seq).toBe(4);
    await commit([add({ id: -1, name: 'Last' }, { after: 999_999_999 })]);
    expect((await names()).endsWith('Last')).toBe(true);
  });

  it('security 67: takes ids of a lease, and of elements of the space that went, and no others', async () => {
    const { leased, seq } = await commit([], { lease: 3 });
    expect([leased.length, seq]).toEqual([3, 0]);
    await commit([add({ id: leased[1]!, name: 'Leased' })]);
    await commit([{ type: 'element.remove', id: leased[1]! }]);
    await commit([add({ id: leased[1]!, name: 'Back' })]);
    expect(await names()).toBe('Back');
    const theirs = api.client(api.two.admin);
    const far = await theirs.rooms.create({ body: { title: 'Far' } });
    const body: Body = { client: 'desk', mutation: 1, commands: [], lease: 1 };
    const [foreign] = (await theirs.rooms.commit({ params: { id: far.id }, body })).leased;
    for (const other of [foreign!, foreign! + 1000, 2_000_000_000]) {
      const error = await refused(commit([add({ id: other })]));
      expect([error.status, Object.keys(error.msg)]).toEqual([422, ['commands.0.element.id']]);
    }
    const twice = await refused(commit([add({ id: leased[0]! }), add({ id: leased[0]! })]));
    expect([twice.status, Object.keys(twice.msg)]).toEqual([422, ['commands.1']]);
    // What was leased is nobody else's: the calls that give ids by themselves go on behind it.
    const next = await client.rooms.addElement({ params: { id }, body: { element: 'group' } });
    expect(leased).not.toContain(next.id);
  });

  it('makes HTML safe, and keeps the log without what it took out', async () => {
    const body = `<p onclick="alert(1)">Hello</p><script>alert(2)</script>${'<b>long</b>'.repeat(2000)}`;
    const { ids } = await commit([add({ id: -1, element: 'html', config: { body } })]);
    const navigation = { type: 'modal_content', type_config: { title: '', content: '<img src=x onerror=alert(3)>' } };
    await commit([{ type: 'element.update', id: ids['-1']!, fields: { config: { navigation } } }]);
    const { entries } = await log();
    expect(JSON.stringify([entries, await read()])).not.toMatch(/alert|<script|onerror/);
    expect(JSON.stringify(entries)).toContain('Hello');
  });

  it('refuses files and templates of others, and more than it takes', async () => {
    const yours = await api.client(api.two.admin).templates.create({ body: { name: 'Theirs' } });
    const template = await refused(commit([{ type: 'room.update', fields: { template_id: yours.id } }]));
    expect([template.status, Object.keys(template.msg)]).toEqual([422, ['template_id']]);
    const file = await refused(commit([add({ id: -1, element: 'image', file_id: 4711 })]));
    expect([file.status, Object.keys(file.msg)]).toEqual([422, ['commands.0.element.file_id']]);
    const many = await refused(commit(Array.from({ length: 501 }, () => add({ id: -1 }))));
    expect(many.status).toBe(422);
    const deep = await refused(
      commit(
        Array.from({ length: 100 }, (_, level) => add({ id: -1 - level }, { parent: level === 0 ? null : -level })),
      ),
    );
    expect(deep.msg).toMatchObject({ [Object.keys(deep.msg)[0]!]: [expect.stringMatching(/nested deeper/)] });
  });

  it('is for who may change spaces of the organization', async () => {
    const theirs = api.client(api.two.admin);
    const body: Body = { client: 'desk', mutation: 1, commands: [add({ id: -1 })] };
    expect((await refused(theirs.rooms.commit({ params: { id }, body }))).status).toBe(404);
    expect((await refused(theirs.rooms.log({ params: { id } }))).status).toBe(404);
    const guest = api.client(await api.addUser(api.one, {}));
    expect((await refused(guest.rooms.commit({ params: { id }, body }))).status).toBe(403);
    expect((await refused(guest.rooms.log({ params: { id } }))).status).toBe(403);
  });

  it('gives its log from the end as well, part by part', async () => {
    for (const name of ['A', 'B', 'C', 'D', 'E']) await commit([add({ id: -1, name })]);
    const seqs = async (query: { before?: number; after?: number; limit?: number }) =>
      (await client.rooms.log({ params: { id }, query })).entries.map(({ seq }) => seq);
    expect(await seqs({ before: 6, limit: 2 })).toEqual([4, 5]);
    expect(await seqs({ before: 4, limit: 2 })).toEqual([2, 3]);
    expect(await seqs({ before: 2, limit: 2 })).toEqual([1]);
    expect(await seqs({ before: 5, after: 2 })).toEqual([3, 4]);
    expect(await seqs({ before: 1 })).toEqual([]);
  });

  it('has the edits of all other calls in its log, with who did them, and what takes them back', async () => {
    const sign = await client.rooms.addElement({ params: { id }, body: { element: 'text', name: 'Sign' } });
    await client.elements.update({ params: { id: sign.id }, body: { name: 'Board' } });
    await client.elements.hide({ params: { id: sign.id, hidden: '1' } });
    const copy = await client.elements.copy({ params: { id: sign.id } });
    await client.elements.reorder({ body: { sort: [copy.id, sign.id] } });
    await client.rooms.update({ params: { id }, body: { title: 'Foyer' } });
    await client.elements.remove({ params: { id: sign.id } });
    const { entries } = await log();
    expect(entries.map(({ commands }) => commands.map(({ type }) => type))).toEqual([
      ['element.add'],
      ['element.update'],
      ['element.update'],
      ['element.add'],
      ['element.move'],
      ['room.update'],
      ['element.remove'],
    ]);
    expect(entries[1]).toMatchObject({
      origin: 'api',
      client: null,
      commands: [{ fields: { name: 'Board' } }],
      inverses: [{ fields: { name: 'Sign' } }],
    });
    expect(entries.every(({ user }) => user?.name === entries[0]!.user?.name && user !== null)).toBe(true);
    expect((await log(5)).entries.map(({ seq }) => seq)).toEqual([6, 7]);
    // What changes nothing leaves nothing.
    await client.rooms.update({ params: { id }, body: { title: 'Foyer' } });
    expect((await log()).seq).toBe(7);
  });
});
