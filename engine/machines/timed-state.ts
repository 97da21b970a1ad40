export type TimedState = 'waiting' | 'active' | 'ended';

/**
 * State of a room or element in its sequence.
 * @param time seconds since the start of the sequence, negative before it
 * @param duration of the sequence in seconds; Infinity if it has no end
 */
export function timedStateAt(time: number, duration: number): TimedState {
  if (!(time >= 0)) return 'waiting';
  return time < duration ? 'active' : 'ended';
}

/**
 * Time of the sequence's next state change, in seconds since its start; Infinity if there is none.
 * @param time seconds since the start, negative before it
 * @param duration in seconds; Infinity if it has no end
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
 * Whether the timed pop-up is due.
 * @param time seconds since the start of the sequence
 * @param offset seconds after the start; null without a pop-up
 */
export function isPopupDue(time: number, offset: number | null): boolean {
  return offset !== null && time >= offset;
}

/**
 * Seconds until the sequence ends, at least 0.
 * @param time seconds since the start, negative before it
 * @param duration in seconds
 */
export function timeLeft(time: number, duration: number): number {
  return Math.max(0, duration - time);
}

/** Rounds remaining seconds up, so that 0 means no time is left; at least 0. */
export function wholeSeconds(seconds: number): number {
  return Math.max(0, Math.ceil(seconds));
}
