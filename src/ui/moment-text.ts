import { locale } from './language/language.ts';

const moment = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' });

/** Formats a date and time in the user's locale. */
export const momentText = (stamp: string): string => moment.format(new Date(stamp));

const date = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone: 'UTC' });

/** Formats a date, YYYY-MM-DD, in the user's locale. */
export const dateText = (day: string): string => date.format(new Date(day));
