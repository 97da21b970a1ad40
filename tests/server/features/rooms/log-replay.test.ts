import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { applyCommand, readCommand } from '../../../../engine/document/commands.ts';
import { flatRoom, type NestedRoom, type Room } from '../../../../engine/document/room.ts';
import { unpackText } from '../../../../src/server/core/packed-text.ts';
import { readDocument } from '../../../../src/server/features/rooms/document-cache.ts';
import { findBase, foldLogs } from '../../../../src/server/features/rooms/log-queries.ts';
import { findRoom } from '../../../../src/server/features/rooms/queries.ts';
import { ApiApp, databases } from '../../../harness/api-app.ts';
import { RandomEditor, seeded } from '../../../harness/random-editor.ts';

const DAY = 24 * 60 * 60 * 1000;
/** Editors at once, and calls that each sends. */
const [EDITORS, CALLS] = [5, 20];

describe.each(databases)('the log of a space on %s', (kind) => {
  let api: ApiApp;
  beforeAll(async () => {
    api = await ApiApp.start(kind);
  });
  afterAll(() => api.close());

  const freshAdmin = async () => ({ ...api.one.admin, token: await api.signIn(api.one.admin) });
  const rowsOf = async (id: number): Promise<Room> => {
    const row = await findRoom(api.services.db, api.one.id, id);
    return readDocument(api.services.db, row!);
  };

  it('is one order for all who edit: their documents, the rows and the log replayed are the same', async () => {
    const client = api.client();
    const { id } = await client.rooms.create({ body: { title: 'Hall' } });
    const editors = Array.from(
      { length: EDITORS },
      (_, index) => new RandomEditor(client, id, `editor ${index}`, seeded(index)),
    );
    await Promise.all(editors.map((editor) => editor.edit(CALLS)));
    await Promise.all(editors.map((editor) => editor.follow()));
    const rows = await rowsOf(id);
    expect(rows.elements.length).toBeGreaterThan(10);
    for (const editor of editors) expect(editor.room).toEqual(rows);
    expect(editors.every(({ sentTwice, done }) => sentTwice > 0 && done > CALLS / 2)).toBe(true);

    const base = (await findBase(api.services.db, id))!;
    const first = flatRoom(JSON.parse(await unpackText(base.content, 1e8)) as NestedRoom);
    let replayed: Room = first;
    const entries = await editors[0]!.wholeLog();
    for (const { commands } of entries)
      for (const command of commands) replayed = applyCommand(replayed, readCommand(command)).room;
    expect(replayed).toEqual(rows);

    // Taken back from the last to the first, the space is what it was.
    for (const { inverses } of entries.toReversed())
      for (const inverse of inverses) replayed = applyCommand(replayed, readCommand(inverse)).room;
    expect(replayed).toEqual(first);
  });

  it('is kept for 30 days: what is older becomes part of what it begins with', async () => {
    const client = api.client();
    const { id } = await client.rooms.create({ body: { title: 'Hall' } });
    const rename = (title: string) => client.rooms.update({ params: { id }, body: { title } });
    for (let turn = 1; turn <= 5; turn++) await rename(`Hall ${turn}`);
    api.clock.advance(29 * DAY);
    const later = api.client(await freshAdmin());
    await later.rooms.update({ params: { id }, body: { title: 'Hall 6' } });
    await foldLogs(api.services);
    expect((await later.rooms.log({ params: { id } })).entries).toHaveLength(6);
    api.clock.advance(2 * DAY);
    await foldLogs(api.services);
    const { seq, base, entries } = await api.client(await freshAdmin()).rooms.log({ params: { id } });
    expect([seq, base, entries.map((entry) => entry.seq)]).toEqual([6, 5, [6]]);
    const kept: Room = JSON.parse(await unpackText((await findBase(api.services.db, id))!.content, 1e8));
    expect(kept.title).toBe('Hall 5');
    const last = entries[0]!.commands.map(readCommand);
    const replayed = last.reduce((room, command) => applyCommand(room, command).room, kept);
    expect(replayed).toEqual(await rowsOf(id));
  });
});
