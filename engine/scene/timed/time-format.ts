import { wholeSeconds } from '../../machines/timed-state.ts';

const twoDigits = (value: number) => String(value).padStart(2, '0');

/**
 * Formats a time as hours:minutes:seconds, for example 01:02:03; hours may exceed 24.
 * @param seconds rounded up; negative values count as 0
 */
export function formatHours(seconds: number): string {
  const whole = wholeSeconds(seconds);
  return `${twoDigits(Math.floor(whole / 3600))}:${twoDigits(Math.floor(whole / 60) % 60)}:${twoDigits(whole % 60)}`;
}

/**
 * Formats a time as minutes:seconds, for example 02:03, or hours:minutes:seconds from one hour on.
 * @param seconds rounded up; negative values count as 0
 */
export function formatTime(seconds: number): string {
  const text = formatHours(seconds);
  return text.startsWith('00:') ? text.slice(3) : text;
}
