/** Where a visitor is in relation to a proximity sensor. */
export type ProximityZone = 'outside' | 'fading' | 'inside' | 'out_of_view';

/** Zones by the number that the Proximity component holds: silent 0, between 1, full volume 2. */
export const ZONES: readonly ProximityZone[] = ['outside', 'fading', 'inside', 'out_of_view'];
export const OUTSIDE = 0;
export const FADING = 1;
export const INSIDE = 2;
export const OUT_OF_VIEW = 3;

/**
 * What a scene tells the world about one tick, in the order in which it happened; sensors answer in no particular
 * order. Volumes run from 0 to 1.
 */
export type SceneEvent =
  | { type: 'element.shown' | 'element.hidden'; element_id: number }
  | { type: 'element.added' | 'element.removed' | 'element.changed'; element_id: number }
  | { type: 'room.changed' }
  | { type: 'proximity'; element_id: number; zone: ProximityZone; volume: number }
  | { type: 'error'; element_id: number; message: string };
