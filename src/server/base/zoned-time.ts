const DAY_MS = 24 * 60 * 60 * 1000;

/** Whether there is a time zone of this name, such as `Europe/Amsterdam`. Offsets such as `+01:00` are none. */
export function isTimeZone(name: string): boolean {
  if (!/^[A-Za-z]/.test(name)) return false;
  try {
    return new Intl.DateTimeFormat('en-US', { timeZone: name }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}

/** Milliseconds that clocks in a zone are ahead of UTC at an instant. */
function offsetAt(zone: string, instant: number): number {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
  const parts = new Map(format.formatToParts(instant).map(({ type, value }) => [type, Number(value)]));
  const part = (name: Intl.DateTimeFormatPartTypes) => parts.get(name) ?? 0;
  const wall = Date.UTC(part('year'), part('month') - 1, part('day'), part('hour'), part('minute'), part('second'));
  return wall - Math.floor(instant / 1000) * 1000;
}

/**
 * The instant at which clocks in a zone show a time. One that is skipped when clocks go forward is as much later as they
 * skip: 02:30 becomes 03:30. One that comes twice when they go back is the first of both. Calendars do the same, and so
 * does `Temporal` with `compatible`.
 * @param local date and time without an offset, such as `2026-03-29T02:30`
 * @returns milliseconds since 1970
 */
export function instantOf(local: string, zone: string): number {
  const wall = Date.parse(`${local}Z`);
  const [before, after] = [offsetAt(zone, wall - DAY_MS), offsetAt(zone, wall + DAY_MS)];
  const shown = [wall - before, wall - after].filter((instant) => instant + offsetAt(zone, instant) === wall);
  return shown.length > 0 ? Math.min(...shown) : wall - before;
}
