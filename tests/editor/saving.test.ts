import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { when } from 'mobx';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { Element } from '../../engine/document/element.ts';
import { findElement } from '../../engine/document/tree.ts';
import { type Client, createClient } from '../../src/contract/client.ts';
import { newElement } from '../../src/editor/canvas/add-at.ts';
import { ApiApp } from '../harness/api-app.ts';
import { freePort } from '../harness/free-port.ts';
import {
  add,
  clientWith,
  endHeadless,
  held,
  isLease,
  openHeadless,
  outline,
  rename,
  saved,
} from '../harness/headless-editor.ts';
import { MemoryQueue } from '../harness/memory-queue.ts';
import { StartedServer } from '../harness/started-server.ts';

let api: ApiApp;
beforeAll(async () => {
  api = await ApiApp.start('sqlite');
});
afterAll(() => api.close());

afterEach(endHeadless);

const newRoom = async (client = api.client()) => (await client.rooms.create({ body: { title: 'Hall' } })).id;
const stored = async (id: number, client = api.client()) => client.rooms.read({ params: { id } });
type Commit = Parameters<Client['rooms']['commit']>[0];

describe('edits become calls', () => {
  test('of every kind, in order, and the server has the same tree', async () => {
    const room = await newRoom();
    const editor = await openHeadless(api.client(), room);
    const wall = add(editor, 'group', { name: 'Wall' });
    const picture = add(editor, 'image', { name: 'Picture' }, wall);
    const lamp = add(editor, 'light', { name: 'Lamp' });
    const door = add(editor, 'button', { name: 'Door' });
    rename(editor, picture, 'Portrait');
    const { document } = editor;
    document.run({ type: 'element.update', id: lamp, fields: { hidden: true } }, { label: 'Hide' });
    document.run(
      { type: 'element.update', id: door, fields: { position_x: 12.9, rotation_y: 0.5 } },
      { label: 'Move' },
    );
    document.run({ type: 'element.move', id: door, parent: null, after: null }, { label: 'Move' });
    document.run({ type: 'element.move', id: lamp, parent: wall, after: null }, { label: 'Move' });
    document.run({ type: 'room.update', fields: { title: 'Great hall', config: { duration: 60 } } }, { label: 'Room' });
    await saved(editor);
    const there = await stored(room);
    expect(outline(there.elements)).toEqual(['Door', ['Wall', ['Lamp', 'Portrait']]]);
    expect(there).toMatchObject({ title: 'Great hall', config: { duration: 60 } });
    expect(there.elements[0]).toMatchObject({ position_x: 12, rotation_y: 0.5 });
    expect(there.elements[1]!.children[0]).toMatchObject({ hidden: true });
    expect(outline(document.room.elements)).toEqual(outline(there.elements));
    expect(document.room.elements[0]!.position_x).toBe(12);
    expect(editor.saving.text).toBe('Saved');
  });

  test('a removal that is undone brings the branch back with what is in it, and links follow', async () => {
    const room = await newRoom();
    const editor = await openHeadless(api.client(), room);
    const { document } = editor;
    const wall = add(editor, 'group', { name: 'Wall' });
    const view = add(editor, 'view_point', { name: 'View' }, wall);
    const door = add(editor, 'button', { name: 'Door' });
    const navigation = { type: 'view_point', type_config: { view_point_id: view } } as const;
    document.run({ type: 'element.update', id: door, fields: { config: { navigation } } }, { label: 'Link' });
    await saved(editor);
    const linked = async () => {
      const { elements } = await stored(room);
      const [group, button] = elements;
      return { view: group!.children[0]!.id, link: (button!.config as { navigation: unknown }).navigation };
    };
    const before = await linked();
    expect(before.link).toEqual({ type: 'view_point', type_config: { view_point_id: before.view } });
    document.run({ type: 'element.remove', id: wall }, { label: 'Remove' });
    await saved(editor);
    expect(outline((await stored(room)).elements)).toEqual(['Door']);
    document.undo();
    await saved(editor);
    const after = await linked();
    expect(outline((await stored(room)).elements)).toEqual([['Wall', ['View']], 'Door']);
    expect(after.view).toBe(before.view);
    expect(after.link).toEqual({ type: 'view_point', type_config: { view_point_id: after.view } });
    // The document speaks of both as before.
    expect(document.room.elements[2]!.config).toMatchObject({ navigation });
    document.redo();
    rename(editor, door, 'Gate');
    await saved(editor);
    expect(outline((await stored(room)).elements)).toEqual(['Gate']);
  });

  test('a link to what is not saved yet arrives with it', async () => {
    const room = await newRoom();
    const editor = await openHeadless(api.client(), room);
    const view = { ...newElement('view_point', editor.ids.take()![0]!), name: 'View' } as Element;
    const lamp = newElement('light', editor.ids.take()![0]!);
    const target = { type: 'Element', position: { x: 0, y: 0, z: 0 }, element_id: view.id };
    const first = { ...lamp, name: 'Lamp', config: { ...lamp.config, light_type: 'spot_light', target } } as Element;
    const list = [first, view].map((element) => ({ type: 'element.add', elements: [element], parent: null }) as const);
    editor.document.run(list, { label: 'Paste' });
    await saved(editor);
    const { elements } = await stored(room);
    expect(elements[0]!.config).toMatchObject({ target: { element_id: elements[1]!.id } });
  });

  test('the document takes over what the server makes of an edit', async () => {
    const room = await newRoom();
    const editor = await openHeadless(api.client(), room);
    const note = add(editor, 'rich_text', { name: 'Note' });
    const body = '<p onclick="alert(1)">Hello <script>x</script><b>you</b></p>';
    editor.document.run({ type: 'element.update', id: note, fields: { config: { body } } }, { label: 'Text' });
    await saved(editor);
    expect(editor.document.room.elements[0]!.config).toMatchObject({ body: '<p>Hello <b>you</b></p>' });
  });

  test('many small edits of one thing are sent as one while another is on its way', async () => {
    const room = await newRoom();
    const editor = await openHeadless(api.client(), room);
    const id = add(editor, 'image');
    for (let x = 0; x < 50; x++)
      editor.document.run({ type: 'element.update', id, fields: { position_x: x } }, { label: 'Move', merge: 'move' });
    expect(editor.saving.queue.waiting).toBe(2);
    await saved(editor);
    expect((await stored(room)).elements[0]!.position_x).toBe(49);
  });
});

