import { describe, expect, test } from 'vitest';
import { QualityJudge } from '../../../engine/stage/rendering/quality.ts';

/** Gives a judge so many frames, whose time depends on the level. */
function watch(judge: QualityJudge, frames: number, time: (level: number) => number): number[] {
  const levels: number[] = [];
  for (let frame = 0; frame < frames; frame++) {
    judge.take(time(judge.level));
    levels.push(judge.level);
  }
  return levels;
}

describe('the quality of the picture', () => {
  test('stays where the device keeps up, whatever one frame takes', () => {
    const judge = new QualityJudge();
    expect(Math.max(...watch(judge, 2000, () => 16.7))).toBe(0);
    watch(judge, 10, () => 16.7);
    judge.take(400);
    watch(judge, 200, () => 16.7);
    expect(judge.level).toBe(0);
  });

  test('goes down step by step while frames are slow and each step helps, and never below the lowest', () => {
    const levels = watch(new QualityJudge(), 1000, (level) => 100 * 0.7 ** level);
    expect(levels.at(-1)).toBe(3);
    expect(Math.max(...levels)).toBe(3);
    for (const [place, level] of levels.slice(1).entries())
      expect(Math.abs(level - levels[place]!)).toBeLessThanOrEqual(1);
  });

  test('comes back where a lower step does not help: then something else is slow', () => {
    const judge = new QualityJudge();
    const levels = watch(judge, 2000, () => 33.3);
    expect(Math.max(...levels)).toBe(1);
    expect(levels.slice(200).every((level) => level === 0)).toBe(true);
  });

  test('rises again when the device keeps up, and does not swing to and fro', () => {
    // The second level is just fast enough, the first is not.
    const levels = watch(new QualityJudge(), 20_000, (level) => (level === 0 ? 40 : 16));
    const changes = levels.slice(1).filter((level, place) => level !== levels[place]).length;
    expect(changes).toBeGreaterThan(1);
    expect(changes).toBeLessThan(30);
  });
});
