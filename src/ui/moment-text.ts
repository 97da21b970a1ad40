const moment = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });

/** A moment in the reader's own way of writing it. */
export const momentText = (stamp: string): string => moment.format(new Date(stamp));
