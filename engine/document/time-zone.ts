import { DAY } from './constants.ts';

/** Granularity of offset changes in seconds: every zone changes its clocks on a quarter hour. */
const QUARTER = 900;
/** Maximum time value in seconds since 1970, rounded down (ECMAScript, time values and time range). */
const LAST_INSTANT = 8_639_999_000_000;
/** Offsets cached per zone: the quarter hours of about ten days. */
const MAX_CACHED_OFFSETS = 1000;

interface Zone {
  format: Intl.DateTimeFormat;
  /** Seconds ahead of UTC, by quarter hour since 1970. */
  offsets: Map<number, number>;
}

/** Zones by name; null for names missing from this machine's time zone database. */
const zones = new Map<string, Zone | null>();
/** Maximum cached names. There are about 600 zones; the rest are invalid input. */
const MAX_CACHED_ZONES = 1000;

function findZone(name: string): Zone | null {
  const known = zones.get(name);
  if (known !== undefined) return known;
  if (zones.size >= MAX_CACHED_ZONES) zones.clear();
  const zone = openZone(name);
  zones.set(name, zone);
  return zone;
}

function openZone(timeZone: string): Zone | null {
  // `Intl` also accepts offsets such as +01:00, which have no clock changes.
  if (!/^[A-Za-z]/.test(timeZone)) return null;
  try {
    const numeric = 'numeric';
    const format = new Intl.DateTimeFormat('en-US', {
      timeZone,
      hourCycle: 'h23',
      year: numeric,
      month: numeric,
      day: numeric,
      hour: numeric,
      minute: numeric,
      second: numeric,
    });
    return { format, offsets: new Map() };
  } catch {
    return null;
  }
}

/** Whether this machine knows an IANA time zone, such as `Europe/Amsterdam`. */
export const isTimeZone = (name: string): boolean => findZone(name) !== null;

function measureOffset(format: Intl.DateTimeFormat, instant: number): number {
  const parts = new Map(format.formatToParts(instant * 1000).map(({ type, value }) => [type, Number(value)]));
  const part = (name: Intl.DateTimeFormatPartTypes) => parts.get(name) ?? 0;
  const wall = Date.UTC(part('year'), part('month') - 1, part('day'), part('hour'), part('minute'), part('second'));
  return wall / 1000 - instant;
}

/**
 * Seconds that a zone's local time is ahead of UTC.
 * @param instant seconds since 1970
 * @throws RangeError for an unknown zone
 */
export function secondsAhead(name: string, instant: number): number {
  const zone = findZone(name);
  if (!zone) throw new RangeError(`Unknown time zone: ${name}`);
  const quarter = Math.floor(Math.max(-LAST_INSTANT, Math.min(instant, LAST_INSTANT)) / QUARTER);
  let ahead = zone.offsets.get(quarter);
  if (ahead === undefined) {
    if (zone.offsets.size >= MAX_CACHED_OFFSETS) zone.offsets.clear();
    ahead = measureOffset(zone.format, quarter * QUARTER);
    zone.offsets.set(quarter, ahead);
  }
  return ahead;
}

/**
 * The instant of a local time in a zone. A skipped time returns the first instant after the gap; a repeated time returns
 * the first of the two.
 * @param wall local date and time as if it were UTC, in seconds since 1970
 * @returns seconds since 1970
 */
export function instantOf(wall: number, zone: string): number {
  const [before, after] = [secondsAhead(zone, wall - DAY), secondsAhead(zone, wall + DAY)];
  const shown = [wall - before, wall - after].filter((instant) => instant + secondsAhead(zone, instant) === wall);
  if (shown.length > 0) return Math.min(...shown);
  // In a gap, `wall - after` is before the change and `wall - before` after it.
  let [low, high] = [Math.floor((wall - after) / QUARTER), Math.ceil((wall - before) / QUARTER)];
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (secondsAhead(zone, middle * QUARTER) === before) low = middle;
    else high = middle;
  }
  return high * QUARTER;
}

/** Days in a year, plus one. */
const YEAR_DAYS = 366;

/**
 * The local times that a zone skips within a year: each from the first skipped time to the next valid one.
 * @param now seconds since 1970
 * @returns local dates and times as if they were UTC, in seconds since 1970
 */
export function skippedTimes(zone: string, now: number): { from: number; till: number }[] {
  const skipped: { from: number; till: number }[] = [];
  for (let day = 0; day < YEAR_DAYS; day++) {
    let [low, high] = [Math.floor((now + day * DAY) / QUARTER), Math.floor((now + (day + 1) * DAY) / QUARTER)];
    const [before, after] = [secondsAhead(zone, low * QUARTER), secondsAhead(zone, high * QUARTER)];
    if (after <= before) continue;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (secondsAhead(zone, middle * QUARTER) === before) low = middle;
      else high = middle;
    }
    skipped.push({ from: high * QUARTER + before, till: high * QUARTER + after });
  }
  return skipped;
}

/** The reference for a time of day: a known zone, or else a fixed offset. */
export interface DayClock {
  /** IANA name; null for a fixed offset. */
  time_zone?: string | null | undefined;
  /** Minutes of UTC minus local time; null for UTC. */
  utc_offset: number | null;
}

/** The zone of a clock; undefined if its offset is fixed or this machine doesn't know the zone. */
const zoneOf = ({ time_zone }: DayClock): string | undefined =>
  time_zone != null && isTimeZone(time_zone) ? time_zone : undefined;

/** Local time as if it were UTC, in seconds since 1970. @param instant seconds since 1970 */
export function wallOf(instant: number, clock: DayClock): number {
  const zone = zoneOf(clock);
  return instant + (zone ? secondsAhead(zone, instant) : -(clock.utc_offset ?? 0) * 60);
}

/** Number of the local day since 1970 at an instant. */
export const localDay = (instant: number, clock: DayClock): number => Math.floor(wallOf(instant, clock) / DAY);

/**
 * The instant of a time of day.
 * @param day number of the local day since 1970
 * @param second of that day; can be outside the day
 * @returns seconds since 1970
 */
export function dayInstant(day: number, second: number, clock: DayClock): number {
  const zone = zoneOf(clock);
  const wall = day * DAY + second;
  return zone ? instantOf(wall, zone) : wall + (clock.utc_offset ?? 0) * 60;
}

/** The next instant of a time of day, starting at `now`. @param now seconds since 1970 */
export function nextInstant(second: number, clock: DayClock, now: number): number {
  const today = localDay(now, clock);
  const days = [today, today + 1, today + 2].map((day) => dayInstant(day, second, clock));
  return days.find((instant) => instant >= now) ?? days[2]!;
}

/** Minutes of UTC minus local time in a zone at an instant, as in `Date.prototype.getTimezoneOffset()`. */
export const utcOffsetAt = (zone: string, instant: number): number => 0 - Math.round(secondsAhead(zone, instant) / 60);

/** Sampling step for the offsets of a year, in days. No zone has an offset for a shorter time. */
const STEP_DAYS = 10;

/** Whether a zone uses an offset at some time in the year around an instant. */
export function hasOffset(zone: string, utcOffset: number, instant: number): boolean {
  for (let days = -180; days <= 190; days += STEP_DAYS)
    if (utcOffsetAt(zone, instant + days * DAY) === utcOffset) return true;
  return false;
}
