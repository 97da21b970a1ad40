import sharp from 'sharp';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Client } from '../../../../src/contract/client.ts';
import { ApiApp, databases, refused } from '../../../harness/api-app.ts';
import { makeFilm } from '../../../harness/film.ts';

describe.each(databases)('elements on %s', (kind) => {
  let api: ApiApp;
  let client: Client;
  let room: number;
  beforeAll(async () => {
    api = await ApiApp.start(kind);
    client = api.client();
  });
  beforeEach(async () => {
    room = (await client.rooms.create({ body: { title: 'Hall' } })).id;
  });
  afterAll(() => api.close());

  type NewElement = Parameters<Client['rooms']['addElement']>[0]['body'];
  const add = (body: NewElement) => client.rooms.addElement({ params: { id: room }, body });
  const group = (name: string, parent_element_id: number | null = null) =>
    add({ element: 'group', name, parent_element_id });
  /** Names of the tree, such as A(B C). */
  const outline = async (): Promise<string> => {
    type Node = { name: string; children: Node[] };
    const write = (list: Node[]): string =>
      list.map(({ name, children }) => (children.length ? `${name}(${write(children)})` : name)).join(' ');
    return write((await client.rooms.read({ params: { id: room } })).elements as Node[]);
  };

  it('takes only panoramas as the file of a view point', async () => {
    const upload = async (width: number) => {
      const image = sharp({ create: { width, height: 32, channels: 3, background: '#405060' } });
      const file = new File([new Uint8Array(await image.png().toBuffer())], `${width}.png`);
      return (await client.media.upload({ body: {}, files: { file } })).id;
    };
    const [flat, whole] = [await upload(100), await upload(64)];
    const { id } = await add({ element: 'view_point' });
    const change = (file_id: number) => client.elements.update({ params: { id }, body: { file_id } });
    const { msg } = await refused(change(flat));
    expect(Object.values(msg).join()).toContain('Not a 360° photo');
    expect(await change(whole)).toMatchObject({
      file_id: whole,
      config: { file_url: expect.stringMatching(/^\/media/) },
    });
  });

  it('stands behind the last one of its parent, with the defaults of its type', async () => {
    const a = await group('A');
    await group('B');
    const child = await add({ element: 'image', name: 'C', parent_element_id: a.id, config: { title: 'Sea' } });
    expect(child).toMatchObject({ room_id: room, parent_element_id: a.id, scale_x: 1, hidden: false });
    expect(child.config).toMatchObject({ title: 'Sea', title_size: 24, navigation: { type: 'disabled' } });
    expect(await outline()).toBe('A(C) B');
    const flat = await client.elements.list({ query: { room_id: room } });
    expect(flat.map(({ name }) => name)).toEqual(['A', 'C', 'B']);
    expect(await client.elements.read({ params: { id: child.id } })).toEqual({ ...child, children: [] });
  });

  it('is listed with those of all spaces where none is named, in pages and as it was added', async () => {
    const first = await add({ element: 'group', name: 'Own A' });
    const hall = await client.rooms.create({ body: { title: 'Other' } });
    const second = await client.rooms.addElement({ params: { id: hall.id }, body: { element: 'text', name: 'Own B' } });
    const theirs = api.client(api.two.admin);
    const far = await theirs.rooms.create({ body: { title: 'Theirs' } });
    const foreign = await theirs.rooms.addElement({ params: { id: far.id }, body: { element: 'text' } });
    const all = await client.elements.list();
    expect(all.slice(-2).map(({ id }) => id)).toEqual([first.id, second.id]);
    expect(all.at(-1)).toEqual(second);
    expect(all.some(({ id }) => id === foreign.id)).toBe(false);
    const page = await client.elements.list({ query: { page: 2, per_page: all.length - 1 } });
    expect(page).toEqual([second]);
    expect((await refused(client.elements.list({ query: { per_page: 1001 } }))).status).toBe(400);
  });

  it('knows the type of its film, whatever was entered', async () => {
    const content = new Uint8Array(makeFilm());
    const { id: file_id } = await client.media.upload({ body: {}, files: { file: new File([content], 'film.mp4') } });
    const film = await add({ element: 'video', file_id, config: { type: 'local', mime: 'video/x-other' } });
    expect(film).toMatchObject({
      config: { mime: 'video/mp4', file_url: film.file!.url },
      file: { mime: 'video/mp4' },
    });
    const taken = await client.elements.update({ params: { id: film.id }, body: { file_id: null } });
    expect(taken.config).toMatchObject({ mime: '', file_url: '' });
    const typed = await add({ element: 'video', config: { type: 'local', mime: 'video/webm' } });
    expect(typed.config).toMatchObject({ mime: 'video/webm' });
    const { elements } = await client.rooms.read({ params: { id: room } });
    expect(elements.map(({ config }) => (config as { mime: string }).mime)).toEqual(['', 'video/webm']);
  });

  it('takes youtube as another name of a live stream of YouTube', async () => {
    const named = await add({ element: 'live_stream', config: { type: 'youtube', id: 'abc' } });
    expect(named.config).toMatchObject({ type: 'youtube_live', id: 'abc' });
    expect((await refused(add({ element: 'live_stream', config: { type: 5 } }))).status).toBe(422);
  });

  it('is held against the schema of its type, and faults are named by their path', async () => {
    const wrong = await refused(add({ element: 'image', config: { title_color: 'red', title_size: 0 } }));
    expect(wrong.status).toBe(422);
    expect(Object.keys(wrong.msg)).toEqual(['config.title_color', 'config.title_size']);
    const foreign = await refused(add({ element: 'group', config: { title: 'x' } }));
    expect(foreign.status).toBe(400);
    expect(Object.keys(foreign.msg)).toEqual(['config.title']);
    expect((await refused(add({ element: 'nothing' as 'group' }))).status).toBe(422);
    expect(await outline()).toBe('');
  });

  it('changes only what an edit names, settings one level deep', async () => {
    const { id } = await add({ element: 'image', name: 'A', width: 10, config: { title: 'Sea', author: 'Me' } });
    const changed = await client.elements.update({ params: { id }, body: { height: 20, config: { title: 'Lake' } } });
    expect(changed).toMatchObject({ name: 'A', width: 10, height: 20 });
    expect(changed.config).toMatchObject({ title: 'Lake', author: 'Me' });
    const error = await refused(client.elements.update({ params: { id }, body: { config: { title_size: -1 } } }));
    expect(Object.keys(error.msg)).toEqual(['config.title_size']);
  });

  it('security 55: refuses an edit of a version that is no longer current', async () => {
    const { id, updated_at } = await group('A');
    const { updated_at: current } = await client.elements.update({ params: { id }, body: { name: 'B', updated_at } });
    const error = await refused(client.elements.update({ params: { id }, body: { name: 'C', updated_at } }));
    expect(error.code).toBe('stale');
    expect(error.msg.updated_at).toEqual([current]);
  });

  it('takes an edit of an earlier version where nobody has changed the same fields since', async () => {
    const { id, updated_at } = await add({ element: 'image', name: 'A', config: { title: 'Sea' } });
    const parent = await group('Wall');
    const change = (body: object) => client.elements.update({ params: { id }, body });
    await change({ name: 'B', config: { title: 'Lake' } });
    const taken = await change({ width: 30, config: { author: 'Me' }, updated_at });
    expect(taken).toMatchObject({ name: 'B', width: 30, config: { title: 'Lake', author: 'Me' } });
    expect((await change({ name: 'B', updated_at })).name).toBe('B');
    expect((await refused(change({ config: { title: 'Pond' }, updated_at }))).code).toBe('stale');
    await change({ parent_element_id: parent.id, updated_at });
    expect((await refused(change({ parent_element_id: null, updated_at }))).code).toBe('stale');
    const future = '2999-01-01T00:00:00.000Z';
    for (const stamp of [future, 'long ago'])
      expect((await refused(change({ height: 5, updated_at: stamp }))).code).toBe('stale');
  });

  it('is visible within its times of day, and always when they are taken away', async () => {
    const { id, visible_between } = await add({
      element: 'group',
      start_time: '08:30',
      end_time: '20:00',
      utc_offset: -60,
    });
    expect(visible_between).toEqual({ from: 30_600, till: 72_000 });
    const open = await client.elements.update({ params: { id }, body: { start_time: null } });
    expect(open.visible_between).toEqual({ from: 0, till: 72_000 });
    const always = await client.elements.update({ params: { id }, body: { end_time: null } });
    expect(always).toMatchObject({ visible_between: null, utc_offset: null });
  });

  it('moves to another parent, but not into itself or another room', async () => {
    const a = await group('A');
    const b = await group('B', a.id);
    const c = await group('C');
    const move = (id: number, parent_element_id: number | null) =>
      client.elements.update({ params: { id }, body: { parent_element_id } });
    await move(b.id, c.id);
    expect(await outline()).toBe('A C(B)');
    for (const parent of [c.id, b.id]) {
      const error = await refused(move(c.id, parent));
      expect([error.status, Object.keys(error.msg)]).toEqual([422, ['parent_element_id']]);
    }
    const other = await client.rooms.create({ body: { title: 'Other' } });
    const far = await client.rooms.addElement({ params: { id: other.id }, body: { element: 'group' } });
    expect((await refused(move(a.id, far.id))).status).toBe(422);
    await move(b.id, null);
    expect(await outline()).toBe('A C B');
  });

  it('is nested 32 levels deep at most, also by moving', async () => {
    let parent: number | null = null;
    for (let depth = 0; depth <= 32; depth++) parent = (await group(`D${depth}`, parent)).id;
    const error = await refused(group('too deep', parent));
    expect([error.status, Object.keys(error.msg)]).toEqual([422, ['parent_element_id']]);
    const top = await group('T');
    await group('U', top.id);
    const all = await client.elements.list({ query: { room_id: room } });
    const last = all.find(({ name }) => name === 'D31')!;
    const move = client.elements.update({ params: { id: top.id }, body: { parent_element_id: last.id } });
    expect((await refused(move)).status).toBe(422);
  });

  it('is one of 20,000 in a room at most', async () => {
    const rows = Array.from({ length: 20_000 }, (_, place) => ({
      organization_id: api.one.id,
      room_id: room,
      index: `a${place}`,
      element: 'group',
      name: `E${place}`,
      hidden: 0,
      body: '{"config":{}}',
      created_at: '',
      updated_at: '',
    }));
    const { db } = api.services;
    for (let start = 0; start < rows.length; start += 2000)
      await db
        .insertInto('elements')
        .values(rows.slice(start, start + 2000))
        .execute();
    expect((await refused(group('one more'))).msg).toEqual({ error: ['A room can contain at most 20000 elements.'] });
    const { id } = await db.selectFrom('elements').select('id').where('room_id', '=', room).executeTakeFirstOrThrow();
    expect((await refused(client.elements.copy({ params: { id } }))).status).toBe(422);
    await client.elements.remove({ params: { id } });
    await group('the last one');
  });

  it('goes away with its children', async () => {
    const a = await group('A');
    const b = await group('B', a.id);
    await group('C');
    await client.elements.remove({ params: { id: a.id } });
    expect(await outline()).toBe('C');
    expect((await refused(client.elements.read({ params: { id: b.id } }))).status).toBe(404);
    expect((await refused(group('D', b.id))).status).toBe(422);
  });

  it('is copied with its children right behind itself, links inside pointing into the copy', async () => {
    const a = await group('A');
    const v = await add({ element: 'view_point', name: 'V', parent_element_id: a.id });
    const outside = await add({ element: 'view_point', name: 'O' });
    const to = (view_point_id: number) => ({ navigation: { type: 'view_point', type_config: { view_point_id } } });
    await add({ element: 'button', name: 'X', parent_element_id: a.id, config: to(v.id) });
    await add({ element: 'button', name: 'Y', parent_element_id: a.id, config: to(outside.id) });
    const copy = await client.elements.copy({ params: { id: a.id } });
    expect(await outline()).toBe('A(V X Y) A(V X Y) O');
    const below = (await client.elements.list({ query: { room_id: room } })).filter(
      ({ parent_element_id }) => parent_element_id === copy.id,
    );
    const named = Object.fromEntries(below.map((element) => [element.name, element]));
    expect(named.X!.config).toMatchObject(to(named.V!.id));
    expect(named.Y!.config).toMatchObject(to(outside.id));
  });

  it('is hidden and shown', async () => {
    const { id } = await group('A');
    expect((await client.elements.hide({ params: { id, hidden: '1' } })).hidden).toBe(true);
    expect((await client.elements.hide({ params: { id, hidden: '0' } })).hidden).toBe(false);
  });

  it('is put into a new order among its siblings; what is not named follows', async () => {
    const [a, b, c, d] = [await group('A'), await group('B'), await group('C'), await group('D')];
    const inside = await group('E', a.id);
    await client.elements.reorder({ body: { sort: [d.id, b.id] } });
    expect(await outline()).toBe('D B A(E) C');
    for (const sort of [
      [a.id, inside.id],
      [a.id, a.id],
      [a.id, 999_999],
    ]) {
      const error = await refused(client.elements.reorder({ body: { sort } }));
      expect([error.status, Object.keys(error.msg)]).toEqual([422, ['sort']]);
    }
    await client.elements.reorder({ body: { sort: [c.id, a.id, b.id, d.id] } });
    expect(await outline()).toBe('C A(E) B D');
  });

  it('security 54: orders and removals at the same time leave every key used once', async () => {
    const ids: number[] = [];
    for (let index = 0; index < 12; index++) ids.push((await group(`E${index}`)).id);
    const turned = (by: number) => [...ids.slice(by), ...ids.slice(0, by)];
    await Promise.allSettled(
      ids.flatMap((id, index) => [
        client.elements.reorder({ body: { sort: turned(index) } }),
        ...(index % 4 === 0 ? [client.elements.remove({ params: { id } })] : []),
      ]),
    );
    const left = await client.elements.list({ query: { room_id: room } });
    expect(left).toHaveLength(9);
    expect(new Set(left.map(({ parent_element_id, index }) => `${parent_element_id} ${index}`)).size).toBe(9);
  });

  it('security 54: elements that are added and moved at the same time get keys of their own, and no circle', async () => {
    const top = await group('T');
    await Promise.all(Array.from({ length: 12 }, (_, index) => group(`E${index}`, top.id)));
    const added = (await client.elements.list({ query: { room_id: room } })).filter(
      ({ parent_element_id }) => parent_element_id === top.id,
    );
    expect(new Set(added.map(({ parent_element_id, index }) => `${parent_element_id} ${index}`)).size).toBe(12);
    const move = (id: number, parent_element_id: number | null) =>
      client.elements.update({ params: { id }, body: { parent_element_id } });
    for (let round = 0; round < 8; round++) {
      const [a, b] = [await group('A'), await group('B')];
      await Promise.allSettled([move(a.id, b.id), move(b.id, a.id)]);
      const names = (await outline()).match(/\b[AB]\b/g);
      expect(names, 'a circle is in no tree').toHaveLength(2 * (round + 1));
    }
  });

  it('stands at whole numbers', async () => {
    const { id } = await group('A');
    const body = { position_x: 1.9, position_y: -1.1, rotation_y: 0.25, scale_z: 1.5 };
    const moved = await client.elements.position({ params: { id }, body });
    expect(moved).toMatchObject({ position_x: 1, position_y: -2, position_z: 0, rotation_y: 0.25, scale_z: 1.5 });
  });

  it('is added at whole numbers, too, and an unknown platform of a live stream is YouTube', async () => {
    const placed = { position_x: 1.9, position_y: -1.1, rotation_y: 0.25, scale_z: 1.5 };
    const added = await add({ element: 'live_stream', ...placed, config: { type: 'periscope', id: 'a' } });
    expect(added).toMatchObject({ position_x: 1, position_y: -2, position_z: 0, rotation_y: 0.25, scale_z: 1.5 });
    expect(added.config).toMatchObject({ type: 'youtube_live' });
  });

  it('security 35: keeps what an editor makes of its HTML, and nothing that runs', async () => {
    const body = [
      '<h2 class="ql-align-center">T</h2><ul><li data-list="bullet">x <strong>y</strong></li></ul>',
      '<a href="https://a.example/?b=1&amp;c=2">k</a>',
      '<a href="javascript:x()">j</a><a href="data:text/html,x">d</a><a href=" jav&#x09;ascript:x()">t</a>',
      '<img src="data:image/png;base64,AA"><img src="/media/a.png" onerror="x()"><iframe src="https://a.example"></iframe>',
      '<script>x()</script><style>*{}</style><svg><script>x()</script></svg><p style="color:#f00;background:url(//a.example)">p</p>',
    ].join('');
    const rich = await add({ element: 'rich_text', config: { body } });
    const page = await add({ element: 'html', config: { body } });
    for (const { config } of [rich, page] as { config: { body: string } }[]) {
      expect(config.body).toContain('<a href="https://a.example/?b=1&amp;c=2">k</a>');
      expect(config.body).toContain('<strong>y</strong>');
      expect(config.body).not.toMatch(/script|data:|onerror|iframe|<style|url\(|<svg/);
    }
    expect((rich.config as { body: string }).body).not.toContain('<img');
    expect((page.config as { body: string }).body).toContain('<img src="/media/a.png" />');
    expect((page.config as { body: string }).body).toContain('style="color:#f00"');
    const again = await client.elements.update({ params: { id: page.id }, body: { config: page.config } });
    expect(again.config).toEqual(page.config);
  });

  it('security 36: HTML nested without end is read all the same, and cut', async () => {
    const body = '<div>'.repeat(20_000);
    const { config } = await add({ element: 'html', config: { body } });
    expect((config as { body: string }).body.length).toBeLessThan(2000);
    const styled = await add({ element: 'html', config: { body: `<p style="${'{'.repeat(190_000)}">x</p>` } });
    expect(styled.config).toMatchObject({ body: '<p>x</p>' });
    const crowded = [
      ['config.body', { element: 'html', config: { body: '<b>'.repeat(20_001) } }],
      ['config.body', { element: 'rich_text', config: { body: '<p></p>'.repeat(10_001) } }],
      [
        'config.navigation.type_config.content',
        {
          element: 'button',
          config: { navigation: { type: 'modal_content', type_config: { content: '</b>'.repeat(20_001) } } },
        },
      ],
    ] as const;
    for (const [field, element] of crowded) {
      const { status, msg } = await refused(add(element));
      expect([status, Object.entries(msg)]).toEqual([422, [[field, [expect.stringContaining('at most 20,000 tags')]]]]);
    }
    const { status, msg } = await refused(
      client.rooms.update({ params: { id: room }, body: { description: '<i>'.repeat(20_001) } }),
    );
    expect([status, Object.keys(msg)]).toEqual([422, ['description']]);
    expect((await refused(add({ element: 'html', config: { body: 'a'.repeat(200_001) } }))).status).toBe(422);
    expect((await refused(add({ element: 'html', config: { body: '&'.repeat(100_000) } }))).status).toBe(422);
  });

  it('a row of an earlier version gets defaults for the settings that it lacks', async () => {
    const { id } = await add({ element: 'image', config: { title: 'Reeds' } });
    const { db } = api.services;
    const { body } = await db.selectFrom('elements').select('body').where('id', '=', id).executeTakeFirstOrThrow();
    const { config, ...rest } = JSON.parse(body);
    const old = JSON.stringify({ ...rest, config: { title: config.title } });
    await db.updateTable('elements').set({ body: old }).where('id', '=', id).execute();
    expect((await client.elements.read({ params: { id } })).config).toEqual(config);
    const [shown] = (await client.rooms.read({ params: { id: room } })).elements;
    expect(shown!.config).toEqual(config);
  });
});
