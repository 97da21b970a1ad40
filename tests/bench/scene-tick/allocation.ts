import { createScene, type TickInput } from '../../../engine/scene/scene.ts';
import { createMixedWork, LENS, mixedCameraX, mixedCameraZ } from './mixed-work.ts';
import { CAMERA_Y } from './work.ts';

/**
 * Bytes allocated per tick of the mixed room, as lines of JSON. Each series of ticks is paired with a series of empty
 * ticks, which measures the overhead. Results are medians of the differences, because the compiler allocates, too. For
 * steady rooms, only series in which no window opens or closes count.
 * Usage: `node --expose-gc allocation.ts <elements>`
 */
const TICKS = 500;
const STRETCHES = 120;
/** Milliseconds: the JIT compiler needs time, not ticks. */
const WARM_UP = 1000;
const FRAME = 1 / 60;
/** Camera movement in units, too small to trigger a sensor. */
const SWAY = 0.02;
const work = createMixedWork(Number(process.argv[2]));
const collect = globalThis.gc;
if (!collect) throw new Error('Run it with --expose-gc.');

/** Each advances `input` by one tick; `steady` if only windows that open or close change the state. */
const variants: { title: string; steady: boolean; step(input: TickInput): void }[] = [
  { title: 'nothing changes', steady: true, step: () => {} },
  {
    title: 'time passes',
    steady: true,
    step: (input) => {
      input.time += FRAME;
    },
  },
  {
    title: 'and the camera sways',
    steady: true,
    step: (input) => {
      input.time += FRAME;
      input.camera.position.x = SWAY * Math.sin(input.time);
      input.camera.position.z = SWAY * Math.cos(input.time);
    },
  },
  {
    title: 'and the camera travels',
    steady: false,
    step: (input) => {
      input.time += FRAME;
      input.camera.position.x = mixedCameraX(input.time * 60);
      input.camera.position.z = mixedCameraZ(input.time * 60);
    },
  },
];

const nothing = () => {};
/** A fraction, so that V8 stores it as a double from the start. */
const BEGIN = 0.5;
const inputAt = (time: number): TickInput => ({ time, camera: { position: { x: 0, y: CAMERA_Y, z: 0 }, ...LENS } });

for (const { title, steady, step } of variants) {
  const scene = createScene(work.room);
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
  const warm = performance.now() + WARM_UP;
  while (performance.now() < warm) {
    run(scene.tick, 100);
    run(nothing, 100);
  }
  const stretches = Array.from({ length: STRETCHES }, () => {
    const measuring = bytesOf(nothing);
    events = 0;
    const bytes = (bytesOf(scene.tick) - measuring) / TICKS;
    return { bytes, events: events / TICKS };
  }).filter((stretch) => !steady || stretch.events === 0);
  const median = (values: number[]) => values.sort((a, b) => a - b)[values.length >> 1];
  const bytes = median(stretches.map((stretch) => stretch.bytes));
  const told = median(stretches.map((stretch) => stretch.events));
  console.log(JSON.stringify({ title, steady, bytes, events: told, stretches: stretches.length }));
  scene.dispose();
}
