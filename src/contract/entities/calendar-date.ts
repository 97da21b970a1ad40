import { z } from 'zod';

/** A date that exists, YYYY-MM-DD. */
export const calendarDate = z
  .string()
  .regex(/^\d{4}-\d\d-\d\d$/, 'Use a date such as 2027-03-31.')
  .refine((date) => z.iso.date().safeParse(date).success, 'There is no such date.');
