import { DAY, FADE_ZONE } from '../../../engine/document/constants.ts';

/**
 * The work that every contestant does each tick: the clock moves on a second; windows of visibility open and close;
 * what moves goes a step along x; world matrices under one level of groups; distance to the moving camera, and from it
 * a volume that fades linearly.
 */
export interface Work {
  count: number;
  /** Index of the group that holds an element, −1 at the top. One in sixteen is a group. */
  parent: Int32Array;
  x: Float64Array;
  y: Float64Array;
  z: Float64Array;
  /** Turn around y in radians. */
  turn: Float64Array;
  /** Factor along all axes. */
  scale: Float64Array;
  /** Units along x in one tick. */
  speed: Float64Array;
  /** Window in seconds of the day; from 0 to `ALWAYS` for the three quarters that have none. */
  from: Float64Array;
  till: Float64Array;
  /** Distance at which an element falls silent, and at which it is at full volume, in units. */
  outer: Float64Array;
  inner: Float64Array;
}

/** What a contestant is to the bench. */
export interface Contestant {
  /** @param tick number of the tick, from 0 on */
  tick(tick: number): void;
  /** Sum over all elements of volume, visibility (0 or 1), world x / 1000 and the y scale of the world matrix. */
  checksum(): number;
}

/** Which elements move: all, or one in a hundred. */
export type Variant = 'all' | 'few';

/** Second of the day that never comes. */
export const ALWAYS = 1e9;

/** Numbers between 0 and 1 that are the same in every run (mulberry32). */
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
    // Never a group: what a closed group holds would be gone with it, which the plain loops don't know.
    const timed = i % 4 === 2;
    work.from[i] = timed ? from : 0;
    work.till[i] = timed ? till : ALWAYS;
    work.outer[i] = 200 + next() * 1000;
    work.inner[i] = work.outer[i]! - Math.min(FADE_ZONE, work.outer[i]!);
  }
  return work;
}

/** Where the camera is at a tick. */
export const cameraX = (tick: number) => 1000 + 500 * Math.sin(tick * 0.01);
export const CAMERA_Y = 300;
export const cameraZ = (tick: number) => 3000 + 1000 * Math.cos(tick * 0.01);

/** Seconds that have passed at a tick: 60 ticks a second, as a visit has them. */
export const timeAt = (tick: number) => (tick + 1) / 60;
/** Second of the day at a tick. */
export const secondAt = (tick: number) => timeAt(tick) % DAY;
