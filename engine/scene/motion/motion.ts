import type { Element } from '../../document/element.ts';
import type { TickInput } from '../tick-input.ts';
import type { MotionStream, SceneWorld } from '../world.ts';
import { MOTION_BUFFER } from './motion-clock.ts';
import { numbersFrom } from './random.ts';

/** Motion of one element: index of its clip (−1 before the first), and seconds since the clip started. */
export interface MotionState {
  clip: number;
  seconds: number;
}

/** Buffers the clips of streams and advances from clip to clip. Single-file clips are a function of room time. */
export function motion(world: SceneWorld, { input }: TickInput): void {
  const { streams } = world;
  if (streams.length === 0) return;
  if (input) {
    for (const each of input) {
      if (each.type !== 'motion.loaded') continue;
      const entity = world.byId.get(each.element_id);
      const stream = streams.find((candidate) => candidate.entity === entity);
      if (stream) addLoaded(stream, each.n, each.duration);
    }
  }
  for (let index = 0; index < streams.length; index++) {
    const stream = streams[index]!;
    if (world.Visibility.visible[stream.entity]) advance(world, stream);
  }
}

function addLoaded(stream: MotionStream, n: number, duration: number): void {
  const awaited = Number.isInteger(n) && n >= Math.max(0, stream.clip) && n < stream.asked;
  if (awaited && duration > 0) stream.durations[n % MOTION_BUFFER] = duration;
}

function advance(world: SceneWorld, stream: MotionStream): void {
  const { time } = world;
  fillStream(world, stream);
  if (stream.clip < 0) {
    if (stream.durations[0]! > 0) begin(world, stream, 0, time);
    return;
  }
  // Time went back to before the clip: restart it instead of waiting.
  if (time < stream.begun) stream.begun = time;
  for (;;) {
    const end = stream.begun + stream.durations[stream.clip % MOTION_BUFFER]!;
    const next = stream.clip + 1;
    if (time < end) {
      stream.late = false;
      return;
    }
    if (!(stream.durations[next % MOTION_BUFFER]! > 0)) {
      stream.late = true;
      return;
    }
    stream.durations[stream.clip % MOTION_BUFFER] = 0;
    // After a buffer underrun, the clip starts now.
    begin(world, stream, next, stream.late ? time : end);
    stream.late = false;
    fillStream(world, stream);
  }
}

function begin(world: SceneWorld, stream: MotionStream, n: number, time: number): void {
  stream.clip = n;
  stream.begun = time;
  world.version++;
  world.outbox.push({ type: 'motion.clip', element_id: world.elements[stream.entity]!.id, n });
}

function fillStream(world: SceneWorld, stream: MotionStream): void {
  const element_id = world.elements[stream.entity]!.id;
  for (const wanted = Math.max(0, stream.clip) + MOTION_BUFFER; stream.asked < wanted; ) {
    const n = stream.asked++;
    world.outbox.push({
      type: 'motion.load',
      element_id,
      n,
      url: clipUrlOf(stream.src, world.streamSeed, element_id, n),
    });
  }
}

/** URL of a stream's clip, with a cache-busting parameter. */
function clipUrlOf(src: string, seed: number, elementId: number, n: number): string {
  const mixed = Math.imul(seed, 0x9e3779b1) ^ Math.imul(elementId, 0x85ebca6b) ^ Math.imul(n + 1, 0xc2b2ae35);
  const random = Math.floor(numbersFrom(mixed)() * 2 ** 32).toString(36);
  return `${src}${src.includes('?') ? '&' : '?'}r=${random}`;
}

const streamUrlOf = (element: Element | undefined): string =>
  element?.element === 'motion' && element.config.stream && element.config.animate
    ? element.config.src || element.config.file_url || ''
    : '';

/** Reads an element's stream from the document; a stream with an unchanged URL continues. */
export function readMotion(world: SceneWorld, entity: number, element: Element): void {
  if (element.element !== 'motion') return;
  const src = streamUrlOf(element);
  if (world.streams.some((stream) => stream.entity === entity && stream.src === src)) return;
  forgetMotion(world, entity);
  if (!src) return;
  const durations = new Float64Array(MOTION_BUFFER);
  world.streams.push({ entity, src, asked: 0, clip: -1, begun: 0, late: false, durations });
}

/** Removes an entity's stream. */
export function forgetMotion({ streams }: SceneWorld, entity: number): void {
  const index = streams.findIndex((stream) => stream.entity === entity);
  if (index >= 0) streams.splice(index, 1);
}

/** Motion of an entity after the last tick; undefined if the element isn't an animated motion. */
export function readMotionState(world: SceneWorld, entity: number): MotionState | undefined {
  const element = world.elements[entity];
  if (element?.element !== 'motion' || !element.config.animate) return undefined;
  if (!element.config.stream) return { clip: 0, seconds: world.time };
  const stream = world.streams.find((candidate) => candidate.entity === entity);
  if (!stream || stream.clip < 0) return { clip: -1, seconds: 0 };
  const duration = stream.durations[stream.clip % MOTION_BUFFER]!;
  return { clip: stream.clip, seconds: Math.min(Math.max(0, world.time - stream.begun), duration) };
}
