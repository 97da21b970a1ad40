import { median } from '../bench.ts';
import { create as createBitecs } from './bare-bitecs.ts';
import { create as createMixedArrays } from './mixed-arrays.ts';
import { create as createMixedBitecs } from './mixed-bitecs.ts';
import { create as createMixedScene } from './mixed-scene.ts';
import { createMixedWork, type MixedWork } from './mixed-work.ts';
import { create as createScene } from './scene-core.ts';
import { create as createArrays } from './typed-arrays.ts';
import { type Contestant, createWork, type Variant, type Work } from './work.ts';

/**
 * One measurement in a process of its own, printed as a line of JSON.
 * Usage: `node measure.ts <contestant> <elements> all|few|mixed [windows]`
 */
const contestants: Record<string, (work: Work) => Contestant> = {
  'scene core': createScene,
  'bare bitecs': createBitecs,
  'typed arrays': createArrays,
};

/** Contestants for the mixed room. */
const mixedContestants: Record<string, (work: MixedWork) => Contestant> = {
  'scene core': createMixedScene,
  'bare bitecs': createMixedBitecs,
  'typed arrays': createMixedArrays,
};

/** Number of ticks after which all contestants must agree. */
const CHECKED = 200;
const WARM_UP = 400;
const WINDOW = 200;

const [name = '', elements, variant, windows = '5'] = process.argv.slice(2);
const count = Number(elements);

function enter(): Contestant {
  if (variant === 'mixed') return mixedContestants[name]!(createMixedWork(count));
  return contestants[name]!(createWork(count, variant as Variant));
}

const contestant = enter();

let tick = 0;
for (; tick < CHECKED; tick++) contestant.tick(tick);
const sum = contestant.checksum();

/** Nanoseconds of CPU time per tick over some milliseconds, independent of other load on the machine. */
function run(milliseconds: number): number {
  const end = performance.now() + milliseconds;
  const before = process.threadCpuUsage();
  let ticks = 0;
  while (performance.now() < end) {
    contestant.tick(tick++);
    ticks++;
  }
  const { user, system } = process.threadCpuUsage(before);
  return ((user + system) * 1000) / ticks;
}

run(WARM_UP);
const times = Array.from({ length: Number(windows) }, () => run(WINDOW));
console.log(JSON.stringify({ nanoseconds: median(times), sum }));
