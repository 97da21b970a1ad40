const moment = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });

/** Formats a date and time in the user's locale. */
export const momentText = (stamp: string): string => moment.format(new Date(stamp));
