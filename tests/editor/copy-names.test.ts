import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { findElement } from '../../engine/document/tree.ts';
import { duplicate } from '../../src/editor/session/element-actions.ts';
import { ApiApp } from '../harness/api-app.ts';
import { add, endHeadless, openHeadless } from '../harness/headless-editor.ts';

let api: ApiApp;
beforeAll(async () => {
  api = await ApiApp.start('sqlite');
});
afterAll(() => api.close());
afterEach(endHeadless);

test.each([
  ['Work 02', 'Work 03', 'Work 04'],
  ['Work 09', 'Work 10', 'Work 11'],
  ['Work 099', 'Work 100', 'Work 101'],
  ['Work 2', 'Work 3', 'Work 4'],
  ['Work', 'Work 2', 'Work 3'],
  ['Hall 1945', 'Hall 1946', 'Hall 1947'],
])('copies of “%s” are “%s” and “%s”, with as many digits', async (name, first, second) => {
  const { id } = await api.client().rooms.create({ body: { title: 'Hall' } });
  const editor = await openHeadless(api.client(), id);
  const { document } = editor;
  const work = add(editor, 'image', { name });
  for (let copy = 0; copy < 2; copy++) await duplicate(editor, [findElement(document.room.elements, work)!]);
  expect(document.room.elements.map((element) => element.name).toSorted()).toEqual([name, first, second].toSorted());
});

test('an unnamed element has unnamed copies', async () => {
  const { id } = await api.client().rooms.create({ body: { title: 'Hall' } });
  const editor = await openHeadless(api.client(), id);
  const image = add(editor, 'image');
  await duplicate(editor, [findElement(editor.document.room.elements, image)!]);
  expect(editor.document.room.elements.map(({ name }) => name)).toEqual(['', '']);
});
