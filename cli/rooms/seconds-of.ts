/** Converts a time such as 19:55 or 19:55:30 to seconds of the day; undefined for anything else. */
export function secondsOf(text: string): number | undefined {
  const [, hours, minutes, seconds = '0'] = /^([01]?\d|2[0-3]):([0-5]\d)(?::([0-5]\d(?:\.\d+)?))?$/.exec(text) ?? [];
  return hours === undefined ? undefined : Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds);
}
