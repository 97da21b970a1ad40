export type ProximityState = 'outside' | 'fading' | 'inside' | 'out_of_view';

/** Command to a sensor's media; `volume` changes only the volume. */
export type ProximityCommand = 'play' | 'pause' | 'stop' | 'volume';

/**
 * Sensors as measured from the camera, by index in each array. The rules take an index instead of numbers, because
 * passing fractional numbers may allocate them on the heap, and they run for thousands of sensors per tick.
 */
export interface SensorLooks {
  /** Squared distances from the camera, compared without a square root. */
  readonly square: { [at: number]: number };
  /** Distances from which sensors are silent, in units. */
  readonly limit: { [at: number]: number };
  /** Distances within which the volume is full, in units; see `readInner`. */
  readonly inner: { [at: number]: number };
  /** Volumes from 0 to 1. */
  readonly volume: { [at: number]: number };
}

/**
 * Computes the distance within which a sensor's volume is full.
 * @param fadeZone maximum width of the zone in which the volume falls off, in units
 */
export function readInner({ limit, inner }: SensorLooks, at: number, fadeZone: number): void {
  inner[at] = limit[at]! > fadeZone ? limit[at]! - fadeZone : 0;
}

/** Whether the camera is at or beyond the limit; true if the distance is NaN. */
export function isOutside({ square, limit }: SensorLooks, at: number): boolean {
  return !(square[at]! < limit[at]! * limit[at]!);
}

/** Whether the camera is within the inner distance, exclusive. */
export function isInside({ square, inner }: SensorLooks, at: number): boolean {
  return square[at]! < inner[at]! * inner[at]!;
}

/** Updates the volume: full inside, falling off linearly to 0 at the limit. */
export function hear({ square, limit, inner, volume }: SensorLooks, at: number): void {
  volume[at] = Math.min(1, (limit[at]! - Math.sqrt(square[at]!)) / (limit[at]! - inner[at]!));
}

/** Data of a single silent sensor, at index 0. Distances in units. */
export function lookFrom(distance: number, limit: number, fadeZone: number): SensorLooks {
  const look = { square: [distance ** 2], limit: [limit], inner: [0], volume: [0] };
  readInner(look, 0, fadeZone);
  return look;
}
