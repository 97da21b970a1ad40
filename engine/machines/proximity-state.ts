export type ProximityState = 'outside' | 'fading' | 'inside' | 'out_of_view';

/** What a sensor's media is told: `volume` changes how loud it plays and nothing else. */
export type ProximityCommand = 'play' | 'pause' | 'stop' | 'volume';

// Distances from the camera are given squared, since comparing them asks for no root; limits and zones in units.

/**
 * Units from a sensor within which it is heard in full.
 * @param limit distance at which it falls silent
 * @param fadeZone widest zone in which volume falls
 */
export function innerDistance(limit: number, fadeZone: number): number {
  return limit > fadeZone ? limit - fadeZone : 0;
}

/** Whether the camera is too far away: at the limit it is, and where its distance is not known. */
export function isOutside(square: number, limit: number): boolean {
  return !(square < limit * limit);
}

/** Whether the camera is so near that it hears all: at the inner edge of the fade it is not. */
export function isInside(square: number, limit: number, fadeZone: number): boolean {
  const inner = innerDistance(limit, fadeZone);
  return square < inner * inner;
}

/** How loud what is heard is, from 0 to 1: full inside, falling in a straight line to 0 at the limit. */
export function volumeAt(square: number, limit: number, fadeZone: number): number {
  return Math.min(1, (limit - Math.sqrt(square)) / (limit - innerDistance(limit, fadeZone)));
}
