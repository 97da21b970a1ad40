import { createScene, type TickInput } from '../../../engine/scene/scene.ts';
import { createMixedWork, LENS, mixedCameraX, mixedCameraZ } from './mixed-work.ts';
import { CAMERA_Y } from './work.ts';

/**
 * Bytes that one tick of the mixed room leaves on the heap, as lines of JSON. Each stretch of ticks has its twin: the
 * same loop with a tick that does nothing, whose bytes are those of the measuring. Medians of the differences, since
 * the compiler leaves some too; of a steady room only stretches count in which no window opened or closed.
 * Usage: `node --expose-gc allocation.ts <elements>`
 */
const TICKS = 500;
const STRETCHES = 120;
/** Milliseconds: compilers need time, not ticks. */
const WARM_UP = 1000;
const FRAME = 1 / 60;
/** Units by which the camera sways where no sensor is to notice. */
const SWAY = 0.02;
const work = createMixedWork(Number(process.argv[2]));
const collect = globalThis.gc;
if (!collect) throw new Error('Run it with --expose-gc.');

/** Each moves on `input` by one tick; `steady` where only windows that open or close change the state of anything. */
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
/** No whole number, so that it is stored as a broken one from the start. */
const BEGIN = 0.5;
const inputAt = (time: number): TickInput => ({ time, camera: { position: { x: 0, y: CAMERA_Y, z: 0 }, ...LENS } });

for (const { title, steady, step } of variants) {
  const scene = createScene(work.room);
  // The twin has a time of its own: the scene's must not jump.
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
