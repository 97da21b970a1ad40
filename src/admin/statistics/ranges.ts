import type { StatisticsInterval } from '../../contract/entities.ts';
import { locale } from '../../ui/language/language.ts';

/** Ranges by URL value. */
export const RANGES = {
  today: { label: 'Today', days: 1, interval: 'hour' },
  week: { label: '7 days', days: 7, interval: 'day' },
  month: { label: '30 days', days: 30, interval: 'day' },
  quarter: { label: '90 days', days: 90, interval: 'week' },
  year: { label: '12 months', days: 365, interval: 'month' },
} as const satisfies Record<string, { label: string; days: number; interval: StatisticsInterval }>;
export type RangeName = keyof typeof RANGES;

export const isRange = (name: string | null): name is RangeName => name !== null && Object.hasOwn(RANGES, name);

export const ownZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone;

/** Start of a range that ends now, at midnight local time. */
export function beginOf(name: RangeName): string {
  const day = new Date();
  day.setHours(0, 0, 0, 0);
  day.setDate(day.getDate() - RANGES[name].days + 1);
  return day.toISOString();
}

const FORMATS: Record<StatisticsInterval, Intl.DateTimeFormat> = {
  hour: new Intl.DateTimeFormat(locale, { timeStyle: 'short' }),
  day: new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short' }),
  week: new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short' }),
  month: new Intl.DateTimeFormat(locale, { month: 'short', year: 'numeric' }),
};

/** Axis label of an interval. */
export const stepText = (at: string, interval: StatisticsInterval): string => FORMATS[interval].format(new Date(at));

/** Formats a duration. */
export function durationText(seconds: number): string {
  const whole = Math.round(seconds);
  if (whole < 60) return `${whole} s`;
  // Seconds matter in short times only.
  if (whole < 600) return `${Math.floor(whole / 60)} min${whole % 60 > 0 ? ` ${whole % 60} s` : ''}`;
  const minutes = Math.round(seconds / 60);
  if (minutes < 60) return `${minutes} min`;
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}
