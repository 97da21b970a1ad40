import { describe, expect, test } from 'vitest';
import type { Element } from '../../../../engine/document/element.ts';
import { parseRoom } from '../../../../engine/document/room.ts';
import { MAX_SPANS, spansOf, TogetherEncoder, TogetherShown } from '../../../../engine/tools/marks/together.ts';
import { editorPresenceSchema } from '../../../../src/contract/editor-messages.ts';

/** A turned group with two images, and others beside it. */
const roomOf = (count: number): Element[] =>
  parseRoom({
    id: 1,
    title: 'Hall',
    elements: [
      {
        id: 1,
        element: 'group',
        position_x: 100,
        rotation_y: 0.7,
        scale_x: 2,
        scale_y: 2,
        scale_z: 2,
        children: [
          { id: 2, element: 'image', position_x: 30, position_z: -20 },
          { id: 3, element: 'image', position_y: 50, rotation_x: 0.4 },
        ],
      },
      ...Array.from({ length: count }, (_, index) => ({ id: 10 + index, element: 'image', position_x: index * 5 })),
    ],
  }).elements;

const up = (elements: readonly Element[], ids: readonly number[], by: number) =>
  ids.map((id) => ({ id, fields: { position_y: elements.find((each) => each.id === id)!.position_y + by } }));

describe('many elements that are moved as one', () => {
  test('are told in one matrix and are shown where they are, also within groups', () => {
    const elements = roomOf(100);
    const ids = Array.from({ length: 100 }, (_, index) => 10 + index);
    const encoder = new TogetherEncoder();
    const told = encoder.encode(elements, [...up(elements, ids, 40)])!;
    expect(told.ids).toEqual([[10, 109]]);
    expect(JSON.stringify(told).length).toBeLessThan(400);
    expect(() => editorPresenceSchema.parse({ together: told })).not.toThrow();
    const shown = new TogetherShown().show(elements, told);
    expect(shown.size).toBe(100);
    expect(shown.get(109)).toMatchObject({ position_x: 495, position_y: 40, scale_x: 1 });

    // Up in the room is up in a group that is turned and twice as large, by half as much.
    const inGroup = [2, 3].map((id) => {
      const { position_y } = elements.find((each) => each.id === id)!;
      return { id, fields: { position_y: position_y + 10 } };
    });
    const within = new TogetherShown().show(elements, encoder.encode(elements, inGroup));
    expect(within.get(3)!.position_y).toBeCloseTo(60, 2);
    expect(within.get(3)!.rotation_x).toBeCloseTo(0.4, 3);
    expect(within.get(2)!.position_x).toBeCloseTo(30, 2);
  });

  test('stay where they are shown when the document follows, and are not moved twice', () => {
    const elements = roomOf(60);
    const ids = Array.from({ length: 60 }, (_, index) => 10 + index);
    const [encoder, shown] = [new TogetherEncoder(), new TogetherShown()];
    shown.show(elements, encoder.encode(elements, up(elements, ids, 20)));
    const told = encoder.encode(elements, up(elements, ids, 30))!;
    const saved = elements.map((each) => (ids.includes(each.id) ? { ...each, position_y: 30 } : each));
    expect(shown.show(saved, told).get(20)!.position_y).toBeCloseTo(30, 3);
    // Whoever comes only now has it from the document already.
    expect(new TogetherShown().show(saved, told).size).toBe(0);
    expect(shown.show(saved, null).size).toBe(0);
    encoder.end();
    const next = encoder.encode(saved, up(saved, ids, 10))!;
    expect(next.gesture).toBe(told.gesture + 1);
    expect(shown.show(saved, next).get(20)!.position_y).toBeCloseTo(40, 3);
  });

  test('are not told where each goes its own way, nor where nothing can be told', () => {
    const elements = roomOf(60);
    const ids = Array.from({ length: 60 }, (_, index) => 10 + index);
    const each = ids.map((id, index) => ({ id, fields: { rotation_y: index / 10 } }));
    const encoder = new TogetherEncoder();
    expect(encoder.encode(elements, each)).toBeNull();
    expect(encoder.encode(elements, [{ id: 999, fields: { position_y: 1 } }])).toBeNull();
    expect(encoder.encode(elements, [])).toBeNull();
    const flat = elements.map((one) => ({ ...one, scale_x: 0 }));
    expect(new TogetherEncoder().encode(flat, up(flat, ids, 5))).toBeNull();
  });

  test('have their ids in spans, of which a message holds so many', () => {
    expect(spansOf([5, 3, 4, 9])).toEqual([
      [3, 5],
      [9, 9],
    ]);
    const elements = roomOf(1000);
    const even = Array.from({ length: 500 }, (_, index) => 10 + index * 2);
    const told = new TogetherEncoder().encode(elements, up(elements, even, 5))!;
    expect(told.ids).toHaveLength(MAX_SPANS);
    expect(() => editorPresenceSchema.parse({ together: told })).not.toThrow();
    // Spans that somebody makes up name no more than the room has.
    const all = { ...told, ids: [[1, 9e14]] as const, start: [100, 0, 0] as const };
    expect(new TogetherShown().show(elements, all).size).toBe(1003);
  });
});
