import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { RoomCommand } from '../../engine/document/commands.ts';
import { findElement, flatten } from '../../engine/document/tree.ts';
import { newElement } from '../../src/editor/canvas/add-at.ts';
import { ApiApp } from '../harness/api-app.ts';
import {
  add,
  clientWith,
  endHeadless,
  type HeadlessEditor,
  isLease,
  openHeadless,
  saved,
} from '../harness/headless-editor.ts';
import { MemoryDrafts } from '../harness/memory-drafts.ts';
import { MemoryQueue } from '../harness/memory-queue.ts';

let api: ApiApp;
beforeAll(async () => {
  api = await ApiApp.start('sqlite');
});
afterAll(() => api.close());
afterEach(endHeadless);

/** A room with a button and an iframe, which refuses addresses without https. */
async function newRoom(): Promise<{ room: number; door: number; frame: number }> {
  const client = api.client();
  const { id: room } = await client.rooms.create({ body: { title: 'Hall' } });
  const make = async (element: 'button' | 'iframe', name: string) =>
    (await client.rooms.addElement({ params: { id: room }, body: { element, name } })).id;
  return { room, door: await make('button', 'Door'), frame: await make('iframe', 'Frame') };
}

const stored = async (room: number, id: number) =>
  findElement(flatten((await api.client().rooms.read({ params: { id: room } })).elements), id)!;
const element = ({ document }: HeadlessEditor, id: number) => findElement(document.room.elements, id)!;
const config = (editor: HeadlessEditor, id: number) => element(editor, id).config as Record<string, unknown>;

/** Types into the edit window of an element. */
function type(editor: HeadlessEditor, id: number, values: Record<string, unknown>): void {
  editor.selection.select(id);
  editor.drafts.open!.set(values);
}

/** What listeners of the document, such as the canvas, show of an element's fields. */
function shown(editor: HeadlessEditor): Record<string, unknown> {
  const fields: Record<string, unknown> = {};
  editor.document.onCommand((command: RoomCommand) => {
    if (command.type === 'element.update') Object.assign(fields, command.fields.config);
  });
  return fields;
}

const WAYS_OUT: Record<string, (editor: HeadlessEditor, other: number) => void> = {
  'a click beside everything, Esc, or the cross': ({ selection }) => selection.select(null),
  'another element that is selected': ({ selection }, other) => selection.select(other),
  'hiding it': ({ document, selection }) =>
    document.run({ type: 'element.update', id: selection.selectedId!, fields: { hidden: true } }, { label: 'Hide' }),
  'locking it': ({ document, selection }) =>
    document.run({ type: 'element.update', id: selection.selectedId!, fields: { editable: false } }, { label: 'Lock' }),
  'leaving the editor': ({ drafts }) => drafts.end(),
};

describe.each(Object.entries(WAYS_OUT))('the edit window is left by %s', (_, leave) => {
  test('what was typed is in the document already, and nothing more is said', async () => {
    const { room, door, frame } = await newRoom();
    const editor = await openHeadless(api.client(), room);
    const canvas = shown(editor);
    type(editor, door, { 'config.title': 'Enter' });
    expect(config(editor, door).title).toBe('Enter');
    expect(canvas.title).toBe('Enter');
    leave(editor, frame);
    expect(config(editor, door).title).toBe('Enter');
    expect(editor.told).toEqual([]);
    await saved(editor);
    expect((await stored(room, door)).config).toMatchObject({ title: 'Enter' });
  });

  test('one wrong field keeps none of the others from being saved, and waits', async () => {
    const { room, door, frame } = await newRoom();
    const editor = await openHeadless(api.client(), room);
    const canvas = shown(editor);
    type(editor, frame, { name: 'Map', 'config.src': 'http://example.com', width: 300 });
    expect(element(editor, frame)).toMatchObject({ name: 'Map', width: 300, config: { src: '' } });
    expect(editor.drafts.open!.get('config.src')).toBe('http://example.com');
    leave(editor, door);
    expect(canvas.src, 'nothing wrong is drawn').toBe(undefined);
    expect(editor.told.at(-1)).toBe(
      'Not saved of “Map”: Address. Use a URL that starts with https://. What you typed there is kept.',
    );
    await saved(editor);
    expect(await stored(room, frame)).toMatchObject({ name: 'Map', width: 300, config: { src: '' } });
  });
});

