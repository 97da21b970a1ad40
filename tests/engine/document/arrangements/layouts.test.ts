import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  arrange,
  type Face,
  LAYOUTS,
  type LayoutOptions,
  LEAST_GAP,
} from '../../../../engine/document/arrangements/layouts.ts';

const works = fc.array(
  fc.record({
    width: fc.double({ min: 10, max: 700, noNaN: true }),
    height: fc.double({ min: 10, max: 700, noNaN: true }),
    below: fc.double({ min: 0, max: 120, noNaN: true }),
  }),
  { maxLength: 30 },
);
const faces = fc.array(
  fc.record({
    width: fc.integer({ min: 50, max: 4000 }),
    height: fc.integer({ min: 50, max: 1200 }),
    base: fc.integer({ min: 0, max: 300 }),
    taken: fc.array(
      fc
        .record({ from: fc.integer({ min: -50, max: 3000 }), length: fc.integer({ min: 1, max: 600 }) })
        .map(({ from, length }) => ({ from, to: from + length })),
      { maxLength: 2 },
    ),
  }),
  { minLength: 1, maxLength: 4 },
);
const options = fc.record({
  layout: fc.constantFrom(...LAYOUTS),
  align: fc.constantFrom('center' as const, 'bottom' as const, 'top' as const),
  line: fc.integer({ min: 0, max: 1500 }),
  gap: fc.option(fc.integer({ min: 0, max: 200 })),
});

const NEAR = 1e-3;
const base = { layout: 'row', align: 'center', line: 484, gap: 94 } satisfies LayoutOptions;
const square = (side: number) => ({ width: side, height: side, below: 0 });
const wall = (width: number): Face => ({ width, height: 1000, base: 0, taken: [] });

describe('works on walls', () => {
  test('stay inside, apart, off what hangs there, and in order, and none is lost', () => {
    fc.assert(
      fc.property(works, faces, options, (all, walls, chosen) => {
        const gap = chosen.gap ?? LEAST_GAP;
        const { placed, left } = arrange(all, walls, chosen);
        expect([...placed.map(({ work }) => work), ...left].toSorted((a, b) => a - b)).toEqual(
          all.map((_, nth) => nth),
        );
        const boxes = placed.map(({ work, face, x, y }) => {
          const { width, height, below } = all[work]!;
          return {
            face,
            left: x - width / 2,
            right: x + width / 2,
            bottom: y - height / 2 - below,
            top: y + height / 2,
          };
        });
        for (const [nth, box] of boxes.entries()) {
          const { width, height, taken } = walls[box.face]!;
          expect(Math.min(box.left, box.bottom)).toBeGreaterThan(-NEAR);
          expect(box.right).toBeLessThan(width + NEAR);
          expect(box.top).toBeLessThan(height + NEAR);
          for (const { from, to } of taken) expect(box.right < from + NEAR || box.left > to - NEAR).toBe(true);
          for (const other of boxes.slice(nth + 1).filter(({ face }) => face === box.face)) {
            const across = Math.max(other.left - box.right, box.left - other.right);
            const up = Math.max(other.bottom - box.top, box.bottom - other.top);
            expect(Math.max(across, up)).toBeGreaterThan(gap - NEAR);
          }
        }
        if (chosen.layout !== 'salon')
          expect(placed.map(({ work }) => work)).toEqual(placed.map(({ work }) => work).toSorted((a, b) => a - b));
        expect(placed.map(({ face }) => face)).toEqual(placed.map(({ face }) => face).toSorted((a, b) => a - b));
      }),
      { numRuns: 400 },
    );
  });

  test('hang in a row with equal gaps, centered at the line, and continue on the next wall', () => {
    const sides = [100, 200, 150, 300, 120];
    const { placed, left } = arrange(sides.map(square), [wall(1000), wall(1000)], base);
    expect(left).toEqual([]);
    expect(placed.map(({ face }) => face)).toEqual([0, 0, 0, 1, 1]);
    expect(placed.every(({ y }) => y === 484)).toBe(true);
    const [a, b, c] = placed;
    expect(b!.x - 100 - (a!.x + 50)).toBeCloseTo(94);
    expect(c!.x - 75 - (b!.x + 100)).toBeCloseTo(94);
    // The row is in the middle of its wall.
    expect(a!.x - 50).toBeCloseTo(1000 - (c!.x + 75));
  });

  test('spread evenly over a wall without a given gap', () => {
    const { placed } = arrange([100, 200, 100].map(square), [wall(1200)], { ...base, gap: null });
    expect(placed.map(({ x }) => Math.round(x))).toEqual([250, 600, 950]);
  });

  test('align their edges to the line, and give way to floor and ceiling', () => {
    const y = (align: 'bottom' | 'top', side: number) =>
      arrange([square(side)], [wall(1000)], { ...base, align, line: 300 }).placed[0]!.y;
    expect([y('bottom', 100), y('top', 100), y('top', 800)]).toEqual([350, 250, 400]);
  });

  test('that are too large for every wall are left', () => {
    expect(arrange([square(1100), square(100)], [wall(1000)], base).left).toEqual([0]);
  });

  test('fill several rows from top to bottom', () => {
    const { placed } = arrange(
      Array.from({ length: 4 }, () => square(200)),
      [wall(700)],
      { ...base, layout: 'rows' },
    );
    const [a, b, c, d] = placed.map(({ x, y }) => [Math.round(x), Math.round(y)]);
    expect([a, b, c, d]).toEqual([
      [203, 631],
      [497, 631],
      [203, 337],
      [497, 337],
    ]);
  });

  test('surround the largest one in a salon', () => {
    const sides = [80, 120, 300, 90, 100, 110, 80, 95];
    const { placed, left } = arrange(sides.map(square), [wall(1400)], { ...base, layout: 'salon', gap: 20 });
    expect(left).toEqual([]);
    expect(placed.find(({ work }) => work === 2)).toMatchObject({ x: 700, y: 484 });
  });
});
