export type TimedState = 'waiting' | 'active' | 'ended';

/**
 * Where a room or an element is in its sequence.
 * @param time seconds since the start of the sequence, negative before it
 * @param duration seconds that the sequence lasts; Infinity when it has no end
 */
export function timedStateAt(time: number, duration: number): TimedState {
  if (!(time >= 0)) return 'waiting';
  return time < duration ? 'active' : 'ended';
}

/**
 * Time at which a sequence comes into its next state, in seconds since its start; Infinity when it stays.
 * @param time seconds since its start, negative before it
 * @param duration seconds that it lasts; Infinity when it has no end
 */
export function nextEdge(time: number, duration: number): number {
  switch (timedStateAt(time, duration)) {
    case 'waiting':
      return 0;
    case 'active':
      return duration;
    case 'ended':
      return Number.POSITIVE_INFINITY;
  }
}

/**
 * Whether the timed pop-up's moment has come.
 * @param time seconds since the start of the sequence
 * @param offset seconds after the start; null where no pop-up is shown
 */
export function isPopupDue(time: number, offset: number | null): boolean {
  return offset !== null && time >= offset;
}

/**
 * Seconds until the sequence ends, never below 0.
 * @param time seconds since its start, negative before it
 * @param duration seconds that it lasts
 */
export function timeLeft(time: number, duration: number): number {
  return Math.max(0, duration - time);
}

/** Whole seconds that are left of a time in seconds: rounded up, so that 0 means that nothing is left; never below 0. */
export function wholeSeconds(seconds: number): number {
  return Math.max(0, Math.ceil(seconds));
}
