import { createScene } from '../../../engine/scene/scene.ts';
import { createMixedWork, LENS, mixedCameraX, mixedCameraZ } from './mixed-work.ts';
import { CAMERA_Y } from './work.ts';

/**
 * Bytes that one tick of the mixed room leaves on the heap, as lines of JSON: medians, since the compiler leaves some too.
 * Usage: `node --expose-gc allocation.ts <elements>`
 */
const TICKS = 5000;
const WINDOWS = 7;
/** Milliseconds: compilers need time, not ticks. */
const WARM_UP = 1000;
const FRAME = 1 / 60;
const work = createMixedWork(Number(process.argv[2]));
const collect = globalThis.gc;
if (!collect) throw new Error('Run it with --expose-gc.');

/** Each moves on `input` by one tick. */
const variants: Record<string, (input: { time: number; camera: { position: { x: number; z: number } } }) => void> = {
  'nothing changes': () => {},
  'time passes': (input) => {
    input.time += FRAME;
  },
  'and the camera moves': (input) => {
    input.time += FRAME;
    input.camera.position.x = mixedCameraX(input.time * 60);
    input.camera.position.z = mixedCameraZ(input.time * 60);
  },
};

for (const [title, step] of Object.entries(variants)) {
  const scene = createScene(work.room);
  const camera = { position: { x: 0, y: CAMERA_Y, z: 0 }, ...LENS };
  // No whole number, so that it is stored as a broken one from the start.
  const input = { time: 0.5, camera };
  scene.tick({ time: 0, camera, input: [{ type: 'entered' }] });
  let events = 0;
  const run = (ticks: number) => {
    for (let tick = 0; tick < ticks; tick++) {
      step(input);
      scene.tick(input);
      events += scene.events.length;
    }
  };
  const warm = performance.now() + WARM_UP;
  while (performance.now() < warm) run(100);
  events = 0;
  const windows = Array.from({ length: WINDOWS }, () => {
    collect();
    const before = process.memoryUsage().heapUsed;
    run(TICKS);
    return (process.memoryUsage().heapUsed - before) / TICKS;
  }).sort((a, b) => a - b);
  console.log(JSON.stringify({ title, bytes: windows[WINDOWS >> 1], events: events / (TICKS * WINDOWS) }));
  scene.dispose();
}
