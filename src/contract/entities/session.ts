import { z } from 'zod';

/** An active session of a user. */
export const sessionSchema = z.object({
  id: z.string().describe('Session ID. It grants no access.'),
  device: z.string().describe('Browser and operating system, such as "Firefox on Windows"; empty if unknown.'),
  address: z.string().describe('IP address of the sign-in; empty if unknown.'),
  created_at: z.string().describe('Sign-in time in UTC.'),
  last_used_at: z.string().describe('Time of last use in UTC, accurate to a few minutes.'),
  is_current: z.boolean().describe('Whether it is the current session.'),
});
export type Session = z.output<typeof sessionSchema>;
