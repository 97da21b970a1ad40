import { describe, expect, test } from 'vitest';
import { type Extent, snapBox } from '../../../../engine/tools/gestures/snapping.ts';

const box = (x: number, y: number, width: number, height: number): Extent => ({
  min: { x: x - width / 2, y: y - height / 2, z: -1 },
  max: { x: x + width / 2, y: y + height / 2, z: 1 },
});
const room = box(0, 0, 10_000, 6000);
const wall = ['x', 'y'] as const;

describe('snapping to neighbors', () => {
  test('edges and middles within reach are met, the nearest first, with a line over both', () => {
    const neighbor = box(0, 0, 100, 60);
    const { shift, guides } = snapBox(box(203, 4, 80, 80), wall, [neighbor], room, 6);
    expect(shift).toEqual({ x: 0, y: -4, z: 0 });
    expect(guides).toEqual([{ from: { x: -50, y: 0, z: 0 }, to: { x: 243, y: 0, z: 0 } }]);
    // The upper edges are two units from each other, the middles twelve.
    expect(snapBox(box(300, 12, 80, 40), wall, [neighbor], room, 6).shift.y).toBe(-2);
    expect(snapBox(box(300, 100, 80, 40), wall, [neighbor], room, 6).shift).toEqual({ x: 0, y: 0, z: 0 });
  });

  test('the same space as between two others is left before, behind and between them', () => {
    const [a, b] = [box(0, 500, 100, 100), box(250, 500, 100, 100)];
    // 150 between them: the next one begins at 450.
    const behind = snapBox(box(503, 475, 100, 10), ['x', 'y'], [a, b], room, 5);
    expect(behind.shift.x).toBe(-3);
    expect(behind.guides.filter(({ from, to }) => from.y === to.y)).toHaveLength(2);
    expect(snapBox(box(-246, 475, 100, 10), wall, [a, b], room, 5).shift.x).toBe(-4);
    expect(snapBox(box(128, 475, 50, 10), wall, [a, b], room, 5).shift.x).toBe(-3);
    // What stands above them is no row with them.
    expect(snapBox(box(503, 900, 100, 10), wall, [a, b], room, 5).shift.x).toBe(0);
  });

  test('the middle of the room is met, and only along the ways that are free', () => {
    expect(snapBox(box(3, 4, 33, 47), ['x'], [], room, 5).shift).toEqual({ x: -3, y: 0, z: 0 });
  });
});
