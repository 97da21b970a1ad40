import { when } from 'mobx';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { findElement, flatten } from '../../engine/document/tree.ts';
import { createClient } from '../../src/contract/client.ts';
import { newElement } from '../../src/editor/canvas/add-at.ts';
import type { OldEntry } from '../../src/editor/saving/old-queue.ts';
import { ApiApp } from '../harness/api-app.ts';
import {
  add,
  clientWith,
  endHeadless,
  type HeadlessEditor,
  isLease,
  openHeadless,
  outline,
  rename,
  saved,
} from '../harness/headless-editor.ts';
import { picture } from '../harness/media-requests.ts';
import { MemoryQueue } from '../harness/memory-queue.ts';

let api: ApiApp;
beforeAll(async () => {
  api = await ApiApp.start('sqlite');
});
afterAll(() => api.close());
afterEach(endHeadless);

const newRoom = async () => (await api.client().rooms.create({ body: { title: 'Hall' } })).id;
const stored = async (id: number) => api.client().rooms.read({ params: { id } });
const nameOf = ({ document }: HeadlessEditor, id: number) => findElement(document.room.elements, id)?.name;

/** A client whose calls that change something fail for as long as it is off. */
function line() {
  const state = { isOff: false, isDeaf: false };
  const client = clientWith(api.client(), (name, call) => (input) => {
    const isCut = (state.isOff && name === 'commit' && !isLease(input)) || (state.isDeaf && name === 'log');
    return isCut ? Promise.reject(new TypeError('Failed to fetch')) : call(input);
  });
  return { state, client };
}

describe('undo after the page was loaded again', () => {
  test('goes on where it was, and leaves alone what others changed since', async () => {
    const room = await newRoom();
    const storage = new MemoryQueue();
    const first = await openHeadless(api.client(), room, storage);
    const id = add(first, 'image', { name: 'Picture' });
    rename(first, id, 'Landscape');
    first.document.run({ type: 'element.update', id, fields: { width: 300, height: 200 } }, { label: 'Size' });
    rename(first, id, 'Still life');
    first.document.undo();
    await saved(first);
    first.end();
    await api.client().elements.update({ params: { id }, body: { width: 50 } });
    const next = await openHeadless(api.client(), room, storage);
    expect(next.document.steps.map(({ label, isUndone }) => [label, isUndone])).toEqual([
      ['Add', false],
      ['Rename', false],
      ['Size', false],
      ['Rename', true],
    ]);
    next.document.redo();
    expect(nameOf(next, id)).toBe('Still life');
    next.document.undo();
    next.document.undo();
    expect(findElement(next.document.room.elements, id)).toMatchObject({ name: 'Landscape', width: 50, height: null });
    expect(next.told.at(-1)).toMatch(
      /^“Size” is not completely undone: \S.+ changed Width \(units\) of “Landscape” since\.$/,
    );
    next.document.undo();
    await saved(next);
    expect((await stored(room)).elements[0]).toMatchObject({ name: 'Picture', width: 50, height: null });
  });

  test('is one step with what others did in between left alone, also where it is redone', async () => {
    const room = await newRoom();
    const editor = await openHeadless(api.client(), room);
    const id = add(editor, 'image', { name: 'Picture' });
    rename(editor, id, 'Mine');
    await saved(editor);
    editor.document.undo();
    await saved(editor);
    await api.client().elements.update({ params: { id }, body: { name: 'Theirs' } });
    await editor.saving.follow();
    editor.document.redo();
    expect(nameOf(editor, id)).toBe('Theirs');
    expect(editor.told.at(-1)).toMatch(/^“Rename” is not completely redone: \S.+ changed Name of “Theirs” since\.$/);
  });
});

