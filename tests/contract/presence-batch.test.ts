import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  CHANGES,
  type Introduction,
  NO_HEADING,
  packHeading,
  readBatch,
  readHeading,
  SNAPSHOT,
  type Step,
  writeBatch,
} from '../../src/contract/presence-batch.ts';

const slots = (max = 30) => fc.uniqueArray(fc.nat(5000), { maxLength: max }).map((list) => list.sort((a, b) => a - b));
const unit = fc.integer({ min: -2_000_000, max: 2_000_000 });
const byte = fc.nat(255);
const steps = slots().chain((list) =>
  fc.tuple(...list.map((slot) => fc.tuple(fc.constant(slot), unit, unit, unit, byte))),
) as fc.Arbitrary<Step[]>;
const introductions = slots().chain((list) =>
  fc.tuple(...list.map((slot) => fc.tuple(fc.constant(slot), fc.integer({ min: 1, max: 1_000_000 }), byte))),
) as fc.Arbitrary<Introduction[]>;
const kinds = fc.constantFrom(SNAPSHOT, CHANGES);

describe('a frame of presence', () => {
  it('says what was written, with who visitors are and where they look, or without', () => {
    fc.assert(
      fc.property(kinds, fc.nat(100_000), slots(), steps, introductions, (kind, channel, gone, moved, told) => {
        expect(readBatch(writeBatch(kind, channel, gone, moved, told))).toEqual({
          kind,
          channel,
          gone,
          introductions: told,
          steps: moved,
        });
        const places = moved.map(([slot, x, y, z]) => [slot, x, y, z]);
        expect(readBatch(writeBatch(kind, channel, gone, moved))).toEqual({
          kind,
          channel,
          gone,
          introductions: [],
          steps: places,
        });
      }),
    );
  });

  it('of places only is to the byte what pages of earlier versions read', () => {
    const frame = writeBatch(CHANGES, 3, [1, 4], [[2, 10, -1, 300, 7]]);
    expect([...frame]).toEqual([1, 3, 2, 1, 3, 2, 20, 1, 0xd8, 4]);
  });

  it('takes one byte more for a heading', () => {
    const moved: Step[] = [[2, 10, -1, 300, 7]];
    expect(writeBatch(CHANGES, 3, [], moved, []).length - writeBatch(CHANGES, 3, [], moved).length).toBe(2);
    const two: Step[] = [...moved, [3, 1, 1, 1, 8]];
    expect(writeBatch(CHANGES, 3, [], two, []).length - writeBatch(CHANGES, 3, [], two).length).toBe(3);
  });

  it('that is garbage is read or refused, and never anything else', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 64 }), (bytes) => {
        try {
          const { kind, steps: moved } = readBatch(bytes);
          expect([SNAPSHOT, CHANGES]).toContain(kind);
          expect(moved.flat().every((value) => Number.isInteger(value))).toBe(true);
        } catch (error) {
          expect(error).toBeInstanceOf(RangeError);
        }
      }),
      { numRuns: 5000 },
    );
  });

  it('of a version to come is refused', () => {
    expect(() => readBatch(Uint8Array.of(4, 0, 0))).toThrow(RangeError);
  });
});

describe('a heading as a byte', () => {
  it('is at most three quarters of a degree off, and any turn around is the same', () => {
    fc.assert(
      fc.property(fc.double({ min: -7, max: 7, noNaN: true }), fc.integer({ min: -3, max: 3 }), (heading, turns) => {
        const packed = packHeading(heading);
        const off = readHeading(packed)! - heading;
        expect(Math.abs(Math.sin(off / 2))).toBeLessThanOrEqual(Math.sin((0.75 * Math.PI) / 360) + 1e-9);
        expect((packHeading(heading + turns * 2 * Math.PI) - packed + 240 + 1) % 240).toBeLessThanOrEqual(2);
      }),
    );
  });

  it('may be missing', () => {
    expect([readHeading(NO_HEADING), readHeading(240), readHeading(undefined)]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });
});
