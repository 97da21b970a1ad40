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
 * Seconds until the sequence ends, never below 0.
 * @param time seconds since its start, negative before it
 * @param duration seconds that it lasts
 */
export function timeLeft(time: number, duration: number): number {
  return Math.max(0, duration - time);
}
