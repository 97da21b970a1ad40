import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { median } from '../server-process.ts';

const script = fileURLToPath(new URL('measure.ts', import.meta.url));
const allocation = fileURLToPath(new URL('allocation.ts', import.meta.url));
const OURS = 'scene core';
const REFERENCE = 'bare bitecs';
const names = [OURS, REFERENCE, 'typed arrays'];
/** Maximum ratio of our time to the baseline's: the required one, and the goal. */
const rows = [
  { title: '10,000, all moving', count: 10_000, variant: 'all', target: 0.85, moonshot: 0.6 },
  { title: '10,000, 1 in 100', count: 10_000, variant: 'few', target: 0.1, moonshot: 0.06 },
  { title: '10,000, mixed', count: 10_000, variant: 'mixed', target: 0.28, moonshot: 0.2 },
  { title: '100,000, all moving', count: 100_000, variant: 'all', target: 0.75, moonshot: 0.55 },
  { title: '100,000, 1 in 100', count: 100_000, variant: 'few', target: 0.17, moonshot: 0.1 },
];

interface Measurement {
  nanoseconds: number;
  sum: number;
}

interface Allocation {
  title: string;
  steady: boolean;
  bytes: number;
  events: number;
}

function measure(name: string, count: number, variant: string): Measurement {
  return JSON.parse(execFileSync(process.execPath, [script, name, String(count), variant], { encoding: 'utf8' }));
}

/**
 * Compares the scene core with loops that do the same work, each in a process of its own.
 * @returns whether the targets are met
 */
export function compareScenes(rounds: number): boolean {
  let failed = false;
  console.log(`Scene tick, nanoseconds per element, medians of ${rounds} round(s); Node ${process.versions.node}\n`);
  console.log(
    ['elements'.padEnd(20), ...names.map((name) => name.padStart(13)), '   ratio  target  moonshot'].join(''),
  );
  for (const { title, count, variant, target, moonshot } of rows) {
    const times = new Map<string, number[]>(names.map((name) => [name, []]));
    const sums: number[] = [];
    for (let round = 0; round < rounds; round++) {
      for (const place of names.keys()) {
        const name = names[(place + round) % names.length]!;
        const { nanoseconds, sum } = measure(name, count, variant);
        times.get(name)!.push(nanoseconds / count);
        sums.push(sum);
      }
    }
    const middle = names.map((name) => median(times.get(name)!));
    const ratio = middle[0]! / middle[names.indexOf(REFERENCE)]!;
    const figures = middle.map((value) => value.toFixed(2).padStart(13)).join('');
    const verdict = ratio > target ? '  misses its target' : '';
    console.log(
      `${title.padEnd(20)}${figures}${ratio.toFixed(2).padStart(8)}${target.toFixed(2).padStart(8)}${moonshot.toFixed(2).padStart(10)}${verdict}`,
    );
    if (Math.max(...sums) - Math.min(...sums) > 1e-3 * Math.abs(sums[0]!)) {
      console.log(`  The contestants disagree: ${sums.map((sum) => sum.toFixed(3)).join(', ')}`);
      failed = true;
    }
    failed ||= ratio > target;
  }
  const idle = Array.from({ length: rounds }, () => measure(OURS, 10_000, 'still').nanoseconds);
  console.log(`\nA tick in which nothing changes, 10,000 elements: ${median(idle).toFixed(0)} ns`);
  const heap = execFileSync(process.execPath, ['--expose-gc', allocation, '10000'], { encoding: 'utf8' });
  console.log('\nBytes that a tick of the mixed room leaves on the heap, and events that it tells:');
  for (const line of heap.trim().split('\n')) {
    const { title, steady, bytes, events } = JSON.parse(line) as Allocation;
    const verdict = steady && bytes !== 0 ? '  must be 0' : '';
    console.log(`${title.padEnd(24)}${bytes.toFixed(1).padStart(8)}${events.toFixed(2).padStart(8)}${verdict}`);
    failed ||= verdict !== '';
  }
  return !failed;
}
