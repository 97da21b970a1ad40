export type ProximityState = 'outside' | 'fading' | 'inside' | 'out_of_view';

/** What a sensor's media is told: `volume` changes how loud it plays and nothing else. */
export type ProximityCommand = 'play' | 'pause' | 'stop' | 'volume';

/**
 * Sensors as the camera finds them: each at its place in every array. The rules take a place instead of numbers, because a
 * broken number that is handed on may be put on the heap, and they are asked for thousands of sensors in a tick.
 */
export interface SensorLooks {
  /** Squares of the distances from the camera, which are compared without a root. */
  readonly square: { [at: number]: number };
  /** Distances at which they fall silent, in units. */
  readonly limit: { [at: number]: number };
  /** Distances within which they are heard in full, in units: see `readInner`. */
  readonly inner: { [at: number]: number };
  /** How loud they are, from 0 to 1. */
  readonly volume: { [at: number]: number };
}

/**
 * Works out from a sensor's limit within which distance it is heard in full.
 * @param fadeZone widest zone in which volume falls, in units
 */
export function readInner({ limit, inner }: SensorLooks, at: number, fadeZone: number): void {
  inner[at] = limit[at]! > fadeZone ? limit[at]! - fadeZone : 0;
}

/** Whether the camera is too far away: at the limit it is, and where its distance is not known. */
export function isOutside({ square, limit }: SensorLooks, at: number): boolean {
  return !(square[at]! < limit[at]! * limit[at]!);
}

/** Whether the camera is so near that it hears all: at the inner edge of the fade it is not. */
export function isInside({ square, inner }: SensorLooks, at: number): boolean {
  return square[at]! < inner[at]! * inner[at]!;
}

/** Makes what is heard as loud as its distance has it: full inside, falling in a straight line to 0 at the limit. */
export function hear({ square, limit, inner, volume }: SensorLooks, at: number): void {
  volume[at] = Math.min(1, (limit[at]! - Math.sqrt(square[at]!)) / (limit[at]! - inner[at]!));
}

/** One look at one sensor, at place 0; silent. Distances in units. */
export function lookFrom(distance: number, limit: number, fadeZone: number): SensorLooks {
  const look = { square: [distance ** 2], limit: [limit], inner: [0], volume: [0] };
  readInner(look, 0, fadeZone);
  return look;
}
