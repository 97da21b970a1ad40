import type { Element } from '../../document/element.ts';
import type { TickInput } from '../tick-input.ts';
import type { SceneWorld } from '../world.ts';
import { MOTION_BUFFER } from './motion-clock.ts';
import { numbersFrom } from './random.ts';

/** A stream of motion capture: clips are loaded ahead and played one after another. */
export interface MotionStream {
  entity: number;
  src: string;
  /** Clips asked for: those below this number. */
  asked: number;
  /** Clip that plays; −1 before the first. */
  clip: number;
  /** Room time at which it began. */
  begun: number;
  /** Whether it has come to its end before the next one was loaded. */
  late: boolean;
  /** Seconds of the buffered clips, by number modulo the buffer; 0 while one is not loaded. */
  durations: Float64Array;
}

/** Motion of one element: number of its clip, −1 for none yet, and seconds since the clip began. */
export interface MotionState {
  clip: number;
  seconds: number;
}

/** Loads the clips of streams and moves on from clip to clip. Clips of files follow the room's time when read. */
export function motion(world: SceneWorld, { input }: TickInput): void {
  const { streams } = world;
  if (streams.length === 0) return;
  if (input) {
    for (const each of input) {
      if (each.type !== 'motion.loaded') continue;
      const entity = world.byId.get(each.element_id);
      const stream = streams.find((candidate) => candidate.entity === entity);
      if (stream) noteLoaded(stream, each.n, each.duration);
    }
  }
  for (let index = 0; index < streams.length; index++) {
    const stream = streams[index]!;
    if (world.Visibility.visible[stream.entity]) advance(world, stream);
  }
}

function noteLoaded(stream: MotionStream, n: number, duration: number): void {
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
  // Back before the clip: it starts over, rather than stand until its time comes again.
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
    // One that came late begins when it came.
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
    world.outbox.push({ type: 'motion.load', element_id, n, url: urlOf(stream.src, world.streamSeed, element_id, n) });
  }
}

/** Address of a stream's clip: with a parameter that keeps caches from giving an earlier clip again. */
function urlOf(src: string, seed: number, elementId: number, n: number): string {
  const mixed = Math.imul(seed, 0x9e3779b1) ^ Math.imul(elementId, 0x85ebca6b) ^ Math.imul(n + 1, 0xc2b2ae35);
  const random = Math.floor(numbersFrom(mixed)() * 2 ** 32).toString(36);
  return `${src}${src.includes('?') ? '&' : '?'}r=${random}`;
}

const streamAddress = (element: Element | undefined): string =>
  element?.element === 'motion' && element.config.stream && element.config.animate
    ? element.config.src || element.config.file_url || ''
    : '';

/** Takes an element's stream from the document; one whose address stays the same goes on. */
export function readMotion(world: SceneWorld, entity: number, element: Element): void {
  if (element.element !== 'motion') return;
  const src = streamAddress(element);
  if (world.streams.some((stream) => stream.entity === entity && stream.src === src)) return;
  forgetMotion(world, entity);
  if (!src) return;
  const durations = new Float64Array(MOTION_BUFFER);
  world.streams.push({ entity, src, asked: 0, clip: -1, begun: 0, late: false, durations });
}

/** Takes an entity's stream away. */
export function forgetMotion({ streams }: SceneWorld, entity: number): void {
  const index = streams.findIndex((stream) => stream.entity === entity);
  if (index >= 0) streams.splice(index, 1);
}

/** Motion of an entity after the last tick; undefined for what is no motion or stands still. */
export function readMotionState(world: SceneWorld, entity: number): MotionState | undefined {
  const element = world.elements[entity];
  if (element?.element !== 'motion' || !element.config.animate) return undefined;
  if (!element.config.stream) return { clip: 0, seconds: world.time };
  const stream = world.streams.find((candidate) => candidate.entity === entity);
  if (!stream || stream.clip < 0) return { clip: -1, seconds: 0 };
  const duration = stream.durations[stream.clip % MOTION_BUFFER]!;
  return { clip: stream.clip, seconds: Math.min(Math.max(0, world.time - stream.begun), duration) };
}
