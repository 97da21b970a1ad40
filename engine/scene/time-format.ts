const two = (value: number) => String(value).padStart(2, '0');

/** Whole seconds that are left of a time in seconds: rounded up, so that 0 means that nothing is left; never below 0. */
export function wholeSeconds(seconds: number): number {
  return Math.max(0, Math.ceil(seconds));
}

/**
 * A countdown as hours:minutes:seconds, such as 01:02:03; beyond a day the hours go on counting.
 * @param seconds until the start; rounded up, below 0 counts as 0
 */
export function formatCountdown(seconds: number): string {
  const whole = wholeSeconds(seconds);
  return `${two(Math.floor(whole / 3600))}:${formatTimer(whole % 3600)}`;
}

/**
 * A timer as minutes:seconds, such as 62:03; beyond an hour the minutes go on counting.
 * @param seconds that are left; rounded up, below 0 counts as 0
 */
export function formatTimer(seconds: number): string {
  const whole = wholeSeconds(seconds);
  return `${two(Math.floor(whole / 60))}:${two(whole % 60)}`;
}
