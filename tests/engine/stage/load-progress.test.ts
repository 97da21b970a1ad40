import { describe, expect, test } from 'vitest';
import { LoadProgress, type OnArrival } from '../../../engine/stage/resources/load-progress.ts';

/** Begins loads by hand; the parts that were told, the latest at the end. */
function loading() {
  const told: number[] = [];
  const progress = new LoadProgress((part) => told.push(part));
  const begin = () => {
    let arrive: OnArrival = () => undefined;
    let end = () => {};
    let fail = (_: Error) => {};
    const work = progress.track((onArrival) => {
      arrive = onArrival;
      return new Promise<void>((resolve, reject) => {
        end = resolve;
        fail = reject;
      });
    });
    return { work, arrive, end, fail };
  };
  return { told, begin };
}

describe('how much of a room has arrived', () => {
  test('is how much of the bytes, whatever the number of files', async () => {
    const { told, begin } = loading();
    const large = begin();
    const small = begin();
    large.arrive({ loaded: 0, total: 900 });
    small.arrive({ loaded: 100, total: 100 });
    small.end();
    await small.work;
    expect(told.at(-1)).toBeCloseTo(0.1);
    large.arrive({ loaded: 450, total: 900 });
    expect(told.at(-1)).toBeCloseTo(0.55);
    large.end();
    await large.work;
    expect(told.at(-1)).toBe(1);
  });

  test('counts a file without a length as much as the others, and it grows with what comes of it', async () => {
    const { told, begin } = loading();
    const silent = begin();
    silent.arrive({ loaded: 10_000, total: 0 });
    const early = told.at(-1)!;
    silent.arrive({ loaded: 2_000_000, total: 0 });
    expect(early).toBeGreaterThan(0);
    expect(told.at(-1)).toBeGreaterThan(early);
    expect(told.at(-1)).toBeLessThan(1);
    silent.end();
    await silent.work;
    const known = begin();
    known.arrive({ loaded: 300, total: 600 });
    expect(told.at(-1)).toBeCloseTo(0.75);
  });

  test('is never more than all: what was sent compressed is longer than announced', () => {
    const { told, begin } = loading();
    begin().arrive({ loaded: 3000, total: 1000 });
    expect(told.at(-1)).toBe(1);
  });

  test("what can't be had is not waited for", async () => {
    const { told, begin } = loading();
    const gone = begin();
    gone.arrive({ loaded: 100, total: 1000 });
    gone.fail(new Error('The line was cut.'));
    await expect(gone.work).rejects.toThrow('The line was cut.');
    expect(told.at(-1)).toBe(1);
  });
});
