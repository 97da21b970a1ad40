import { wholeSeconds } from '../../machines/timed-state.ts';

const twoDigits = (value: number) => String(value).padStart(2, '0');

/**
 * A time as hours:minutes:seconds, such as 01:02:03; beyond a day the hours go on counting.
 * @param seconds rounded up; below 0 counts as 0
 */
export function formatHours(seconds: number): string {
  const whole = wholeSeconds(seconds);
  return `${twoDigits(Math.floor(whole / 3600))}:${twoDigits(Math.floor(whole / 60) % 60)}:${twoDigits(whole % 60)}`;
}

/**
 * A time as minutes:seconds, such as 02:03, and from an hour on as hours:minutes:seconds.
 * @param seconds rounded up; below 0 counts as 0
 */
export function formatTime(seconds: number): string {
  const text = formatHours(seconds);
  return text.startsWith('00:') ? text.slice(3) : text;
}