describe('when saving fails', () => {
  test('without a connection everything waits, and arrives afterwards', async () => {
    const room = await newRoom();
    let isOff = false;
    const real = api.client();
    const cut = clientWith(
      real,
      (_, call) => (input) => (isOff ? Promise.reject(new TypeError('no connection')) : call(input)),
    );
    const editor = await openHeadless(cut, room);
    const wall = add(editor, 'group', { name: 'Wall' });
    await saved(editor);
    isOff = true;
    rename(editor, wall, 'North wall');
    add(editor, 'image', { name: 'Picture' }, wall);
    add(editor, 'light', { name: 'Lamp' });
    await when(() => editor.saving.text === 'Offline, 3 changes waiting', { timeout: 30_000 });
    isOff = false;
    await saved(editor);
    expect(outline((await stored(room)).elements)).toEqual([['North wall', ['Picture']], 'Lamp']);
  });

  test('an edit whose answer is lost is not made twice', async () => {
    const room = await newRoom();
    const real = api.client();
    let lost = 0;
    // The server does what it is told, and the answer never comes: for the first call with a command of each kind.
    const seen = new Set<string>();
    const lossy = clientWith(real, (name, call) => async (input) => {
      const answer = await call(input);
      const types = name === 'commit' ? (input as Commit).body.commands.map(({ type }) => type) : [];
      if (types.every((type) => seen.has(type))) return answer;
      for (const type of types) seen.add(type);
      lost++;
      throw new TypeError('the connection was lost');
    });
    const editor = await openHeadless(lossy, room);
    const wall = add(editor, 'group', { name: 'Wall' });
    const lamp = add(editor, 'light', { name: 'Lamp' });
    await saved(editor);
    rename(editor, wall, 'North wall');
    editor.document.run({ type: 'element.move', id: lamp, parent: null, after: null }, { label: 'Move' });
    editor.document.run({ type: 'element.update', id: lamp, fields: { hidden: true } }, { label: 'Hide' });
    editor.document.run({ type: 'element.update', id: wall, fields: { scale_x: 2 } }, { label: 'Scale' });
    await saved(editor);
    editor.document.run({ type: 'element.remove', id: wall }, { label: 'Remove' });
    await saved(editor);
    expect(lost).toBeGreaterThan(2);
    expect(seen.size).toBe(4);
    expect(outline((await stored(room)).elements)).toEqual(['Lamp']);
    expect(editor.saving.conflicts.next).toBeNull();
  });

  test('what was not saved when the page was left is saved by the next one, once', async () => {
    const room = await newRoom();
    const storage = new MemoryQueue();
    const real = api.client();
    // The answer to the first call comes after the page is gone.
    const mute = clientWith(real, (name, call) => async (input) => {
      const answer = await call(input);
      return name === 'commit' && !isLease(input) ? new Promise(() => {}) : answer;
    });
    const first = await openHeadless(mute, room, storage);
    const wall = add(first, 'group', { name: 'Wall' });
    add(first, 'image', { name: 'Picture' }, wall);
    rename(first, wall, 'North wall');
    await when(() => first.saving.queue.state === 'sending');
    await expect.poll(async () => outline((await stored(room)).elements)).toEqual(['Wall']);
    first.saving.end();
    expect(storage.size).toBe(3);
    const next = await openHeadless(real, room, storage);
    expect(outline(next.document.room.elements)).toEqual([['North wall', ['Picture']]]);
    await saved(next);
    expect(outline((await stored(room)).elements)).toEqual([['North wall', ['Picture']]]);
    expect(storage.size).toBe(0);
    // What is made together is kept together, and part of it may have been saved.
    const { elements } = next.document.room;
    const ids = [elements[0]!.id, elements[1]!.id];
    const moved = ids.map((id) => ({ type: 'element.update', id, fields: { position_x: 70 } }) as const);
    next.document.run(moved, { label: 'Move 2 elements' });
    expect(storage.size).toBe(1);
    await saved(next);
    expect(storage.size).toBe(0);
    expect((await stored(room)).elements[0]).toMatchObject({ position_x: 70, children: [{ position_x: 70 }] });
    // What comes after that gets ids that nothing else has.
    add(next, 'light', { name: 'Lamp' });
    await saved(next);
    expect((await stored(room)).elements).toHaveLength(2);
  });

  test('what the server refuses is said, and can be taken back; the rest goes on', async () => {
    const room = await newRoom();
    const editor = await openHeadless(api.client(), room);
    const id = add(editor, 'image', { name: 'Picture' });
    await saved(editor);
    editor.document.run({ type: 'element.update', id, fields: { file_id: 99_999 } }, { label: 'File' });
    rename(editor, id, 'Portrait');
    const conflict = await held(editor);
    expect(conflict).toMatchObject({ kind: 'refused', name: '“Portrait”' });
    expect(editor.told).toEqual([expect.stringContaining('A change of “Portrait” could not be saved and waits')]);
    await when(() => editor.saving.text === '1 change waiting for your decision', { timeout: 10_000 });
    expect(editor.saving.conflicts.isAsked, 'nothing opens by itself').toBe(false);
    expect((await stored(room)).elements[0]).toMatchObject({ name: 'Portrait' });
    await editor.saving.conflicts.settleRefused(true);
    await saved(editor);
    expect(editor.document.room.elements[0]).toMatchObject({ file_id: null });
  });

  test('what the server refuses is overwritten by a later change that it takes; what needs a refused element waits', async () => {
    const room = await newRoom();
    const editor = await openHeadless(api.client(), room);
    const id = add(editor, 'image', { name: 'Picture' });
    await saved(editor);
    const setFile = (file_id: number | null) =>
      editor.document.run(
        { type: 'element.update', id, fields: { file_id, name: `File ${file_id}` } },
        { label: 'File' },
      );
    setFile(99_999);
    await held(editor);
    // A second one that is refused is a second thing to decide.
    const wrong = add(editor, 'image', { name: 'Wrong', file_id: 99_998 });
    rename(editor, wrong, 'Still wrong');
    add(editor, 'light', { name: 'Lamp' });
    await when(() => editor.saving.conflicts.refusals.length === 2 && editor.saving.queue.isStuck);
    expect(outline((await stored(room)).elements)).toEqual(['Picture', 'Lamp']);
    expect(editor.saving.text).toBe('3 changes waiting for your decision');
    setFile(null);
    await when(() => editor.saving.queue.waiting === 2 && editor.saving.queue.isStuck);
    expect((await stored(room)).elements[0]).toMatchObject({ name: 'File null', file_id: null });
    await editor.saving.conflicts.settleRefused(true);
    await saved(editor);
    expect(outline((await stored(room)).elements)).toEqual(['File null', 'Lamp']);
    expect(editor.saving.conflicts.next).toBeNull();
  });

  test('after the session has ended what waits stays, and goes on with the next sign-in', async () => {
    const room = await newRoom();
    let token: string | null = api.one.admin.token;
    const client = createClient({ origin: api.origin, token: () => token });
    const editor = await openHeadless(client, room);
    token = 'ended';
    add(editor, 'light', { name: 'Lamp' });
    await when(() => editor.saving.queue.state === 'signed-out', { timeout: 30_000 });
    expect(editor.saving.text).toBe('Signed out, 1 change waiting');
    token = api.one.admin.token;
    editor.saving.queue.resume();
    await saved(editor);
    expect(outline((await stored(room)).elements)).toEqual(['Lamp']);
  });
});

