import { describe, expect, test } from 'vitest';
import type { Outcomes } from './bench.ts';
import { growthOf } from './growth/growth-of.ts';
import { comparisonOf, tableOf, weaknessesOf, withResults } from './print.ts';
import { JOBS, jobOf, ROWS, type Row } from './rows.ts';
import { betterOf, isWorse, judge, strays } from './verdict.ts';

const least: Row = { id: '3', job: 'room', unit: '×', isMoreBetter: true, target: 1.2, moonshot: 1.5, bench: 'http' };
const most: Row = { id: '1', job: 'tick', unit: '×', target: 0.85, moonshot: 0.6, bench: 'scene' };
const bytes: Row = { id: '1d', job: 'heap', unit: 'bytes', target: 0, moonshot: 0, bench: 'scene', slack: 8 };

const gate = { needsTargets: false };
const faultOf = (row: Row, value: number, baseline?: number, rules = gate) =>
  judge(
    [row],
    { [row.id]: { value } },
    { ...rules, ...(baseline !== undefined && { baseline: { [row.id]: { value: baseline } } }) },
  )[0]!.fault;

describe('The gate of the benchmarks', () => {
  test('passes a row that is up to half again as bad as the baseline', () => {
    expect(isWorse(most, 0.6, 0.4)).toBe(false);
    expect(isWorse(most, 0.61, 0.4)).toBe(true);
    expect(isWorse(least, 0.8, 1.2)).toBe(false);
    expect(isWorse(least, 0.79, 1.2)).toBe(true);
  });

  test('passes a row that is better than the baseline, however much', () => {
    expect(isWorse(most, 0.01, 0.4)).toBe(false);
    expect(isWorse(least, 100, 1.2)).toBe(false);
  });

  test('fails heap left by a tick only beyond 8 bytes', () => {
    expect(isWorse(bytes, 8, 0)).toBe(false);
    expect(isWorse(bytes, 9, 0)).toBe(true);
  });

  test('does not fail a quick run for a missed target, but a full one', () => {
    expect(faultOf(most, 0.9)).toBeUndefined();
    expect(faultOf(most, 0.9, undefined, { needsTargets: true })).toBe('misses its target');
    expect(
      faultOf({ ...most, later: 'belongs to a later change' }, 0.9, undefined, { needsTargets: true }),
    ).toBeUndefined();
    expect(faultOf(most, 0.85, undefined, { needsTargets: true })).toBeUndefined();
  });

  test('fails every run for a missed target that is required', () => {
    const leak: Row = { id: 'leak', job: 'heap', unit: 'MB', target: 1, bench: 'memory', isRequired: true };
    expect(faultOf(leak, 1)).toBeUndefined();
    expect(faultOf(leak, 1.01)).toBe('misses its target');
    // A baseline whose heap shrank doesn't forbid that it stays as it is.
    expect(isWorse({ ...leak, slack: 1 }, 0.2, -4.7)).toBe(false);
    expect(isWorse({ ...leak, slack: 1 }, 1.2, -4.7)).toBe(true);
  });

  test('scales the baseline by the speed of the machine, where a minimal page shows it', () => {
    const task: Row = { id: 'tree', job: 'tree', unit: 'ms', target: 100, bench: 'screens' };
    const fault = (value: number, beside: number) =>
      judge([task], { tree: { value, beside } }, { ...gate, baseline: { tree: { value: 20, beside: 10 } } })[0]!.fault;
    expect(fault(31, 10)).toBe('is worse than the baseline');
    expect(fault(31, 15)).toBeUndefined();
    expect(fault(46, 15)).toBe('is worse than the baseline');
  });

  test('fails a row worse than the baseline, and asks for another try', () => {
    const [verdict] = judge([most], { '1': { value: 1 } }, { ...gate, baseline: { '1': { value: 0.5 } } });
    expect(verdict).toMatchObject({ fault: 'is worse than the baseline', isRetried: true, baseline: 0.5 });
  });

  test('names rows that have left the baseline behind, and a baseline of another processor', () => {
    const run = { commit: 'abc', processor: 'A', node: '24.0.0', date: '', isQuick: true, rounds: {} };
    const weaknesses = (value: number, processor: string) => {
      const baseline = { ...run, outcomes: { '1': { value: 0.6 } } };
      const verdicts = judge([most], { '1': { value } }, { ...gate, baseline: baseline.outcomes });
      return weaknessesOf(verdicts, processor, baseline).join(' ');
    };
    expect(weaknesses(0.41, 'A')).toBe('');
    expect(weaknesses(0.39, 'A')).toMatch(/Far better than the baseline.*: 1\./);
    expect(weaknesses(0.5, 'B')).toMatch(/another processor, A\./);
  });

  test('fails a row without a bench and without a reason', () => {
    const { bench: _, ...row } = most;
    expect(judge([row], {}, gate)[0]!.fault).toBe('has neither a bench nor a reason');
    expect(judge([{ ...row, later: 'there are no tours yet' }], {}, gate)[0]!.fault).toBeUndefined();
  });

  test('fails a row that its bench forgot, but not one that the machine can’t measure', () => {
    expect(judge([most], {}, gate)[0]!.fault).toBe('was not measured by scene');
    expect(judge([most], { '1': { reason: 'no browser' } }, gate)[0]!.fault).toBeUndefined();
  });

  test('fails a row that is not a number', () => {
    expect(faultOf(most, Number.NaN, 0.5)).toBe('is not a number');
  });

  test('keeps the best of several tries', () => {
    expect(betterOf(most, { value: 0.9 }, { value: 0.5 })).toEqual({ value: 0.5 });
    expect(betterOf(most, { value: 0.5 }, { value: 0.9 })).toEqual({ value: 0.5 });
    expect(betterOf(least, { value: 0.5 }, { value: 0.9 })).toEqual({ value: 0.9 });
    expect(betterOf(most, { value: 0.5 }, { reason: 'no browser' })).toEqual({ value: 0.5 });
    expect(betterOf(most, { value: Number.NaN }, { value: 0.9 })).toEqual({ value: 0.9 });
  });

  test('reports jobs without a row, and measurements of none', () => {
    expect(strays(ROWS, { '1': { value: 1 } })).toEqual([]);
    expect(strays(ROWS, { '1e': { value: 1 } })).toEqual(['1e was measured, but has no row.']);
    const without = ROWS.filter((row) => jobOf(row) !== '7b');
    expect(strays(without, {})).toEqual(['Job 7b has no row.']);
  });
});

