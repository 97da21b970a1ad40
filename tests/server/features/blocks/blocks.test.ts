import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Client } from '../../../../src/contract/client.ts';
import type { BlockContent, BulkJob } from '../../../../src/contract/entities.ts';
import { ApiApp, databases, refused } from '../../../harness/api-app.ts';
import { picture } from '../../../harness/media-requests.ts';

const to = (view_point_id: number) => ({ type: 'view_point', type_config: { view_point_id } });
const deskOf = (...children: object[]) => ({ id: 1, element: 'group', name: 'Desk', children });
const SEAT = { id: 2, element: 'view_point', name: 'Seat' };
const SIT = { id: 3, element: 'button', name: 'Sit', config: { navigation: to(2) } };

interface Nested {
  id: number;
  name: string;
  children: Nested[];
  config: Record<string, unknown>;
}

/** An element with ids below zero, as a new one. */
const asNew = ({ id, children, config, ...fields }: Nested, depth = 1): object => ({
  ...fields,
  id: -id * depth,
  children: children.map((child) => asNew(child, depth)),
  config: JSON.parse(JSON.stringify(config), (name, value) =>
    name === 'view_point_id' && value ? -value * depth : value,
  ),
});

describe.each(databases)('blocks on %s', (kind) => {
  let api: ApiApp;
  let client: Client;
  let block: BlockContent;
  beforeAll(async () => {
    api = await ApiApp.start(kind);
    client = api.client();
  });
  beforeEach(async () => {
    block = await client.blocks.create({ body: { name: 'Desk', element: deskOf(SEAT, SIT) } });
  });
  afterAll(() => api.close());

  const newRoom = async (title = 'Hall') => (await client.rooms.create({ body: { title } })).id;
  const commit = (room: number, ...commands: object[]) =>
    client.rooms.commit({
      params: { id: room },
      body: { client: `test ${room}`, mutation: ++mutation, commands: commands as never },
    });
  let mutation = 0;
  /** Adds places of the block to a room, and returns their ids. */
  const place = async (room: number, count = 1, of = block) => {
    const commands = Array.from({ length: count }, (_, nth) => {
      const element = asNew(of.element as never, 1 + nth * 1000) as Nested;
      const block_elements = element.children.map(({ id }) => id);
      const config = { ...element.config, block_id: of.id, block_version: of.version, block_elements };
      return { type: 'element.add', element: { ...element, name: `Place ${nth}`, position_x: nth * 100, config } };
    });
    const { ids } = await commit(room, ...commands);
    return commands.map(({ element }) => ids[element.id]!);
  };
  const change = (...children: object[]) =>
    client.blocks.update({ params: { id: block.id }, body: { element: deskOf(...children) } });
  const read = async (room: number) => {
    const { elements, config } = await client.rooms.read({ params: { id: room } });
    return { elements: elements as unknown as Nested[], config };
  };
  const ended = async (started: BulkJob): Promise<BulkJob> => {
    const job = () => client.bulk.read({ params: { id: started.id } });
    await expect.poll(async () => (await job()).state, { timeout: 60_000 }).toBe('ended');
    return job();
  };
  const updatePlaces = async (ids: number[], overwrite = false) =>
    ended(
      await client.bulk.start({
        body: { action: 'rooms.update_block', ids, fields: { block_id: block.id, overwrite } },
      }),
    );
  const undo = async ({ restorable }: BulkJob) =>
    ended(await client.bulk.start({ body: { action: 'bin.restore', ids: restorable } }));
  const updateIn = (room: number, as = client, id = block.id) =>
    as.blocks.updateIn({ params: { id: room }, body: { block_id: id } });
  const placesOf = async (id = block.id) => (await client.blocks.places({ params: { id } })).data;

  it('updates 50 places in 10 spaces with one job, and undoes all of it with one', async () => {
    const rooms: number[] = [];
    for (let nth = 0; nth < 10; nth++) rooms.push(await newRoom(`Space ${nth}`));
    for (const room of rooms) await place(room, 5);
    const before = await Promise.all(rooms.map(read));
    await change({ ...SEAT, name: 'Chair' }, { ...SIT, id: 3 }, { id: 9, element: 'text', name: 'Lamp' });
    const now = await client.blocks.read({ params: { id: block.id } });
    expect(now).toMatchObject({ version: 2, places: 50, outdated: 50, element_count: 4, room_ids: rooms });
    const job = await updatePlaces(rooms);
    expect(job).toMatchObject({ total: 10, finished: 10, changed: rooms, problems: [] });
    expect(job.restorable).toHaveLength(10);
    expect(await client.blocks.read({ params: { id: block.id } })).toMatchObject({ places: 50, outdated: 0 });
    for (const [nth, room] of rooms.entries()) {
      const { elements } = await read(room);
      for (const [at, { id, name, children, config }] of elements.entries()) {
        const old = before[nth]!.elements[at]!;
        expect([id, name]).toEqual([old.id, `Place ${at}`]);
        expect(children.map((each) => each.name)).toEqual(['Chair', 'Sit', 'Lamp']);
        // Elements that stay keep their ids, and links point to the copies.
        expect(children.slice(0, 2).map((each) => each.id)).toEqual(old.children.map((each) => each.id));
        expect(children[1]!.config.navigation).toMatchObject(to(children[0]!.id));
        expect(config.block_version).toBe(2);
      }
      const { entries } = await client.rooms.log({ params: { id: room } });
      expect(entries.map(({ origin }) => origin)).toEqual(['api', 'block']);
      const { data } = await client.history.list({ query: { room_id: room, entity: 'room', per_page: 1 } });
      expect(data[0]!.after).toMatchObject({ block: 'Desk', block_version: 2, block_places: 5 });
    }
    const undone = await undo(job);
    expect(undone).toMatchObject({ total: 10, problems: [] });
    expect(await Promise.all(rooms.map(read))).toEqual(before);
    expect(await client.blocks.read({ params: { id: block.id } })).toMatchObject({ version: 2, outdated: 50 });
  });

  it('skips places with changes of their own unless they are to be overwritten; undo restores them', async () => {
    const room = await newRoom();
    const [first, second] = await place(room, 2);
    const { elements } = await read(room);
    await commit(room, { type: 'element.update', id: elements[0]!.children[0]!.id, fields: { name: 'My own' } });
    await commit(room, { type: 'element.update', id: second, fields: { name: 'Moved', position_y: 7, hidden: true } });
    expect((await placesOf()).map(({ element_id, is_changed }) => [element_id, is_changed])).toEqual([
      [first, true],
      [second, false],
    ]);
    await change({ ...SEAT, name: 'Chair' }, SIT);
    const before = await read(room);
    const job = await updatePlaces([room]);
    expect(job).toMatchObject({ changed: [room], problems: ['“Place 0” was changed in Hall.'] });
    const names = async () => (await read(room)).elements.map(({ name, children }) => [name, children[0]!.name]);
    expect(await names()).toEqual([
      ['Place 0', 'My own'],
      ['Moved', 'Chair'],
    ]);
    const again = await updatePlaces([room], true);
    expect(again).toMatchObject({ changed: [room], problems: [] });
    expect((await names())[0]).toEqual(['Place 0', 'Chair']);
    await undo(again);
    await undo(job);
    expect(await read(room)).toEqual(before);
    // Nothing is left to undo.
    expect((await undo(job)).problems.join()).toContain('has been changed since');
  });

  it('undoes unchanged places, keeps later changes, and names the places that stay', async () => {
    const room = await newRoom();
    const [first, second] = (await place(room, 2)) as [number, number];
    await change({ ...SEAT, name: 'Chair' }, SIT);
    const job = await updatePlaces([room]);
    const { elements } = await read(room);
    await commit(room, { type: 'element.update', id: elements[0]!.children[0]!.id, fields: { name: 'Later' } });
    await commit(room, { type: 'element.update', id: second, fields: { position_x: 5 } });
    await commit(room, { type: 'element.add', element: { id: -1, element: 'text', name: 'New' } });
    const { problems } = await undo(job);
    expect(problems.join()).toContain('“Place 0” has been changed since in Hall');
    const after = await read(room);
    expect(after.elements.map(({ name, children }) => [name, children[0]?.name])).toEqual([
      ['Place 0', 'Later'],
      ['Place 1', 'Seat'],
      ['New', undefined],
    ]);
    const versions = (await placesOf()).map(({ element_id, version }) => [element_id, version]);
    expect(versions).toEqual([
      [first, 2],
      [second, 1],
    ]);
  });

  it('updates each place once if two updates run at the same time', async () => {
    const room = await newRoom();
    await place(room, 3);
    await change({ ...SEAT, name: 'Chair' }, SIT);
    const both = await Promise.all([updateIn(room), updateIn(room)]);
    expect(both.map(({ updated }) => updated).toSorted()).toEqual([0, 3]);
    const { entries } = await client.rooms.log({ params: { id: room } });
    expect(entries).toHaveLength(2);
  });

  it('numbers versions, keeps the name alone at one, and refuses an outdated change', async () => {
    const stale = block.updated_at;
    const params = { id: block.id };
    const renamed = await client.blocks.update({ params, body: { name: 'Table', updated_at: stale } });
    expect(renamed).toMatchObject({ name: 'Table', version: 1 });
    // Content as it was read is no new version.
    expect(await client.blocks.update({ params, body: renamed as never })).toMatchObject({ version: 1 });
    expect(await refused(client.blocks.update({ params, body: { name: 'Late', updated_at: stale } }))).toMatchObject({
      status: 409,
    });
    expect(await change(SEAT)).toMatchObject({ version: 2, element_count: 2 });
    const old = await client.blocks.read({ params, query: { version: 1 } });
    expect((old.element as unknown as Nested).children).toHaveLength(2);
    expect(await refused(client.blocks.read({ params, query: { version: 9 } }))).toMatchObject({ status: 404 });
    for (let nth = 0; nth < 20; nth++) await change({ ...SEAT, name: `Seat ${nth}` });
    expect(await refused(client.blocks.read({ params, query: { version: 1 } }))).toMatchObject({ status: 404 });
    const { data, meta } = await client.blocks.list({ query: { search: 'tab', per_page: 1 } });
    expect([data.map(({ name }) => name), meta.total]).toEqual([['Table'], 1]);
  });

  it('updates a place of a version that is no longer stored only if changes are overwritten', async () => {
    const room = await newRoom();
    await place(room);
    for (let nth = 0; nth < 21; nth++) await change({ ...SEAT, name: `Seat ${nth}` });
    expect(await placesOf()).toMatchObject([{ version: 1, is_changed: true }]);
    expect(await updateIn(room)).toEqual({ room: 'Hall', updated: 0, skipped: ['Place 0'] });
    expect((await updatePlaces([room], true)).changed).toEqual([room]);
    expect(await placesOf()).toMatchObject([{ version: 22, is_changed: false }]);
  });

  it('keeps places when a block is removed, and connects them again when it is restored', async () => {
    const room = await newRoom();
    const [id] = (await place(room)) as [number];
    const before = await read(room);
    await client.blocks.remove({ params: { id: block.id } });
    expect(await read(room)).toEqual(before);
    expect(await refused(updateIn(room))).toMatchObject({ status: 404 });
    // Removing a place and undoing that still works.
    const { entries } = await client.rooms.log({ params: { id: room } });
    await commit(room, { type: 'element.remove', id });
    const added = entries.at(-1)!.commands[0] as { element: object };
    await commit(room, { type: 'element.add', element: added.element });
    expect(await read(room)).toEqual(before);
    const [entry] = (await client.bin.list({ query: { entity: 'block' } })).data;
    expect(entry).toMatchObject({ name: 'Desk' });
    await client.history.restore({ params: { id: entry!.id } });
    expect(await client.blocks.read({ params: { id: block.id } })).toMatchObject({ version: 1, places: 1 });
    await change(SEAT);
    expect(await updateIn(room)).toEqual({ room: 'Hall', updated: 1, skipped: [] });
  });

  it('belongs to one organization', async () => {
    const other = api.client(api.two.admin);
    const room = (await other.rooms.create({ body: { title: 'Theirs' } })).id;
    const params = { id: block.id };
    for (const call of [
      () => other.blocks.read({ params }),
      () => other.blocks.update({ params, body: { name: 'Mine' } }),
      () => other.blocks.remove({ params }),
      () => other.blocks.places({ params }),
      () => updateIn(room, other),
    ])
      expect(await refused(call())).toMatchObject({ status: 404 });
    const config = { block_id: block.id, block_version: 1, block_elements: [] };
    const add = other.rooms.addElement({ params: { id: room }, body: { element: 'group', config } });
    expect(await refused(add)).toMatchObject({
      status: 422,
      msg: { 'commands.0.element.config.block_id': [`Block ${block.id} doesn't exist.`] },
    });
    const group = await other.rooms.addElement({ params: { id: room }, body: { element: 'group' } });
    expect(await refused(other.elements.update({ params: { id: group.id }, body: { config } }))).toMatchObject({
      status: 422,
    });
    expect(await updatePlaces([room], true)).toMatchObject({ changed: [] });
    expect((await client.blocks.read({ params })).places).toBe(0);
  });

  it('refuses content that is no group, too large, too deep, or has files of others', async () => {
    const create = (element: object) => refused(client.blocks.create({ body: { name: 'New', element } as never }));
    const texts = (count: number) => Array.from({ length: count }, (_, at) => ({ id: at + 2, element: 'text' }));
    let deep: object = { id: 99, element: 'group' };
    for (let id = 98; id > 50; id--) deep = { id, element: 'group', children: [deep] };
    const file = new File([picture().content], 'theirs.png');
    const theirs = await api.client(api.two.admin).media.upload({ body: {}, files: { file } });
    expect(await create({ id: 1, element: 'text' })).toMatchObject({ status: 422 });
    expect((await create(deskOf(...texts(500)))).msg).toEqual({
      element: ['A block can contain at most 500 elements.'],
    });
    expect(await create(deep)).toMatchObject({ status: 422 });
    expect(await create(deskOf({ id: 2, element: 'image', file_id: theirs.id }))).toMatchObject({ status: 422 });
    expect(await create(deskOf({ id: 2, element: 'text' }, { id: 2, element: 'text' }))).toMatchObject({ status: 422 });
    expect(await create(deskOf({ id: 2, element: 'text', position_x: 'far' }))).toMatchObject({ status: 422 });
    const long = `<p>${'word '.repeat(20_000)}</p>`;
    const pages = Array.from({ length: 12 }, (_, at) => ({ id: at + 2, element: 'html', config: { body: long } }));
    expect((await create(deskOf(...pages))).msg).toEqual({
      element: ['The block is too large. Make several blocks of it.'],
    });
    const { element } = await client.blocks.create({
      body: {
        name: 'Safe',
        element: deskOf({ id: 2, element: 'html', config: { body: '<script>1</script><p>Hi</p>' } }),
      },
    });
    expect(JSON.stringify(element)).not.toContain('script');
  });

  it('refuses an update that makes a space too deep, and reports it', async () => {
    const room = await newRoom();
    let parent: number | null = null;
    for (let level = 0; level < 31; level++) {
      const { ids } = await commit(room, { type: 'element.add', parent, element: { id: -1, element: 'group' } });
      parent = ids[-1]!;
    }
    const [id] = (await place(room)) as [number];
    await commit(room, { type: 'element.move', id, parent });
    await change({
      id: 2,
      element: 'group',
      children: [{ id: 3, element: 'group', children: [{ id: 4, element: 'text' }] }],
    });
    const before = await read(room);
    expect((await updatePlaces([room])).problems.join()).toContain('nested deeper than 32');
    expect(await read(room)).toEqual(before);
    await change({ id: 2, element: 'text' });
    expect(await updateIn(room)).toMatchObject({ updated: 1 });
  });

  it('stays connected in a copy of its space, and in an import of the same space', async () => {
    const room = await newRoom('Original');
    await place(room);
    const copy = await client.rooms.copy({ params: { id: room } });
    const { elements } = await read(copy.id);
    const [group] = elements;
    expect(group!.config).toMatchObject({ block_id: block.id, block_elements: group!.children.map(({ id }) => id) });
    const document = await client.rooms.read({ params: { id: room } });
    const {
      timestamp_current: _1,
      timestamp_start_of_day: _2,
      timestamp_end_of_day: _3,
      policies: _4,
      updated_at: _5,
      ...item
    } = document as never as Record<string, unknown>;
    const imported = { ...item, title: 'Imported', name: 'Imported' };
    await client.imports.rooms({ body: { items: [imported] } as never });
    const places = await placesOf();
    expect(places.map((each) => each.room)).toEqual(['Original', 'Original (copy)', 'Imported']);
    // Another server's block of the same id has other content.
    const text = JSON.stringify({ ...imported, title: 'Foreign', name: 'Foreign' }).replaceAll('Seat', 'Tree');
    await client.imports.rooms({ body: { items: [JSON.parse(text)] } as never });
    expect(await placesOf()).toHaveLength(3);
    await change(SEAT);
    const rooms = (await client.blocks.read({ params: { id: block.id } })).room_ids;
    expect((await updatePlaces(rooms)).changed).toHaveLength(3);
  });

  it('uses its files: they are in use, and removing one takes it from the block and its places', async () => {
    const file = new File([picture().content], 'desk.png');
    const media = await client.media.upload({ body: {}, files: { file } });
    block = await client.blocks.create({
      body: { name: 'Sign', element: deskOf({ id: 2, element: 'image', file_id: media.id }) },
    });
    expect((block.element as unknown as { children: { file: { url: string } }[] }).children[0]!.file.url).toBe(
      media.url,
    );
    const room = await newRoom();
    await place(room);
    const remove = (force?: '1') =>
      client.media.remove({ params: { id: media.id }, query: { ...(force && { force }) } });
    expect(await refused(remove())).toMatchObject({ msg: { error: expect.arrayContaining(['Block Sign']) } });
    await remove('1');
    expect(await placesOf()).toMatchObject([{ is_changed: false }]);
    expect(JSON.stringify((await client.blocks.read({ params: { id: block.id } })).element)).toContain(
      '"file_id":null',
    );
  });

  it('undoes an update and restores a block without files that have been removed since, and names them', async () => {
    const file = new File([picture().content], 'desk.png');
    const media = await client.media.upload({ body: {}, files: { file } });
    const sign = { id: 2, element: 'image', name: 'Sign', file_id: media.id };
    block = await client.blocks.create({ body: { name: 'Sign', element: deskOf(sign) } });
    const room = await newRoom();
    await place(room, 2);
    await change(SEAT);
    const job = await updatePlaces([room]);
    await client.blocks.remove({ params: { id: block.id } });
    await client.media.remove({ params: { id: media.id }, query: { force: '1' } });
    const undone = await undo(job);
    expect(undone).toMatchObject({ changed: job.restorable, problems: [`Not restored: File ${media.id}.`] });
    const bare = { children: [{ name: 'Sign', file_id: null }] };
    expect((await read(room)).elements).toMatchObject([bare, bare]);
    const [entry] = (await client.bin.list({ query: { entity: 'block' } })).data;
    const { missing } = await client.history.restore({ params: { id: entry!.id } });
    expect(missing).toEqual([`File ${media.id}`]);
    const old = await client.blocks.read({ params: { id: block.id }, query: { version: 1 } });
    expect(old.element).toMatchObject(bare);
    expect((await placesOf()).map(({ is_changed }) => is_changed)).toEqual([false, false]);
  });

  it('names the spaces of skipped places: equal names in two spaces are two problems', async () => {
    const rooms = [await newRoom('Hall'), await newRoom('Annex')];
    for (const room of rooms) {
      await place(room);
      const { elements } = await read(room);
      await commit(room, { type: 'element.update', id: elements[0]!.children[0]!.id, fields: { name: 'My own' } });
    }
    await change(SEAT);
    const { problems } = await updatePlaces(rooms);
    expect(problems).toEqual(['“Place 0” was changed in Hall.', '“Place 0” was changed in Annex.']);
  });

  it('shows visitors an ordinary group', async () => {
    const room = await newRoom();
    await place(room);
    await client.endpoints.create({ body: { name: 'Entrance', slug: `entrance-${room}`, room_id: room } });
    const text = JSON.stringify(await client.visit.one({ params: { slugOne: `entrance-${room}` } }));
    expect(text).toContain('Seat');
    expect(text).not.toMatch(/"block_\w+":[^n]/);
  });
});
