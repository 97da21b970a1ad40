import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Client } from '../../../../src/contract/client.ts';
import { MAX_FOLDER_LEVELS, MAX_FOLDERS } from '../../../../src/contract/entities.ts';
import { ApiApp, databases, refused } from '../../../harness/api-app.ts';

describe.each(databases)('folders on %s', (kind) => {
  let api: ApiApp;
  let client: Client;
  let count = 0;
  beforeAll(async () => {
    api = await ApiApp.start(kind);
  });
  beforeEach(async () => {
    client = api.client((await api.addOrganization(`folders-${++count}.example`)).admin);
  });
  afterAll(() => api.close());

  const add = async (name: string, parent_id: number | null = null) =>
    (await client.folders.create({ body: { name, parent_id } })).id;
  const addRoom = async (title: string, folder_id: number | null = null) =>
    (await client.rooms.create({ body: { title, folder_id } })).id;
  const move = (id: number, parent_id: number | null) => client.folders.update({ params: { id }, body: { parent_id } });
  const titlesIn = async (folder_id: number) =>
    (await client.rooms.list({ query: { folder_id } })).data.map(({ title }) => title);

  it('holds spaces: a list shows those of a folder with its subfolders, or those in none', async () => {
    const museum = await add('Museum');
    const east = await add('East', museum);
    await addRoom('Lobby');
    await addRoom('Hall', museum);
    const copied = await addRoom('Attic', east);
    expect((await client.rooms.copy({ params: { id: copied } })).id).toBeGreaterThan(copied);
    expect(await titlesIn(museum)).toEqual(['Attic', 'Attic (copy)', 'Hall']);
    expect(await titlesIn(east)).toEqual(['Attic', 'Attic (copy)']);
    expect(await titlesIn(0)).not.toContain('Hall');
    expect(await titlesIn(0)).toContain('Lobby');
    expect(await titlesIn(999_999)).toEqual([]);
    expect((await client.folders.list()).map(({ name, parent_id, spaces }) => [name, parent_id, spaces])).toEqual([
      ['East', museum, 2],
      ['Museum', null, 1],
    ]);
  });

  it('moves many spaces in one job, and back', async () => {
    const museum = await add('Museum');
    const rooms = [await addRoom('One'), await addRoom('Two', museum)];
    const { seq } = await client.rooms.read({ params: { id: rooms[0]! }, query: { seq: '1' } });
    const run = async (folder_id: number | null) => {
      let job = await client.bulk.start({ body: { action: 'rooms.folder', ids: rooms, fields: { folder_id } } });
      while (job.state === 'running') job = await client.bulk.read({ params: { id: job.id } });
      return job;
    };
    expect(await run(museum)).toMatchObject({ changed: rooms, problems: [] });
    expect(await titlesIn(museum)).toEqual(['One', 'Two']);
    expect(await run(null)).toMatchObject({ changed: rooms, problems: [] });
    expect(await titlesIn(museum)).toEqual([]);
    expect((await run(999_999)).problems).toHaveLength(1);
    // The document of a space doesn't change.
    expect((await client.rooms.read({ params: { id: rooms[0]! }, query: { seq: '1' } })).seq).toBe(seq);
  });

  it('removes a folder: its spaces and subfolders move to its parent', async () => {
    const museum = await add('Museum');
    const east = await add('East', museum);
    const inner = await add('Inner', east);
    const room = await addRoom('Hall', east);
    await client.folders.remove({ params: { id: east } });
    expect(await titlesIn(museum)).toEqual(['Hall']);
    expect((await client.folders.list()).find(({ id }) => id === inner)).toMatchObject({ parent_id: museum });
    await client.folders.remove({ params: { id: museum } });
    expect((await client.rooms.list({ query: { folder_id: 0 } })).data.map(({ id }) => id)).toContain(room);
    // A restored space whose folder is gone is in no folder.
    await client.rooms.move({ params: { id: room }, body: { folder_id: inner } });
    await client.rooms.remove({ params: { id: room } });
    await client.folders.remove({ params: { id: inner } });
    const [entry] = (await client.bin.list({ query: {} })).data;
    await client.history.restore({ params: { id: entry!.id } });
    expect((await client.rooms.list({ query: { folder_id: 0 } })).data.map(({ id }) => id)).toContain(room);
  });

  it('restores a removed space into its folder', async () => {
    const museum = await add('Museum');
    const room = await addRoom('Hall', museum);
    await client.rooms.remove({ params: { id: room } });
    const [entry] = (await client.bin.list({ query: {} })).data;
    await client.history.restore({ params: { id: entry!.id } });
    expect(await titlesIn(museum)).toEqual(['Hall']);
  });

  it('refuses a name twice in one place, whatever its case, and slashes', async () => {
    const museum = await add('Musée');
    expect((await refused(add('MUSÉE'))).msg).toHaveProperty('name');
    await add('East', museum);
    await add('East');
    expect((await refused(add('A/B'))).msg).toHaveProperty('name');
    expect((await refused(add(' '))).msg).toHaveProperty('name');
    expect((await refused(client.folders.remove({ params: { id: museum } }))).code).toBe('invalid');
  });

  it(`refuses cycles, and more than ${MAX_FOLDER_LEVELS} levels`, async () => {
    let deepest: number | null = null;
    const chain: number[] = [];
    for (let level = 0; level < MAX_FOLDER_LEVELS; level++) {
      deepest = await add(`Level ${level}`, deepest);
      chain.push(deepest);
    }
    expect((await refused(add('Too deep', deepest))).msg).toHaveProperty('parent_id');
    expect((await refused(move(chain[0]!, chain[1]!))).msg).toHaveProperty('parent_id');
    expect((await refused(move(chain[0]!, chain[0]!))).msg).toHaveProperty('parent_id');
    const other = await add('Other');
    expect((await refused(move(chain[0]!, other))).msg).toHaveProperty('parent_id');
    expect(await move(chain[1]!, other)).toMatchObject({ parent_id: other });
  });

  it('two moves at once make no cycle', async () => {
    for (let round = 0; round < 5; round++) {
      const [one, two] = [await add(`One ${round}`), await add(`Two ${round}`)];
      const results = await Promise.allSettled([move(one, two), move(two, one)]);
      expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    }
  });

  it('a folder removed while spaces move into it leaves none in a missing folder', async () => {
    for (let round = 0; round < 5; round++) {
      const folder = await add('Busy');
      const rooms = await Promise.all([1, 2, 3].map((number) => addRoom(`Room ${round}-${number}`)));
      await Promise.allSettled([
        ...rooms.map((id) => client.rooms.move({ params: { id }, body: { folder_id: folder } })),
        client.folders.remove({ params: { id: folder } }),
      ]);
      const listed = (await client.rooms.list({ query: { folder_id: 0, search: `Room ${round}-` } })).data;
      expect(listed.map(({ id }) => id).sort((a, b) => a - b)).toEqual(rooms.toSorted((a, b) => a - b));
    }
  });

  it("refuses another organization's folder like a missing one", async () => {
    const theirs = await add('Theirs');
    client = api.client((await api.addOrganization(`folders-${++count}.example`)).admin);
    const room = await addRoom('Hall');
    const answers = await Promise.all(
      [theirs, 999_999].map(async (id) => [
        await refused(client.rooms.move({ params: { id: room }, body: { folder_id: id } })),
        await refused(client.folders.create({ body: { name: 'Below', parent_id: id } })),
        await refused(client.folders.update({ params: { id }, body: { name: 'Ours' } })),
        await refused(client.folders.remove({ params: { id } })),
        (await client.rooms.list({ query: { folder_id: id } })).meta.total,
      ]),
    );
    expect(answers[0]).toEqual(answers[1]);
  });

  it(`has at most ${MAX_FOLDERS} folders`, async () => {
    const { organization_id } = await api.services.db
      .selectFrom('folders')
      .select('organization_id')
      .where('id', '=', await add('First'))
      .executeTakeFirstOrThrow();
    const at = new Date(api.clock.now()).toISOString();
    const more = Array.from({ length: MAX_FOLDERS - 1 }, (_, index) => ({
      organization_id,
      name: `Folder ${index}`,
      parent_id: null,
      created_at: at,
      updated_at: at,
    }));
    await api.services.db.insertInto('folders').values(more).execute();
    expect((await refused(add('One more'))).code).toBe('invalid');
  });
});