describe('a page that is loaded again', () => {
  test('knows what had arrived without an answer, and sends the rest', async () => {
    const room = await newRoom();
    const storage = new MemoryQueue();
    const lossy = clientWith(api.client(), (name, call) => async (input) => {
      const answer = await call(input);
      if (name === 'commit' && !isLease(input)) throw new TypeError('Failed to fetch');
      return name === 'log' ? Promise.reject(new TypeError('Failed to fetch')) : answer;
    });
    const first = await openHeadless(lossy, room, storage);
    const id = add(first, 'group', { name: 'Wall' });
    rename(first, id, 'North wall');
    await expect.poll(async () => outline((await stored(room)).elements)).toEqual(['Wall']);
    await first.saving.queue.settled();
    first.end();
    expect(storage.size).toBe(2);
    const { entries } = await api.client().rooms.log({ params: { id: room } });
    const next = await openHeadless(api.client(), room, storage);
    expect(nameOf(next, id)).toBe('North wall');
    await saved(next);
    const after = await api.client().rooms.log({ params: { id: room } });
    expect(after.entries.length - entries.length).toBe(1);
    expect(outline(after.entries.length > 0 ? (await stored(room)).elements : [])).toEqual(['North wall']);
    expect(next.told).toEqual([]);
  });

  test('says what it can no longer save, by the name of the thing and its fields', async () => {
    const room = await newRoom();
    const storage = new MemoryQueue();
    const { state, client } = line();
    const first = await openHeadless(client, room, storage);
    const id = add(first, 'image', { name: 'Picture' });
    await saved(first);
    state.isOff = true;
    first.document.run({ type: 'element.update', id, fields: { width: 300, name: 'Mine' } }, { label: 'Size' });
    await first.saving.queue.settled();
    first.end();
    await api.client().elements.remove({ params: { id } });
    const next = await openHeadless(api.client(), room, storage);
    expect(next.told).toEqual([
      expect.stringMatching(/ removed what you changed. Not saved: Name, Width \(units\) of “Mine”.$/),
    ]);
    next.offers[0]!.act();
    await saved(next);
    expect((await stored(room)).elements).toMatchObject([{ id, name: 'Mine', width: 300 }]);
  });
});

describe('without a connection', () => {
  test('elements can be added as long as there are ids; then it is said, and goes on with the connection', async () => {
    const room = await newRoom();
    let isOff = false;
    const client = clientWith(
      api.client(),
      (_, call) => (input) => (isOff ? Promise.reject(new TypeError('Failed to fetch')) : call(input)),
    );
    const editor = await openHeadless(client, room);
    isOff = true;
    for (let count = 0; count < 200; count++) add(editor, 'light', { name: `Lamp ${count}` });
    expect(editor.ids.take()).toBeNull();
    expect(editor.told.at(-1)).toBe('Nothing can be added until there is a connection again.');
    isOff = false;
    editor.saving.queue.resume();
    await saved(editor);
    expect(await editor.ids.taken(1)).toHaveLength(1);
    expect((await stored(room)).elements).toHaveLength(200);
    // What waited together went in one call, after the first of them.
    const { entries } = await api.client().rooms.log({ params: { id: room } });
    expect(entries.map(({ commands }) => commands.length)).toEqual([1, 199]);
  });
});

describe('rights that are lost', () => {
  test('while it is open: nothing more can be changed, and what was not saved is kept and said', async () => {
    const room = await newRoom();
    const ALL = { view_any: true, create: true, update: true, delete: true };
    const users = [
      await api.addUser(api.one, { rooms: ALL }),
      await api.addUser(api.one, { rooms: { ...ALL, update: false } }),
    ];
    let token = users[0]!.token;
    const client = createClient({ origin: api.origin, token: () => token });
    const storage = new MemoryQueue();
    const editor = await openHeadless(client, room, storage);
    const id = add(editor, 'image', { name: 'Picture' });
    await saved(editor);
    token = users[1]!.token;
    rename(editor, id, 'Mine');
    await when(() => editor.document.isReadOnly, { timeout: 10_000 });
    expect(editor.saving.text).toBe('Read only, 1 change not saved');
    expect(editor.told).toEqual(['You can no longer edit this space. Your unsent text is kept.']);
    rename(editor, id, 'Never');
    editor.document.undo();
    expect(nameOf(editor, id)).toBe('Mine');
    expect(storage.size).toBe(1);
    editor.end();
    token = users[0]!.token;
    const next = await openHeadless(client, room, storage);
    await saved(next);
    expect(outline((await stored(room)).elements)).toEqual(['Mine']);
  });
});