describe('what was wrong', () => {
  test('is back, with what is wrong about it, when the element is selected again', async () => {
    const { room, door, frame } = await newRoom();
    const editor = await openHeadless(api.client(), room);
    type(editor, frame, { 'config.src': 'http://example.com' });
    editor.selection.select(door);
    expect(editor.told).toEqual([
      'Not saved of “Frame”: Address. Use a URL that starts with https://. What you typed there is kept.',
    ]);
    editor.selection.select(frame);
    expect(editor.told.at(-1)).toBe('What you typed in “Frame” is back. It is not saved yet.');
    const draft = editor.drafts.open!;
    expect(draft.get('config.src')).toBe('http://example.com');
    expect(draft.errors).toEqual({ 'config.src': 'Use a URL that starts with https://.' });
    draft.set({ 'config.src': 'https://example.com' });
    expect(editor.drafts.save()).toBe(true);
    expect(editor.selection.selectedId).toBe(null);
    await saved(editor);
    expect((await stored(room, frame)).config).toMatchObject({ src: 'https://example.com' });
    editor.selection.select(frame);
    expect(editor.drafts.open!.isWaiting).toBe(false);
  });

  test('is shown from where it is said', async () => {
    const { room, door, frame } = await newRoom();
    const editor = await openHeadless(api.client(), room);
    type(editor, frame, { 'config.src': 'http://example.com' });
    editor.selection.select(door);
    editor.offers.at(-1)!.act();
    expect(editor.drafts.open!.subject.id).toBe(frame);
    expect(editor.drafts.open!.get('config.src')).toBe('http://example.com');
  });
});

describe('what is typed', () => {
  test('is one step of the history until a pause, or until another field', async () => {
    const { room, door } = await newRoom();
    let now = 0;
    const editor = await openHeadless(api.client(), room, new MemoryQueue(), new MemoryDrafts(), () => now);
    const before = config(editor, door).title;
    for (const text of ['E', 'En', 'Enter']) {
      now += 300;
      type(editor, door, { 'config.title': text });
    }
    editor.drafts.open!.set({ width: 300 });
    expect(editor.document.steps.map(({ label }) => label)).toEqual(['Edit “Door”', 'Edit “Door”']);
    editor.drafts.open!.set({ 'config.title': 'Enter h' });
    now += 1500;
    editor.drafts.open!.set({ 'config.title': 'Enter here' });
    expect(editor.document.steps).toHaveLength(4);
    for (const title of ['Enter h', 'Enter', 'Enter', before]) {
      editor.document.undo();
      expect(config(editor, door).title).toBe(title);
    }
    expect(editor.document.canUndo).toBe(false);
  });

  test('is no step where it is what was there', async () => {
    const { room, door } = await newRoom();
    const editor = await openHeadless(api.client(), room);
    type(editor, door, { 'config.title': config(editor, door).title });
    editor.selection.select(null);
    expect(editor.told).toEqual([]);
    expect(editor.document.canUndo).toBe(false);
  });

  test('of one part of a setting is applied where another part is wrong', async () => {
    const { room, door } = await newRoom();
    const light = (await api.client().rooms.addElement({ params: { id: room }, body: { element: 'light' } })).id;
    const editor = await openHeadless(api.client(), room);
    editor.selection.select(light);
    const { target } = config(editor, light) as { target: { position: object } };
    editor.drafts.open!.set({ 'config.target': { ...target, position: { x: 99_999_999_999, y: 5, z: 7 } } });
    expect(config(editor, light).target).toMatchObject({ position: { x: 0, y: 5, z: 7 } });
    editor.selection.select(door);
    editor.selection.select(light);
    expect(editor.drafts.open!.errors).toHaveProperty('config.target.position.x');
    expect(editor.drafts.open!.get('config.target')).toMatchObject({ position: { x: 99_999_999_999, y: 5 } });
  });
});

