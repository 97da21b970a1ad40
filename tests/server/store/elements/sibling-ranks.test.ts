import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { gapsOf, longestRising, ranksIn, spreadRanks } from '../../../../src/server/store/elements/sibling-ranks.ts';

const idsBelow = (most: number) => fc.uniqueArray(fc.integer({ min: 1, max: most }), { maxLength: most });

/** Siblings with rising ranks, and another order, of some of them and of new ones. */
const edits = fc
  .tuple(idsBelow(30), idsBelow(40), fc.array(fc.integer({ min: 0, max: 3 }), { minLength: 30, maxLength: 30 }))
  .map(([was, is, steps]) => {
    const ranks = new Map<number, number>();
    let rank = -5;
    for (const [place, id] of was.entries()) {
      rank += steps[place]!;
      ranks.set(id, rank);
    }
    return { was, is, ranks };
  });

/** Ids in the order of their ranks; none has that of another. */
function standing(is: readonly number[], ranks: ReadonlyMap<number, number>): number[] {
  expect(new Set(is.map((id) => ranks.get(id))).size).toBe(is.length);
  return is.toSorted((one, other) => ranks.get(one)! - ranks.get(other)!);
}

describe('ranks of siblings', () => {
  it('stand in the order that was asked for, whatever was known, however they were crowded', () => {
    fc.assert(
      fc.property(edits, ({ was, is, ranks }) => {
        const found = ranksIn(gapsOf(was, is), ranks) ?? spreadRanks(is, ranks);
        expect(standing(is, new Map([...ranks, ...spreadRanks(is, ranks)]))).toEqual(is);
        // Where two had one rank, only a change between them parts them.
        if (new Set(ranks.values()).size === ranks.size)
          expect(standing(is, new Map([...ranks, ...found]))).toEqual(is);
      }),
      { numRuns: 2_000 },
    );
  });

  it('of a longest rising row are given, and no longer one is there', () => {
    fc.assert(
      fc.property(
        fc.array(fc.option(fc.integer({ min: 0, max: 9 }), { nil: undefined }), { maxLength: 9 }),
        (values) => {
          const rising = (places: readonly number[]) =>
            places.every(
              (place, at) => values[place] !== undefined && (at === 0 || values[place]! > values[places[at - 1]!]!),
            );
          const places = longestRising(values);
          expect(rising(places)).toBe(true);
          for (let set = 0; set < 2 ** values.length; set++) {
            const some = values.flatMap((_, place) => (set & (2 ** place) ? [place] : []));
            if (rising(some)) expect(some.length).toBeLessThanOrEqual(places.length);
          }
        },
      ),
    );
  });

  it('of one that moves among ten thousand change alone', () => {
    const was = Array.from({ length: 10_000 }, (_, index) => index);
    const ranks = new Map(was.map((id) => [id, id * 1024]));
    const first = [9_999, ...was.slice(0, -1)];
    expect([...ranksIn(gapsOf(was, first), ranks)!]).toEqual([[9_999, -1024]]);
    const middle = [...was.slice(0, 5_000), 9_999, ...was.slice(5_000, -1)];
    expect([...ranksIn(gapsOf(was, middle), ranks)!]).toEqual([[9_999, 4_999 * 1024 + 512]]);
  });

  it('that follow each other without room are spread around what comes between, and have room from then on', () => {
    const was = Array.from({ length: 1_000 }, (_, index) => index);
    const ranks = new Map(was.map((id) => [id, id * 1024]));
    for (const id of [500, 501, 502, 503]) ranks.set(id, 499 * 1024 + id - 499);
    const is = [...was.slice(0, 502), 2_000, ...was.slice(502)];
    expect(ranksIn(gapsOf(was, is), ranks)).toBeNull();
    const spread = spreadRanks(is, ranks);
    expect(spread.size).toBeLessThan(20);
    for (const [id, rank] of spread) ranks.set(id, rank);
    const next = is.toSpliced(502, 0, 2_001);
    expect(ranksIn(gapsOf(is, next), ranks)).not.toBeNull();
  });

  it('never leave what a column holds: siblings are numbered anew before', () => {
    const ranks = new Map([
      [1, 5],
      [2, 2 ** 30],
    ]);
    expect(ranksIn(gapsOf([1, 2], [1, 2, 3]), ranks)).toBeNull();
    const spread = new Map([...ranks, ...spreadRanks([1, 2, 3], ranks)]);
    expect(standing([1, 2, 3], spread)).toEqual([1, 2, 3]);
    expect(Math.max(...spread.values())).toBeLessThan(10_000);
  });
});
