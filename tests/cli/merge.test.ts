import { expect, it } from 'vitest';
import { withoutKeys } from '../../cli/rooms/read-document.ts';
import { mergeDocuments } from '../../engine/document/merge-documents.ts';
import { nestedRoom, parseRoom } from '../../engine/document/room.ts';

const room = (title: string, more: object[] = []) => ({
  id: 1,
  title,
  elements: [{ id: 1, element: 'group', name: 'Wall', children: [{ id: 2, element: 'light' }] }, ...more],
});

it('a merged room is written as an export writes it: with the fields of both sides, in their order', () => {
  const exported = (...args: Parameters<typeof room>) => {
    const document = nestedRoom(parseRoom(room(...args)));
    return JSON.parse(JSON.stringify({ ...document, elements: withoutKeys(document.elements) }));
  };
  const [base, ours] = [exported('Hall'), exported('Lobby')];
  const theirs = exported('Hall', [{ id: 3, element: 'audio' }]);
  const { document, conflicts } = mergeDocuments(base, ours, theirs);
  expect(conflicts).toEqual([]);
  expect(JSON.stringify(document)).toBe(JSON.stringify({ ...theirs, title: 'Lobby' }));
  // What somebody wrote by hand without these fields gets none.
  expect(mergeDocuments(room('Hall'), room('Lobby'), room('Hall')).document).toEqual(room('Lobby'));
});