describe('a log that no longer tells what happened', () => {
  test('because it begins later: the room is read anew, and what waits is kept', async () => {
    const room = await newRoom();
    const { state, client } = line();
    const editor = await openHeadless(client, room);
    const id = add(editor, 'image', { name: 'Picture' });
    await saved(editor);
    state.isOff = state.isDeaf = true;
    rename(editor, id, 'Mine');
    await api.client().elements.update({ params: { id }, body: { width: 300 } });
    await api.client().elements.update({ params: { id }, body: { height: 300 } });
    const { db } = api.services;
    await db.deleteFrom('room_commands').where('room_id', '=', room).where('seq', '<', 3).execute();
    await db.updateTable('room_bases').where('room_id', '=', room).set({ seq: 2 }).execute();
    state.isDeaf = false;
    await editor.saving.log.follow();
    expect(editor.document.room.elements[0]).toMatchObject({ name: 'Mine', width: 300, height: 300 });
    expect(editor.told).toEqual([expect.stringContaining('was loaded anew')]);
    state.isOff = false;
    await saved(editor);
    expect((await stored(room)).elements[0]).toMatchObject({ name: 'Mine', width: 300, height: 300 });
  });

  test('because the server was restored from a backup: the same, and new elements are added again', async () => {
    const room = await newRoom();
    const { state, client } = line();
    const editor = await openHeadless(client, room);
    const id = add(editor, 'image', { name: 'Picture' });
    await saved(editor);
    rename(editor, id, 'Later');
    await saved(editor);
    state.isOff = state.isDeaf = true;
    add(editor, 'light', { name: 'Lamp' });
    // What a backup of before the renaming has.
    const { db } = api.services;
    await db.deleteFrom('room_commands').where('room_id', '=', room).where('seq', '>', 1).execute();
    await db.updateTable('rooms').where('id', '=', room).set({ seq: 1 }).execute();
    await db.updateTable('elements').where('id', '=', id).set({ name: 'Picture' }).execute();
    api.services.documents.keep(
      { revision: 1e9, touches: 0, seq: 1 },
      { ...(await stored(room)), template: null, elements: [] },
    );
    await db.deleteFrom('element_leases').where('room_id', '=', room).execute();
    state.isDeaf = false;
    await editor.saving.log.follow();
    expect(outline(editor.document.room.elements)).toEqual(['Picture', 'Lamp']);
    state.isOff = false;
    await saved(editor);
    expect(outline((await stored(room)).elements)).toEqual(['Picture', 'Lamp']);
  });
});

describe('files', () => {
  test('that another chooses are shown, and those that one chooses are what the server has', async () => {
    const room = await newRoom();
    const file = await api
      .client()
      .media.upload({ body: {}, files: { file: new File([picture().content], 'pixel.png') } });
    const [mine, theirs] = [await openHeadless(api.client(), room), await openHeadless(api.client(), room)];
    const id = add(mine, 'image', { name: 'Picture' });
    await saved(mine);
    mine.document.run({ type: 'element.update', id, fields: { file_id: file.id } }, { label: 'File' });
    await saved(mine);
    await theirs.saving.follow();
    const there = flatten((await stored(room)).elements)[0]!;
    expect(there.file).toMatchObject({ id: file.id });
    for (const { document } of [mine, theirs])
      await expect.poll(() => findElement(document.room.elements, id)).toEqual(there);
    mine.document.undo();
    await saved(mine);
    await theirs.saving.follow();
    for (const { document } of [mine, theirs])
      expect(findElement(document.room.elements, id)).toMatchObject({ file_id: null, file: null });
  });
});

describe('entries of the log', () => {
  test('that come late, twice or with a gap do no harm', async () => {
    const room = await newRoom();
    const editor = await openHeadless(api.client(), room);
    const { id } = await api.client().rooms.addElement({ params: { id: room }, body: { element: 'group', name: 'A' } });
    for (const name of ['B', 'C']) await api.client().elements.update({ params: { id }, body: { name } });
    const { entries } = await api.client().rooms.log({ params: { id: room } });
    expect(editor.saving.take(entries.slice(1))).toBe(false);
    expect(outline(editor.document.room.elements)).toEqual([]);
    expect(editor.saving.take(entries.slice(0, 2))).toBe(true);
    expect(editor.saving.take(entries)).toBe(true);
    expect(editor.saving.take(entries.slice(0, 1))).toBe(true);
    expect(outline(editor.document.room.elements)).toEqual(['C']);
  });
});