describe('Cancel', () => {
  test('undoes what was set since the window was opened as one step, and offers it back', async () => {
    const { room, door, frame } = await newRoom();
    const editor = await openHeadless(api.client(), room);
    const canvas = shown(editor);
    const before = config(editor, door).title;
    type(editor, door, { 'config.title': 'First' });
    editor.drafts.close();
    type(editor, door, { 'config.title': 'Enter', width: -1 });
    editor.drafts.open!.set({ 'config.sub_title': 'Here' });
    expect(canvas.title).toBe('Enter');
    editor.drafts.cancel();
    expect(canvas).toMatchObject({ title: 'First', sub_title: '' });
    expect(editor.selection.selectedId).toBe(null);
    expect(editor.told).toEqual(['Discarded the changes of “Door”.']);
    editor.document.undo();
    expect(config(editor, door)).toMatchObject({ title: 'Enter', sub_title: 'Here' });
    editor.document.redo();
    editor.selection.select(door);
    expect(editor.drafts.open!.isWaiting).toBe(false);
    editor.selection.select(frame);
    editor.offers.at(-1)!.act();
    expect(editor.drafts.open!.subject.id).toBe(door);
    expect(config(editor, door)).toMatchObject({ title: 'Enter', sub_title: 'Here' });
    expect(editor.drafts.open!.get('width')).toBe(-1);
    editor.document.goTo(null);
    expect(config(editor, door).title).toBe(before);
  });

  test('leaves alone what is undone already, and what somebody else set since', async () => {
    const { room, door } = await newRoom();
    const editor = await openHeadless(api.client(), room);
    const before = config(editor, door).title;
    type(editor, door, { 'config.title': 'Enter' });
    editor.document.undo();
    expect(editor.drafts.open!.isChanged).toBe(false);
    editor.drafts.open!.set({ 'config.sub_title': 'Mine', width: 300 });
    await saved(editor);
    await api.client().elements.update({ params: { id: door }, body: { config: { sub_title: 'Theirs' } } });
    await editor.saving.follow();
    const steps = editor.document.steps.length;
    const { width } = await stored(room, door);
    expect(width).toBe(300);
    editor.drafts.cancel();
    expect(editor.document.steps).toHaveLength(steps + 1);
    expect(config(editor, door)).toMatchObject({ title: before, sub_title: 'Theirs' });
    expect(element(editor, door).width).not.toBe(300);
  });
});

describe('the settings of the room', () => {
  test('stand beside the canvas as an element does: applied at once, canceled together, and wrong ones wait', async () => {
    const { room, door } = await newRoom();
    const editor = await openHeadless(api.client(), room);
    editor.selection.select(door);
    editor.drafts.openRoom();
    expect(editor.selection.selectedId).toBe(null);
    editor.drafts.open!.set({ title: 'Great hall' });
    expect(editor.document.room.title).toBe('Great hall');
    expect(editor.drafts.save()).toBe(true);
    editor.drafts.openRoom();
    editor.drafts.open!.set({ title: '' });
    editor.drafts.open!.set({ width: 900 });
    expect(editor.document.room).toMatchObject({ title: 'Great hall', width: 900 });
    editor.selection.select(door);
    expect(editor.told).toEqual([
      'Not saved of the space: Title. Give the space a title. What you typed there is kept.',
    ]);
    editor.offers.at(-1)!.act();
    expect(editor.drafts.isRoomOpen).toBe(true);
    expect(editor.drafts.open!.get('title')).toBe('');
    editor.drafts.cancel();
    expect(editor.drafts.open).toBe(null);
    expect(editor.document.room).toMatchObject({ title: 'Great hall', width: 900 });
  });
});

