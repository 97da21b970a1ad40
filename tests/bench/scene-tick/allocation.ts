import { createScene, type TickInput } from '../../../engine/scene/scene.ts';
import { median } from '../bench.ts';
import { createMixedWork, LENS } from './mixed-work.ts';
import { CAMERA_Y } from './work.ts';

/**
 * Bytes that a steady tick of the mixed room leaves on the heap, as a line of JSON. Each series of ticks is paired with
 * a series of empty ticks, which measures the overhead. The result is the median of the differences, because the
 * compiler allocates, too. Only series in which no window opens or closes count.
 *
 * A process measures one kind of tick: once a scene is collected, V8 discards the optimized code that knew its maps,
 * and code that isn't optimized allocates every fractional number.
 * Usage: `node --expose-gc allocation.ts <elements> <series> <kind of tick>`
 */
const TICKS = 500;
/** Milliseconds: the JIT compiler needs time, not ticks. */
const WARM_UP = 1000;
const FRAME = 1 / 60;
/** Camera movement in units, too small to trigger a sensor. */
const SWAY = 0.02;
const [elements, series, title] = process.argv.slice(2) as [string, string, string];
const collect = globalThis.gc;
if (!collect) throw new Error('Run it with --expose-gc.');

/** Each advances `input` by one tick. */
const kinds: Record<string, (input: TickInput) => void> = {
  'nothing changes': () => {},
  'time passes': (input) => {
    input.time += FRAME;
  },
  'the camera sways': (input) => {
    input.time += FRAME;
    input.camera.position.x = SWAY * Math.sin(input.time);
    input.camera.position.z = SWAY * Math.cos(input.time);
  },
};

const nothing = () => {};
/** A fraction, so that V8 stores it as a double from the start. */
const BEGIN = 0.5;
const inputAt = (time: number): TickInput => ({ time, camera: { position: { x: 0, y: CAMERA_Y, z: 0 }, ...LENS } });

const step = kinds[title]!;
const scene = createScene(createMixedWork(Number(elements)).room);
// The empty series has a time of its own: the scene's time must not jump.
const inputs = new Map([scene.tick, nothing].map((tick) => [tick, inputAt(BEGIN)]));
scene.tick({ ...inputAt(0), input: [{ type: 'entered' }] });
let events = 0;
const run = (tick: (input: TickInput) => void, ticks: number) => {
  const input = inputs.get(tick)!;
  for (let count = 0; count < ticks; count++) {
    step(input);
    tick(input);
    events += scene.events.length;
  }
};
const bytesOf = (tick: (input: TickInput) => void) => {
  collect();
  const before = process.memoryUsage().heapUsed;
  run(tick, TICKS);
  return process.memoryUsage().heapUsed - before;
};
collect();
const warm = performance.now() + WARM_UP;
while (performance.now() < warm) {
  run(scene.tick, 100);
  run(nothing, 100);
}
const differences: number[] = [];
for (let count = 0; count < Number(series); count++) {
  const measuring = bytesOf(nothing);
  events = 0;
  const bytes = (bytesOf(scene.tick) - measuring) / TICKS;
  if (events === 0) differences.push(bytes);
}
console.log(JSON.stringify({ title, bytes: median(differences) }));
