import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { applyCommand } from '../../../engine/document/commands.ts';
import { differences, sentenceOf } from '../../../engine/document/difference.ts';
import { type NestedRoom, nestedRoom, parseRoom } from '../../../engine/document/room.ts';
import { arbitraryCommand, arbitraryRoom } from '../../harness/arbitrary-room.ts';

const file = (id: number, name: string) => ({ id, name, type: 'image', url: `/media/${id}/${name}` });
const hall = {
  id: 1,
  title: 'Hall',
  elements: [
    { id: 1, element: 'image', name: 'Portrait', file_id: 7, file: file(7, 'a.jpg') },
    {
      id: 2,
      element: 'group',
      name: 'Wall',
      children: [
        { id: 3, element: 'text' },
        { id: 4, element: 'light' },
      ],
    },
    { id: 5, element: 'button', name: 'Door' },
    { id: 6, element: 'html', name: 'Note' },
  ],
};
const before = parseRoom(hall);

/** What is said of a room that was changed. */
function told(change: (room: NestedRoom) => void): string[] {
  const after = nestedRoom(structuredClone(before));
  change(after);
  return differences(before, parseRoom(after)).map(sentenceOf);
}

describe('what has changed', () => {
  test('position, rotation and scale are told once each, angles in degrees', () => {
    const sentences = told(({ elements: [portrait] }) =>
      Object.assign(portrait!, { position_x: 10, rotation_y: Math.PI / 4, scale_x: 2, scale_y: 2, scale_z: 1.23456 }),
    );
    expect(sentences).toEqual([
      '“Portrait” moved from 0, 0, 0 to 10, 0, 0',
      '“Portrait” turned from 0°, 0°, 0° to 0°, 45°, 0°',
      '“Portrait” scaled from 1, 1, 1 to 2, 2, 1.235',
    ]);
  });

  test('settings of the room are told by their groups', () => {
    const sentences = told((room) => {
      room.title = 'Great hall';
      room.config.camera.fov = 60;
      room.config.camera.position.y = 5;
      room.config.fog.enabled = true;
      room.config.top_left_link = { name: 'Home', navigation: { type: 'disabled', type_config: {} } };
    });
    expect(sentences).toEqual([
      'Title “Hall” → “Great hall”',
      'Camera: field of view 50 → 60',
      'Camera: position 0, 0, 0 → 0, 5, 0',
      'Fog: enabled no → yes',
      'Top left link none → “Home”',
    ]);
  });

  test('names, visibility, files and links are told in words', () => {
    const sentences = told(({ elements: [portrait, , door, note] }) => {
      Object.assign(portrait!, { name: 'Old master', hidden: true, file_id: 8, file: file(8, 'b.jpg') });
      if (door!.element === 'button')
        door!.config.navigation = { type: 'url', type_config: { url: 'https://example.org/' } };
      if (note!.element === 'html') note!.config.body = `<p>${'Welcome to the hall. '.repeat(10)}</p>`;
    });
    expect(sentences).toEqual([
      '“Portrait” renamed to “Old master”',
      '“Old master” hidden',
      '“Old master”: file “a.jpg” → “b.jpg”',
      '“Door”: navigation type “disabled” → “url”',
      '“Door”: navigation url none → “https://example.org/”',
      '“Note”: text empty → “Welcome to the hall. Welcome to the hall. Welcom…”',
    ]);
  });

  test('a group that comes or goes is told once, with what is in it', () => {
    expect(told((room) => room.elements.splice(1, 1))).toEqual(['“Wall” removed, with 2 child elements']);
    expect(told((room) => room.elements[1]!.children.shift())).toEqual(['3D text 3 removed from “Wall”']);
    const grown = told((room) => {
      const [, wall] = nestedRoom(
        parseRoom({ ...hall, elements: hall.elements.map((each) => ({ ...each, id: each.id + 10 })) }),
      ).elements;
      wall!.children[1]!.id = 14;
      wall!.children[0]!.id = 13;
      room.elements.push(wall!);
    });
    expect(grown).toEqual(['“Wall” added, with 2 child elements']);
  });

  test('an element that goes into a group, or out of it, is told with both', () => {
    const into = told((room) => room.elements[1]!.children.push(...room.elements.splice(2, 1)));
    expect(into).toEqual(['“Door” moved into “Wall”']);
    const out = told((room) => room.elements.push(...room.elements[1]!.children.splice(0, 1)));
    expect(out).toEqual(['3D text 3 moved to the top level, out of “Wall”']);
    const freed = told((room) => room.elements.splice(1, 1, ...room.elements[1]!.children));
    expect(freed).toEqual([
      '“Wall” removed',
      '3D text 3 moved to the top level, out of “Wall”',
      'Light 4 moved to the top level, out of “Wall”',
    ]);
  });

  test('of an order, only what was moved is told', () => {
    expect(told((room) => room.elements.push(...room.elements.splice(0, 1)))).toEqual([
      '“Portrait” reordered from position 1 to 4',
    ]);
    expect(told((room) => room.elements[1]!.children.reverse())).toEqual([
      'Light 4 reordered from position 2 to 1 in “Wall”',
    ]);
  });

  test('an element that became one of another type is another element', () => {
    const other = { id: 5, element: 'video', name: 'Door' };
    const after = parseRoom({ ...hall, elements: [...hall.elements.slice(0, 2), other, hall.elements[3]] });
    expect(differences(before, after).map(sentenceOf)).toEqual(['“Door” added', '“Door” removed']);
  });

  test('rooms that are the same differ in nothing, whatever any edit and its inverse did', () => {
    const edited = arbitraryRoom().chain((room) => fc.tuple(fc.constant(room), arbitraryCommand(room)));
    fc.assert(
      fc.property(edited, ([room, command]) => {
        const { room: after, inverse } = applyCommand(room, command);
        expect(differences(room, applyCommand(after, inverse).room)).toEqual([]);
        expect(differences(room, JSON.parse(JSON.stringify(room)))).toEqual([]);
        for (const difference of differences(room, after)) expect(sentenceOf(difference)).not.toMatch(/undefined|\n/);
      }),
      { numRuns: 300, seed: 11 },
    );
  });
});
