import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { ApiApp } from '../harness/api-app.ts';
import { add, endHeadless, openHeadless, outline, saved } from '../harness/headless-editor.ts';
import { MemoryQueue } from '../harness/memory-queue.ts';

let api: ApiApp;
beforeAll(async () => {
  api = await ApiApp.start('sqlite');
});
afterAll(() => api.close());
afterEach(endHeadless);

const newRoom = async () => (await api.client().rooms.create({ body: { title: 'Hall' } })).id;
const stored = async (id: number) => api.client().rooms.read({ params: { id } });

test('steps that version 0.15 kept are undone and redone: places counted from 0, and trees of elements', async () => {
  const room = await newRoom();
  const first = await openHeadless(api.client(), room);
  const [a, b, wall] = [
    add(first, 'light', { name: 'A' }),
    add(first, 'light', { name: 'B' }),
    add(first, 'group', { name: 'Wall' }),
  ];
  add(first, 'image', { name: 'Picture' }, wall);
  await saved(first);
  const { elements } = await stored(room);
  const element = JSON.parse(
    JSON.stringify(
      elements.find(({ id }) => id === wall),
      (name, value) => (name === 'index' ? undefined : value),
    ),
  );
  first.document.run({ type: 'element.remove', id: wall }, { label: 'Remove' });
  first.document.run({ type: 'element.move', id: b, parent: null, after: null }, { label: 'Move' });
  await saved(first);
  const { seq } = first.saving;
  first.saving.end();
  const storage = new MemoryQueue();
  const older = [
    {
      command: { type: 'element.remove', id: wall },
      inverse: { type: 'element.add', element, parent: null, index: 1 },
    },
    {
      command: { type: 'element.move', id: b, parent: null, index: 0 },
      inverse: { type: 'element.move', id: b, parent: null, index: 1 },
    },
  ];
  await storage.write({
    put: [
      { kind: 'seq', number: 0, value: seq },
      ...older.map((edit, index) => ({
        kind: 'step' as const,
        number: index + 1,
        value: { id: index + 1, label: 'Older', at: 0, edits: [edit], isUndone: false },
      })),
    ],
  });
  const next = await openHeadless(api.client(), room, storage);
  expect(outline(next.document.room.elements)).toEqual(['B', 'A']);
  next.document.undo();
  expect(outline(next.document.room.elements)).toEqual(['A', 'B']);
  next.document.undo();
  await saved(next);
  const back = await stored(room);
  expect(outline(back.elements).toSorted()).toEqual(['A', 'B', ['Wall', ['Picture']]].toSorted());
  expect(outline(next.document.room.elements)).toEqual(outline(back.elements));
  expect(back.elements.map(({ id }) => id).filter((id) => id !== wall)).toEqual([a, b]);
  next.document.redo();
  next.document.redo();
  await saved(next);
  expect(outline((await stored(room)).elements)).toEqual(['B', 'A']);
});
