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
 * Usage: `node measure.ts <contestant> <elements> all|few|still|mixed`
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
const WINDOWS = 5;

const [name = '', elements, variant] = process.argv.slice(2);
const count = Number(elements);
const still = variant === 'still';

function enter(): Contestant {
  if (variant === 'mixed') return mixedContestants[name]!(createMixedWork(count));
  const work = createWork(count, still ? 'few' : (variant as Variant));
  // Nothing moves and time stands still.
  if (still) work.speed.fill(0);
  return contestants[name]!(work);
}

const begun = performance.now();
const contestant = enter();
const setup = performance.now() - begun;

let tick = 0;
for (; tick < CHECKED; tick++) contestant.tick(tick);
const sum = contestant.checksum();
const step = still ? 0 : 1;

/** Nanoseconds of CPU time per tick over some milliseconds, independent of other load on the machine. */
function run(milliseconds: number): number {
  const batch = still ? 1000 : 1;
  const end = performance.now() + milliseconds;
  const before = process.threadCpuUsage();
  let ticks = 0;
  while (performance.now() < end) {
    for (let each = 0; each < batch; each++) {
      contestant.tick(tick);
      tick += step;
    }
    ticks += batch;
  }
  const { user, system } = process.threadCpuUsage(before);
  return ((user + system) * 1000) / ticks;
}

run(WARM_UP);
const times = Array.from({ length: WINDOWS }, () => run(WINDOW)).sort((a, b) => a - b);
console.log(JSON.stringify({ nanoseconds: times[WINDOWS >> 1], sum, setup }));
