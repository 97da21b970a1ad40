import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ApiApp, databases } from '../../../harness/api-app.ts';

describe.each(databases)('imports of rooms in folders on %s', (kind) => {
  let api: ApiApp;
  beforeAll(async () => {
    api = await ApiApp.start(kind);
  });
  afterAll(() => api.close());

  it('match rooms by folder and name, and structures show the room in a folder', async () => {
    const client = api.client();
    const { id: parent_id } = await client.folders.create({ body: { name: 'Museum' } });
    const { id: east } = await client.folders.create({ body: { name: 'East', parent_id } });
    const items = ['', 'Museum', 'museum/east'].map((folder, at) => ({ title: 'Hall', folder, width: 500 + at }));
    const plan = await client.imports.rooms({ body: { items } });
    expect(plan).toMatchObject({ applied: true, counts: { create: 3 } });
    const rooms = (await client.rooms.list()).data;
    expect(rooms.map(({ folder_id }) => folder_id).sort()).toEqual([null, parent_id, east].sort());
    // Without a folder, the name is ambiguous.
    const refused = await client.imports.rooms({ body: { items: [{ title: 'Hall', width: 1 }] } });
    expect(refused.counts).toMatchObject({ wrong: 1, update: 0 });
    const again = await client.imports.rooms({ body: { items: [{ ...items[2], width: 900 }] } });
    expect(again.entries).toMatchObject([
      { action: 'update', id: rooms.find(({ folder_id }) => folder_id === east)!.id },
    ]);
    const structures = await client.imports.endpoints({
      body: { items: [{ path: 'hall', room: 'Hall', room_folder: 'Museum/East' }] },
    });
    expect(structures).toMatchObject({ applied: true });
    const [structure] = await client.endpoints.list();
    expect(structure!.room_id).toBe(rooms.find(({ folder_id }) => folder_id === east)!.id);
  });

  it('refuse folders that don’t exist, also those of other organizations', async () => {
    await api.client(api.two.admin).folders.create({ body: { name: 'Theirs' } });
    for (const folder of ['Theirs', 'Museum/None', 'East'])
      expect(await api.client().imports.rooms({ body: { items: [{ title: 'New', folder }] } })).toMatchObject({
        applied: false,
        entries: [
          { action: 'wrong', problems: [{ path: 'folder', reason: `There is no folder "${folder}". Add it first.` }] },
        ],
      });
  });

  it('keep places of blocks with changes of their own only for blocks of the organization', async () => {
    const client = api.client();
    const block = await client.blocks.create({ body: { name: 'Desk', element: { id: 1, element: 'group' } } });
    const theirs = await api
      .client(api.two.admin)
      .blocks.create({ body: { name: 'Theirs', element: { id: 1, element: 'group' } } });
    const place = (block_id: number) => ({
      id: 1,
      element: 'group',
      config: { block_id, block_version: 1, block_elements: [2] },
      children: [{ id: 2, element: 'text', name: 'Own' }],
    });
    const blockIn = async (title: string) => {
      const room = (await client.rooms.list({ query: { search: title } })).data[0]!;
      const [group] = (await client.rooms.read({ params: { id: room.id } })).elements;
      return (group!.config as { block_id: number | null }).block_id;
    };
    const items = [
      { title: 'Named', has_own_blocks: true, elements: [place(block.id)] },
      { title: 'Unnamed', elements: [place(block.id)] },
      { title: 'Foreign', has_own_blocks: true, elements: [place(theirs.id)] },
    ];
    await client.imports.rooms({ body: { items } });
    expect([await blockIn('Named'), await blockIn('Unnamed'), await blockIn('Foreign')]).toEqual([
      block.id,
      null,
      null,
    ]);
  });
});