describe('a server that is killed', () => {
  test('in the middle of a burst and started again has all edits, in order, once', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'enfilade-burst-'));
    const port = await freePort();
    const environment = {
      DATA_DIR: folder,
      ADMIN_PASSWORD: 'correct horse battery',
      PORT: String(port),
      HOST: '127.0.0.1',
    };
    let server = new StartedServer(environment);
    const origin = await server.address();
    let token: string | null = null;
    const client = createClient({ origin, token: () => token, onToken: (value) => (token = value) });
    await client.users.login({ body: { email: 'admin@example.com', password: 'correct horse battery' } });
    const editor = await openHeadless(client, await newRoom(client));
    const COUNT = 150;
    const KILLS = [40, 75, 110];
    const ids: number[] = [];
    for (let index = 0; index < COUNT; index++) {
      const isKilled = KILLS.includes(index);
      if (isKilled) await server.kill();
      ids.push(add(editor, index % 10 === 0 ? 'group' : 'image', { name: `Element ${index}` }));
      const other = ids[index >> 1]!;
      if (index % 3 === 0 && findElement(editor.document.room.elements, other))
        rename(editor, other, `Renamed ${index}`);
      if (index % 7 === 0)
        editor.document.run({ type: 'element.move', id: ids[index]!, parent: null, after: null }, { label: 'Move' });
      if (index % 11 === 10) editor.document.run({ type: 'element.remove', id: ids[index - 5]! }, { label: 'Remove' });
      // The pace is the point: some of a burst is saved before the next edit, some on its way, some waits.
      await new Promise((resolve) => setTimeout(resolve, 4));
      if (!isKilled) continue;
      expect(editor.saving.queue.waiting).toBeGreaterThan(0);
      server = new StartedServer(environment);
      await server.address();
    }
    await saved(editor);
    const there = await stored(editor.roomId, client);
    expect(outline(there.elements)).toEqual(outline(editor.document.room.elements));
    expect(editor.saving.conflicts.next).toBeNull();
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  }, 120_000);
});