describe('what version 0.9 left behind', () => {
  test('is saved as far as it can be; the rest is said by name', async () => {
    const room = await newRoom();
    const client = api.client();
    const wall = await client.rooms.addElement({ params: { id: room }, body: { element: 'group', name: 'Wall' } });
    const done = await client.rooms.addElement({ params: { id: room }, body: { element: 'light', name: 'Arrived' } });
    const temporary = 2 ** 52;
    const added = (element: object) => ({
      kind: 'add' as const,
      element: { parent_element_id: null, ...element } as never,
    });
    const storage = new MemoryQueue();
    const tasks: OldEntry['task'][] = [
      added({ ...newElement('view_point', temporary + 1), name: 'View', parent_element_id: wall.id }),
      added({ ...newElement('button', temporary + 2), name: 'Door' }),
      { kind: 'update', id: temporary + 2, fields: { config: { navigation: linkTo(temporary + 1) } } },
      { kind: 'position', id: wall.id, fields: { position_x: 20 } },
      { kind: 'hide', id: wall.id, hidden: true },
      { kind: 'parent', id: temporary + 2, parent: wall.id },
      { kind: 'order', parent: wall.id, ids: [temporary + 2, temporary + 1] },
      { kind: 'room', fields: { title: 'Great hall' } },
      { kind: 'update', id: 999_999, fields: { name: 'Gone' } },
      { kind: 'remove', id: 999_998 },
    ];
    storage.old = tasks.map((task, index) => ({ seq: index + 1, task }));
    const lamp = { ...newElement('light', temporary + 3), name: 'Arrived' };
    storage.old.push({ seq: 20, task: added(lamp), sentAfter: wall.id });
    const editor = await openHeadless(client, room, storage);
    expect(editor.told).toEqual(['Changes of an earlier version could not be saved: “Gone”.']);
    await saved(editor);
    const there = await stored(room);
    expect(there.title).toBe('Great hall');
    expect(outline(there.elements)).toEqual([['Wall', ['Door', 'View']], 'Arrived']);
    expect(there.elements[0]).toMatchObject({ position_x: 20, hidden: true });
    const [door, view] = there.elements[0]!.children;
    expect(door!.config).toMatchObject({ navigation: linkTo(view!.id) });
    expect(there.elements[1]!.id).toBe(done.id);
  });
});

const linkTo = (view_point_id: number) => ({ type: 'view_point', type_config: { view_point_id } });

describe('another user who signs in on an open page', () => {
  test('security 74: takes a new client number, and what waited is saved', async () => {
    const room = await newRoom();
    const colleague = await api.addUser(api.one, {
      rooms: { view_any: true, create: true, update: true, delete: true },
    });
    let user = api.one.admin;
    let isOff = false;
    const client = clientWith(api.client(), (name, call) => (input) => {
      if (isOff && name === 'commit' && !isLease(input)) return Promise.reject(new TypeError('Failed to fetch'));
      if (name !== 'commit') return call(input);
      return api.client(user).rooms.commit(input as Parameters<typeof client.rooms.commit>[0]);
    });
    const editor = await openHeadless(client, room);
    const id = add(editor, 'image', { name: 'Picture' });
    await saved(editor);
    const before = editor.saving.clients.current;
    isOff = true;
    rename(editor, id, 'Landscape');
    user = colleague;
    isOff = false;
    await saved(editor);
    expect(editor.saving.clients.current).not.toBe(before);
    expect((await stored(room)).elements[0]).toMatchObject({ name: 'Landscape' });
    expect(editor.saving.conflicts.refusals).toEqual([]);
    // Ids for new elements are leased under the new number.
    await editor.ids.fill(300);
    add(editor, 'light', { name: 'Lamp' });
    await saved(editor);
    expect(outline((await stored(room)).elements)).toEqual(['Landscape', 'Lamp']);
  });
});