describe('The rows of the benchmarks', () => {
  test('have distinct ids, and a target and a moonshot for each job', () => {
    expect(new Set(ROWS.map(({ id }) => id)).size).toBe(ROWS.length);
    for (const job of JOBS) {
      const { target, moonshot } = ROWS.find(({ id }) => id === job)!;
      expect(target, job).toBeDefined();
      expect(moonshot, job).toBeDefined();
    }
  });

  test('have a bench or a reason', () => {
    for (const { id, bench, later } of ROWS) expect(bench ?? later, id).toBeTruthy();
  });

  test('never have a moonshot that is easier than the target', () => {
    for (const { id, target, moonshot, isMoreBetter } of ROWS)
      if (target !== undefined && moonshot !== undefined)
        expect(isMoreBetter ? moonshot >= target : moonshot <= target, id).toBe(true);
  });
});

describe('The results of the benchmarks', () => {
  const run = (outcomes: Outcomes) => ({
    commit: 'abc',
    processor: 'A processor',
    node: '24.0.0',
    date: '2026-01-02T03:04:05.000Z',
    isQuick: true,
    rounds: { scene: 1 },
    outcomes,
  });

  test('show ours, the baseline, target and moonshot beside each other', () => {
    const baseline = { '1': { value: 0.5 } };
    const table = tableOf(judge([most], { '1': { value: 0.7, detail: 'ns: 7 to 10' } }, { ...gate, baseline }));
    expect(table).toMatch(/1 +tick +0\.70 +0\.50 +≤ 0\.85 +≤ 0\.60 +× +ok {2}\(ns: 7 to 10\)/);
  });

  test('show the change between two runs in per cent', () => {
    const text = comparisonOf(
      run({ '1': { value: 0.5 }, '3': { value: 1 } }),
      run({ '1': { value: 0.4 }, '3': { value: 0.5 } }),
    );
    expect(text).toMatch(/^1 .* 0\.50 +0\.40 +-20 % +better/m);
    expect(text).toMatch(/^3 .* 1 +0\.50 +-50 % +worse/m);
  });

  test('replace the table of the README and nothing else', () => {
    const readme = 'before\n<!-- results: npm run bench -- --write-readme -->\nold\n<!-- end of results -->\nafter';
    const text = withResults(readme, run({ '1': { value: 0.4567 } }));
    expect(text).toMatch(/^before\n<!-- results/);
    expect(text).toMatch(/<!-- end of results -->\nafter$/);
    expect(text).not.toContain('old');
    expect(text).toContain('| 0.46 × | ≤ 0.85 | ≤ 0.60 |');
    expect(text).toContain('A processor');
    expect(withResults(text, run({ '1': { value: 0.4567 } }))).toBe(text);
  });
});

describe('Growth per factor of ten', () => {
  test('is 1 for a flat cost and 10 for a proportional one', () => {
    expect(growthOf([100, 1000, 20_000], [5, 5, 5])).toBeCloseTo(1);
    expect(growthOf([100, 1000, 20_000], [1, 10, 200])).toBeCloseTo(10);
  });

  test('is measured over all sizes', () => {
    expect(growthOf([10, 100, 1000], [1, 1.2, 1.44])).toBeCloseTo(1.2);
  });
});
