import { z } from 'zod';

/** An active session of a user. */
export const sessionSchema = z.object({
  id: z.string().describe('Id of the session; it opens nothing.'),
  device: z.string().describe('Browser and system, such as "Firefox on Windows"; empty where nothing is known.'),
  address: z.string().describe('Address that the sign-in came from; empty where it is not known.'),
  created_at: z.string().describe('When it was signed in, UTC.'),
  last_used_at: z.string().describe('When it was last used, UTC, to some minutes.'),
  is_current: z.boolean().describe('Whether it is the session that asks.'),
});
export type Session = z.output<typeof sessionSchema>;
