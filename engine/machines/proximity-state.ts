export type ProximityState = 'outside' | 'fading' | 'inside' | 'out_of_view';

/** What a sensor's media is told: `volume` changes how loud it plays and nothing else. */
export type ProximityCommand = 'play' | 'pause' | 'stop' | 'volume';

/** One look from the camera at a sensor. */
export interface ProximityLook {
  /** Units from the camera to the element. */
  distance: number;
  /** The sensor's distance, in units. */
  limit: number;
  /** Whether the camera sees the element. */
  inView: boolean;
  /** Whether only the volume follows the distance: the view does not matter, and nothing stops. */
  audioOnly: boolean;
}

export interface ProximityAnswer {
  state: ProximityState;
  /** From 0 to 1. */
  volume: number;
  /** Null when the media goes on as it is. */
  command: ProximityCommand | null;
}

/** The three guards of a sensor, in the order in which they are asked. */
export const isOutside = ({ distance, limit }: ProximityLook) => !(distance < limit);
export const isOutOfView = ({ inView, audioOnly }: ProximityLook) => !inView && !audioOnly;
export const isInside = ({ distance, limit }: ProximityLook, fadeZone: number) =>
  distance < limit - Math.min(fadeZone, limit);

/**
 * Where the camera is in relation to a sensor. At the limit it is outside, at the inner edge of the fade it fades.
 * @param fadeZone widest zone in which volume fades, in units
 */
export function proximityStateAt(look: ProximityLook, fadeZone: number): ProximityState {
  if (isOutside(look)) return 'outside';
  if (isOutOfView(look)) return 'out_of_view';
  return isInside(look, fadeZone) ? 'inside' : 'fading';
}

/**
 * How loud a sensor's media is, from 0 to 1: full inside, falling in a straight line to 0 at the limit.
 * @param fadeZone widest zone in which volume fades, in units
 */
export function proximityVolumeAt(look: ProximityLook, fadeZone: number): number {
  const state = proximityStateAt(look, fadeZone);
  if (state === 'fading') return (look.limit - look.distance) / Math.min(fadeZone, look.limit);
  return state === 'inside' ? 1 : 0;
}

/**
 * What the media is told when a look finds the camera in `to` and the one before found it in `from`. Allocates nothing.
 * @returns null when it goes on as it is
 */
export function proximityCommand(
  from: ProximityState,
  to: ProximityState,
  audioOnly: boolean,
): ProximityCommand | null {
  const wasPlaying = from === 'inside' || from === 'fading';
  if (to === 'outside') return from === 'outside' ? null : audioOnly ? 'volume' : 'stop';
  if (to === 'out_of_view') return wasPlaying ? 'pause' : null;
  if (!wasPlaying) return 'play';
  return from === 'inside' && to === 'inside' ? null : 'volume';
}

/**
 * One step of a sensor, for systems that keep the state of thousands in a component.
 * @param state where the last look found the camera; `outside` before the first
 * @param fadeZone widest zone in which volume fades, in units
 */
export function nextProximity(state: ProximityState, look: ProximityLook, fadeZone: number): ProximityAnswer {
  const next = proximityStateAt(look, fadeZone);
  return {
    state: next,
    volume: proximityVolumeAt(look, fadeZone),
    command: proximityCommand(state, next, look.audioOnly),
  };
}
