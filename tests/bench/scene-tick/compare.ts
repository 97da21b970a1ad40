import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { alternate, median, type Outcomes, type Scope } from '../bench.ts';

const script = fileURLToPath(new URL('measure.ts', import.meta.url));
const allocation = fileURLToPath(new URL('allocation.ts', import.meta.url));
const OURS = 'scene core';
const REFERENCE = 'bare bitecs';
/** The limit, shown in full runs. */
const LIMIT = 'typed arrays';
const variants = [
  { id: '1', count: 10_000, variant: 'all' },
  { id: '1b', count: 10_000, variant: 'few' },
  { id: '1c', count: 10_000, variant: 'mixed' },
  { id: '1c all', count: 100_000, variant: 'all' },
  { id: '1c few', count: 100_000, variant: 'few' },
];
/** Kinds of steady ticks: see `allocation.ts`. */
const TICKS = ['nothing changes', 'time passes', 'the camera sways'];
/** Measurements of 200 ms in a process. */
const WINDOWS = { full: 5, quick: 3 } as const;
/** Elements of the room in which allocations are measured, and series of ticks. */
const ALLOCATION = { full: { elements: 10_000, series: 120 }, quick: { elements: 2000, series: 20 } } as const;

interface Measurement {
  nanoseconds: number;
  sum: number;
}

interface Allocation {
  title: string;
  bytes: number;
}

function measure(name: string, count: number, variant: string, windows: number): Measurement {
  const words = [script, name, String(count), variant, String(windows)];
  return JSON.parse(execFileSync(process.execPath, words, { encoding: 'utf8' }));
}

function allocated(title: string, isQuick: boolean): Allocation {
  const { elements, series } = isQuick ? ALLOCATION.quick : ALLOCATION.full;
  const flags = ['--expose-gc', allocation, String(elements), String(series), title];
  return JSON.parse(execFileSync(process.execPath, flags, { encoding: 'utf8' }));
}

/**
 * Compares the scene core with loops that do the same work, each in a process of its own.
 * @throws if the contestants disagree
 */
export async function compareScenes({ rounds, isQuick, wants }: Scope): Promise<Outcomes> {
  const outcomes: Outcomes = {};
  const names = isQuick ? [OURS, REFERENCE] : [OURS, REFERENCE, LIMIT];
  for (const { id, count, variant } of variants) {
    if (!wants(id)) continue;
    const results = await alternate(
      names.map((name) => () => measure(name, count, variant, isQuick ? WINDOWS.quick : WINDOWS.full)),
      rounds,
    );
    const sums = results.flat().map(({ sum }) => sum);
    if (Math.max(...sums) - Math.min(...sums) > 1e-3 * Math.abs(sums[0]!))
      throw new Error(`The contestants disagree about ${id}: ${sums.map((sum) => sum.toFixed(3)).join(', ')}`);
    const times = results.map((list) => median(list.map(({ nanoseconds }) => nanoseconds / count)));
    const detail = times.map((time, index) => `${names[index]} ${time.toFixed(2)}`).join(' · ');
    outcomes[id] = { value: times[0]! / times[1]!, detail: `ns per element: ${detail}` };
  }
  if (!wants('1d')) return outcomes;
  const list = TICKS.map((title) => allocated(title, isQuick));
  const value = Math.max(...list.map(({ bytes }) => bytes));
  outcomes['1d'] = { value, detail: list.map(({ title, bytes }) => `${title} ${bytes.toFixed(1)}`).join(' · ') };
  return outcomes;
}
