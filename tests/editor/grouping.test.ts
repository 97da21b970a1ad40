import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { childrenOf } from '../../engine/document/tree.ts';
import { groupCommands, roomMatrix, ungroupCommands } from '../../engine/tools/gestures/regroup.ts';
import { newElement } from '../../src/editor/canvas/add-at.ts';
import { roomOf } from '../../src/editor/saving/log-follower.ts';
import { ApiApp } from '../harness/api-app.ts';
import { add, endHeadless, openHeadless, outline, saved } from '../harness/headless-editor.ts';

let api: ApiApp;
beforeAll(async () => {
  api = await ApiApp.start('sqlite');
});
afterAll(() => api.close());
afterEach(endHeadless);

test('groups that are made, taken apart, undone and redone are saved as the editor has them', async () => {
  const { id: room } = await api.client().rooms.create({ body: { title: 'Hall' } });
  const editor = await openHeadless(api.client(), room);
  const { document, ids } = editor;
  const outer = add(editor, 'group', { name: 'Outer', position_x: 10, rotation_y: Math.PI / 2 });
  const inner = add(editor, 'image', { name: 'In', position_z: 40 }, outer);
  const [a, b] = [
    add(editor, 'image', { name: 'A', position_x: -5 }),
    add(editor, 'text', { name: 'B', position_y: 9 }),
  ];
  const same = async () => {
    await saved(editor);
    const { elements } = roomOf(await api.client().rooms.read({ params: { id: room } }));
    expect(outline(elements)).toEqual(outline(document.room.elements));
    for (const id of [inner, a, b])
      expect(roomMatrix(elements, id).elements.slice(12, 15).map(Math.round), `place of ${id}`).toEqual(
        roomMatrix(document.room.elements, id).elements.slice(12, 15).map(Math.round),
      );
  };
  const places = () =>
    [inner, a, b].map((id) => roomMatrix(document.room.elements, id).elements.map((v) => Math.round(v * 1000)));
  const before = places();
  const [group] = ids.take()!;
  const made = { ...newElement('group', group!), name: 'New' };
  document.run(groupCommands(document.room.elements, new Set([b, a, inner]), made, { x: 3, y: 4, z: 5 }), {
    label: 'Group',
  });
  await same();
  expect(places()).toEqual(before);
  expect(childrenOf(document.room.elements, group!)).toHaveLength(3);
  document.run(ungroupCommands(document.room.elements, group!), { label: 'Ungroup' });
  await same();
  expect(places()).toEqual(before);
  document.run(
    [a, b].map((id) => ({ type: 'element.update' as const, id, fields: { editable: false } })),
    { label: 'Lock' },
  );
  await same();
  for (let step = 0; step < 3; step++) document.undo();
  await same();
  expect(places()).toEqual(before);
  for (let step = 0; step < 3; step++) document.redo();
  await same();
  document.undo();
  document.run(
    [a, b].map((id) => ({ type: 'element.remove' as const, id })),
    { label: 'Remove' },
  );
  await same();
  document.undo();
  await same();
  expect(editor.saving.conflicts.next).toBeNull();
  expect(editor.told).toEqual([]);
});
