import { describe, expect, test } from 'vitest';
import { planHanging } from '../../../engine/document/arrangements/hang.ts';
import { takenOn, type Wall, wallsOf } from '../../../engine/document/arrangements/walls.ts';
import type { Element } from '../../../engine/document/element.ts';
import { borderOf, framingOf } from '../../../engine/document/framing.ts';
import { outerSize } from '../../../engine/document/outer-size.ts';
import { parseRoom } from '../../../engine/document/room.ts';

const file = { id: 7, name: 'work.jpg', type: 'image', url: '/media/work.jpg', width: 400, height: 300 };
const template = { id: 1, name: 'Gallery', config: { frame_width: 10, mat_width: 20, contact_shadow: 0.4 } };
const image = (config: object = {}) => ({ id: 1, element: 'image', file, width: 200, config });
const roomOf = (element: object, ofTemplate: object | null = template) =>
  parseRoom({ id: 1, title: 'Hall', template: ofTemplate, elements: [element] });
const sizeIn = (room: ReturnType<typeof roomOf>) => outerSize(room.elements[0] as Element, room.template);

describe('the frame of an image', () => {
  test('is that of the template, except for settings of its own', () => {
    const { template: parsed } = roomOf(image());
    expect(framingOf({}, parsed)).toMatchObject({ frame_width: 10, mat_width: 20, contact_shadow: 0.4 });
    expect(framingOf({ mat_width: 0, frame_color: '#FFFFFF' }, parsed)).toMatchObject({
      frame_width: 10,
      mat_width: 0,
      frame_color: '#FFFFFF',
    });
  });

  test('is none without settings, also in documents of earlier versions', () => {
    expect(borderOf(framingOf({}, null))).toBe(0);
    expect(framingOf({}, { config: {} }).contact_shadow).toBe(0);
    expect(borderOf(framingOf({ mat_width: 20 }, null))).toBe(0);
  });

  test('adds to the size of its image, but not to that of plans and nadir patches', () => {
    expect(sizeIn(roomOf(image()))).toEqual({ width: 260, height: 210 });
    expect(sizeIn(roomOf(image({ frame_width: 0 })))).toEqual({ width: 200, height: 150 });
    expect(sizeIn(roomOf(image({ appearance: 'plan' })))).toEqual({ width: 200, height: 150 });
    expect(sizeIn(roomOf(image(), null))).toEqual({ width: 200, height: 150 });
  });

  test('takes its space on a wall', () => {
    const room = roomOf({ ...image(), position_z: -990 });
    const wall = { ...wallsOf(room)[0]!, center: { x: 0, y: 0, z: -1000 } } satisfies Wall;
    const [span] = takenOn(wall, room, new Set());
    expect(span!.to - span!.from).toBeCloseTo(260);
  });

  test('keeps the gap between works that are hung', () => {
    const work = { file, title: '', author: '', date: '', text: '', width: 40, height: 30 };
    const options = { layout: 'row', align: 'center', line: 484, gap: 94, sizing: 'real' } as const;
    const distance = (ofTemplate: object | null) => {
      const room = parseRoom({ id: 1, title: 'Hall', template: ofTemplate });
      const { hung } = planHanging(room, wallsOf(room), [work, work], options);
      return hung[1]!.x - hung[0]!.x;
    };
    expect(distance(template) - distance(null)).toBeCloseTo(60, 0);
  });
});
