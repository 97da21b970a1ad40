import { instantOf } from '../../../../engine/document/time-zone.ts';
import type { StatisticsInterval } from '../../../contract/entities.ts';
import { timestampOf } from '../../core/clock.ts';

const HOUR_MS = 60 * 60 * 1000;
const DAY_MS = 24 * HOUR_MS;

/** The date in a zone at an instant, such as 2026-03-10. */
const dateIn = (zone: string, instant: number): string =>
  new Intl.DateTimeFormat('en-CA', { timeZone: zone, year: 'numeric', month: '2-digit', day: '2-digit' }).format(
    instant,
  );

/** The date some days after another. */
const daysAfter = (date: string, days: number): string =>
  timestampOf(Date.parse(`${date}T00:00Z`) + days * DAY_MS).slice(0, 10);

/** The date on which the step of time begins in which a date lies. */
function beginningOf(date: string, interval: Exclude<StatisticsInterval, 'hour'>): string {
  if (interval === 'month') return `${date.slice(0, 7)}-01`;
  // Weeks begin on Monday (ISO 8601).
  return interval === 'week' ? daysAfter(date, -((new Date(`${date}T00:00Z`).getUTCDay() + 6) % 7)) : date;
}

/** The date on which the next step begins. */
function dateAfter(date: string, interval: Exclude<StatisticsInterval, 'hour'>): string {
  if (interval === 'month') return `${daysAfter(`${date.slice(0, 7)}-28`, 4).slice(0, 7)}-01`;
  return daysAfter(date, interval === 'week' ? 7 : 1);
}

/**
 * When the steps of time of a range begin: the first is the range's own beginning, others begin as calendars in the zone
 * have it.
 * @param from instant, like `till` in milliseconds
 * @returns instants, rising
 */
export function stepsOf(from: number, till: number, interval: StatisticsInterval, zone: string): number[] {
  const steps = [from];
  if (interval === 'hour') {
    for (let at = from + HOUR_MS; at < till; at += HOUR_MS) steps.push(at);
    return steps;
  }
  let date = beginningOf(dateIn(zone, from), interval);
  for (;;) {
    date = dateAfter(date, interval);
    const at = instantOf(Date.parse(`${date}T00:00Z`) / 1000, zone) * 1000;
    if (at >= till) return steps;
    if (at > from) steps.push(at);
  }
}
