import { expect, test } from 'vitest';
import { ELEMENT_TYPES, type Element, flatElementSchema } from '../../engine/document/element.ts';
import { parseRoom } from '../../engine/document/room.ts';
import { readLinks } from '../../src/viewer/overlay/read-links.ts';

const link = { name: 'Away', navigation: { type: 'disabled' as const, type_config: {} } };

test('a link without a navigation key is told in the words of the specification, once, when the room is read', () => {
  const room = parseRoom({
    id: 1,
    title: 'Links',
    config: { duration: 60, top_left_link: link, timed_popup_action_left: link },
    elements: [
      { id: 1, element: 'group', children: [{ id: 2, element: 'button', config: {} }] },
      { id: 3, element: 'image', config: {} },
      { id: 4, element: 'audio', config: {} },
    ],
  });
  const told: unknown[][] = [];
  readLinks(room, (...line) => told.push(line));
  expect(told).toEqual([]);
  // As rooms were stored before links had defaults.
  for (const holder of [
    room.config.top_left_link,
    room.config.timed_popup_action_left,
    room.elements[1]!.config,
    room.elements[2]!.config,
  ])
    delete (holder as { navigation?: unknown }).navigation;
  readLinks(room, (...line) => told.push(line));
  const words = 'Invalid IHtmlLink. Missing navigation key';
  expect(told).toHaveLength(4);
  expect(told).toEqual(
    expect.arrayContaining([
      [words, { field: 'top_left_link' }],
      [words, { field: 'timed_popup_action_left' }],
      [words, { element_id: 2 }],
      [words, { element_id: 3 }],
    ]),
  );
});

test('every type of element that can be a link is read; a view point leads to itself without one', () => {
  const elements = ELEMENT_TYPES.map((element, id) => {
    const { config, ...fields } = flatElementSchema.parse({ id: id + 1, element });
    const { navigation: _, ...rest } = config as { navigation?: unknown };
    return { ...fields, config: rest, children: [] } as unknown as Element;
  });
  const told: unknown[] = [];
  readLinks({ ...parseRoom({ id: 1, title: 'Links', elements: [] }), elements }, (_, where) => told.push(where));
  const linking = ELEMENT_TYPES.filter(
    (element) => element !== 'view_point' && 'navigation' in flatElementSchema.parse({ id: 1, element }).config,
  );
  expect(linking).toContain('button');
  expect(told.map((where) => ELEMENT_TYPES[(where as { element_id: number }).element_id - 1])).toEqual(linking);
});