describe('a page that ends', () => {
  test('without a word leaves what was typed to the next one', async () => {
    const { room, door, frame } = await newRoom();
    const drafts = new MemoryDrafts();
    const first = await openHeadless(api.client(), room, new MemoryQueue(), drafts);
    type(first, frame, { 'config.src': 'http://example.com' });
    type(first, door, { 'config.title': 'Ent' });
    first.drafts.open!.set({ 'config.title': 'Enter' });
    await saved(first);
    const second = await openHeadless(api.client(), room, new MemoryQueue(), drafts);
    expect((await stored(room, door)).config).toMatchObject({ title: 'Enter' });
    expect(second.told).toEqual(['What you typed in “Frame” is kept, but not saved yet.']);
    second.selection.select(frame);
    expect(second.drafts.open!.get('config.src')).toBe('http://example.com');
    second.drafts.cancel();
    const third = await openHeadless(api.client(), room, new MemoryQueue(), drafts);
    expect(third.told).toEqual([]);
  });

  test('leaves what was wrong in several windows, the room among them', async () => {
    const { room, door, frame } = await newRoom();
    const drafts = new MemoryDrafts();
    const first = await openHeadless(api.client(), room, new MemoryQueue(), drafts);
    type(first, frame, { 'config.src': 'http://example.com' });
    type(first, door, { width: -1 });
    first.drafts.openRoom();
    first.drafts.open!.set({ title: '' });
    const second = await openHeadless(api.client(), room, new MemoryQueue(), drafts);
    expect(second.told).toEqual(['What you typed in “Frame” and 2 others is kept, but not saved yet.']);
    second.drafts.openRoom();
    expect(second.drafts.open!.get('title')).toBe('');
    second.selection.select(door);
    expect(second.drafts.open!.get('width')).toBe(-1);
  });

  test('leaves what was wrong in an element that could not be sent yet', async () => {
    const { room } = await newRoom();
    const [queue, drafts] = [new MemoryQueue(), new MemoryDrafts()];
    const offline = clientWith(api.client(), (name, call) =>
      name === 'commit'
        ? (input) => (isLease(input) ? call(input) : Promise.reject(new TypeError('Failed to fetch')))
        : call,
    );
    const first = await openHeadless(offline, room, queue, drafts);
    type(first, add(first, 'button', { name: 'Gate' }), { 'config.title': 'Enter', width: -1 });
    await first.saving.queue.settled();
    const second = await openHeadless(api.client(), room, queue, drafts);
    second.offers[0]!.act();
    expect(second.drafts.open!.get('config.title')).toBe('Enter');
    expect(second.drafts.open!.get('width')).toBe(-1);
    second.drafts.cancel();
    await saved(second);
    const { elements } = await api.client().rooms.read({ params: { id: room } });
    expect(elements.find(({ name }) => name === 'Gate')!.config).toMatchObject({ title: 'Enter' });
  });

  test('leaves nothing of an element that is there no longer', async () => {
    const { room, door } = await newRoom();
    const drafts = new MemoryDrafts();
    type(await openHeadless(api.client(), room, new MemoryQueue(), drafts), door, { width: -1 });
    await api.client().elements.remove({ params: { id: door } });
    expect((await openHeadless(api.client(), room, new MemoryQueue(), drafts)).told).toEqual([]);
    expect(drafts.load().size).toBe(0);
  });
});

describe('an element that somebody else removes while it is typed into', () => {
  test('is restored with what was typed, and saved again', async () => {
    const { room, door } = await newRoom();
    const editor = await openHeadless(api.client(), room);
    type(editor, door, { 'config.title': 'Enter', width: -1 });
    await api.client().elements.remove({ params: { id: door } });
    await editor.saving.follow();
    expect(element(editor, door)).toBe(undefined);
    expect(editor.drafts.open).toBe(null);
    expect(editor.told).toContain('“Door” was removed while you were changing it. What you typed until then is kept.');
    expect(
      editor.told.filter((text) => text.includes('removed')),
      'said once',
    ).toHaveLength(1);
    const offer = editor.offers.find(({ stays }) => stays)!;
    expect(offer.label).toBe('Restore');
    offer.act();
    const draft = editor.drafts.open!;
    expect(draft.get('config.title')).toBe('Enter');
    draft.set({ width: 200 });
    editor.drafts.save();
    await saved(editor);
    const { elements } = await api.client().rooms.read({ params: { id: room } });
    expect(elements.map(({ name }) => name)).toEqual(['Door', 'Frame']);
    expect(elements[0]).toMatchObject({ width: 200, config: { title: 'Enter' } });
  });

  test('nothing is offered of one that was only selected', async () => {
    const { room, door } = await newRoom();
    const editor = await openHeadless(api.client(), room);
    editor.selection.select(door);
    await api.client().elements.remove({ params: { id: door } });
    await editor.saving.follow();
    expect(editor.offers).toEqual([]);
  });

  test('with its group: it is restored at the top, where the group is gone', async () => {
    const { room } = await newRoom();
    const editor = await openHeadless(api.client(), room);
    const group = newElement('group', editor.ids.take()![0]!);
    editor.document.run({ type: 'element.add', elements: [group], parent: null }, { label: 'Add' });
    const inside = add(editor, 'button', { name: 'Inside' }, group.id);
    await saved(editor);
    type(editor, inside, { 'config.title': 'Enter' });
    await api.client().elements.remove({ params: { id: group.id } });
    await editor.saving.follow();
    editor.offers.find(({ stays }) => stays)!.act();
    expect(element(editor, inside).parent_element_id).toBe(null);
    expect(editor.drafts.open!.get('config.title')).toBe('Enter');
  });
});
