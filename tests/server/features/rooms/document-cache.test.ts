import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Client } from '../../../../src/contract/client.ts';
import { DocumentCache, readDocument } from '../../../../src/server/features/rooms/document-cache.ts';
import { lockRoom, touchRooms } from '../../../../src/server/features/rooms/queries.ts';
import { ApiApp, databases } from '../../../harness/api-app.ts';

describe.each(databases)('documents that a server keeps while another one changes the room, on %s', (kind) => {
  let api: ApiApp;
  let client: Client;
  let id: number;
  let cache: DocumentCache;
  beforeAll(async () => {
    api = await ApiApp.start(kind);
    client = api.client();
  });
  beforeEach(async () => {
    ({ id } = await client.rooms.create({ body: { title: 'Hall' } }));
    for (const name of ['One', 'Two', 'Three']) await add(name);
    cache = new DocumentCache();
    await look();
  });
  afterAll(() => api.close());

  const add = async (name: string) =>
    (await client.rooms.addElement({ params: { id }, body: { element: 'group', name } })).id;
  /** What the other server has of the room now, and what the rows say; it keeps it. */
  const look = () =>
    api.services.db.transaction().execute(async (db) => {
      const row = (await lockRoom(db, api.one.id, id))!;
      const [kept, stored] = [await cache.ofLocked(db, row), await readDocument(db, row)];
      cache.keep(row, kept);
      return { kept, stored };
    });
  const expectSame = async () => {
    const { kept, stored } = await look();
    expect(kept).toEqual(stored);
    return kept;
  };

  it('are brought up to date by the log', async () => {
    const group = await add('Wall');
    const inside = await add('Door');
    await client.elements.update({ params: { id: inside }, body: { parent_element_id: group, position_x: 5 } });
    await client.rooms.update({ params: { id }, body: { title: 'Court', config: { ambient_light: 2 } } });
    const before = await expectSame();
    await client.elements.update({ params: { id: group }, body: { name: 'Gate' } });
    const after = await expectSame();
    // What the edits did not touch is what was kept, and not read again.
    expect(after.elements[0]).toBe(before.elements[0]);
    await client.elements.remove({ params: { id: group } });
    expect((await expectSame()).elements.map(({ name }) => name)).toEqual(['One', 'Two', 'Three']);
  });

  it('are read anew where the log does not tell all of it', async () => {
    const { db } = api.services;
    const changed = await add('Four');
    await db.deleteFrom('room_commands').where('room_id', '=', id).where('seq', '<=', 4).execute();
    await expectSame();
    await client.elements.update({ params: { id: changed }, body: { name: 'Five' } });
    await touchRooms(db, api.one.id);
    await expectSame();
    for (let turn = 0; turn < 101; turn++)
      await client.elements.update({ params: { id: changed }, body: { position_x: turn } });
    await expectSame();
  });

  it('of a space that was removed and restored are not those of before', async () => {
    await client.rooms.remove({ params: { id } });
    const [removal] = (await client.history.list({ query: { removed: '1' } })).data;
    await client.history.restore({ params: { id: removal!.id } });
    await add('After');
    expect((await expectSame()).elements.at(-1)!.name).toBe('After');
  });
});
