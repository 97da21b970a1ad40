import { DAY, FADE_ZONE } from '../../../engine/document/constants.ts';

/**
 * The work of every contestant in each tick: the clock advances; visibility windows open and close; moving elements
 * step along x; world matrices are computed under one level of groups; and the distance to the moving camera determines
 * a volume that fades linearly.
 */
export interface Work {
  count: number;
  /** Index of the parent group, −1 at the top. One in sixteen elements is a group. */
  parent: Int32Array;
  x: Float64Array;
  y: Float64Array;
  z: Float64Array;
  /** Rotation around y in radians. */
  turn: Float64Array;
  /** Scale factor along all axes. */
  scale: Float64Array;
  /** Units along x in one tick. */
  speed: Float64Array;
  /** Time window in seconds of the day; from 0 to `ALWAYS` for the three quarters without one. */
  from: Float64Array;
  till: Float64Array;
  /** Distances in units at which an element becomes silent, and at which it is at full volume. */
  outer: Float64Array;
  inner: Float64Array;
}

/** A contestant's interface. */
export interface Contestant {
  /** @param tick number of the tick, starting at 0 */
  tick(tick: number): void;
  /** Sum over all elements of volume, visibility (0 or 1), world x / 1000 and the y scale of the world matrix. */
  checksum(): number;
}

/** Moving elements: all, or one in a hundred. */
export type Variant = 'all' | 'few';

/** A second of the day that is never reached. */
export const ALWAYS = 1e9;

/** Random numbers between 0 and 1, the same in every run (mulberry32). */
function numbersFrom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

/** The elements of one run. */
export function createWork(count: number, variant: Variant): Work {
  const next = numbersFrom(42);
  const array = () => new Float64Array(count);
  const work: Work = {
    count,
    parent: new Int32Array(count),
    x: array(),
    y: array(),
    z: array(),
    turn: array(),
    scale: array(),
    speed: array(),
    from: array(),
    till: array(),
    outer: array(),
    inner: array(),
  };
  for (let i = 0; i < count; i++) {
    const group = i % 16 === 0;
    work.parent[i] = group ? -1 : i - (i % 16);
    work.x[i] = next() * (group ? 2000 : 200);
    work.y[i] = next() * (group ? 1000 : 100);
    work.z[i] = next() * (group ? 6000 : 600);
    work.turn[i] = (next() - 0.5) * Math.PI;
    work.scale[i] = 0.5 + next();
    const speed = (next() - 0.5) * 0.02;
    work.speed[i] = variant === 'all' || i % 100 === 1 ? speed : 0;
    const from = next() * 80_000;
    const till = from + 400 + next() * 6000;
    // Never a group: a closed group also hides its children, which the plain loops don't implement.
    const timed = i % 4 === 2;
    work.from[i] = timed ? from : 0;
    work.till[i] = timed ? till : ALWAYS;
    work.outer[i] = 200 + next() * 1000;
    work.inner[i] = work.outer[i]! - Math.min(FADE_ZONE, work.outer[i]!);
  }
  return work;
}

/** Position of the camera in a tick. */
export const cameraX = (tick: number) => 1000 + 500 * Math.sin(tick * 0.01);
export const CAMERA_Y = 300;
export const cameraZ = (tick: number) => 3000 + 1000 * Math.cos(tick * 0.01);

/** Elapsed seconds at a tick: 60 ticks per second, as in a visit. */
export const timeAt = (tick: number) => (tick + 1) / 60;
/** Second of the day at a tick. */
export const secondAt = (tick: number) => timeAt(tick) % DAY;
