import { z } from 'zod';

/** A proof-of-work challenge: cheap for one visitor, costly for bulk requests. */
export const challengeSchema = z.object({
  challenge: z.string().describe('The task; signed by the server, for one use.'),
  count: z.int().describe('How many solutions it takes.'),
  bits: z
    .int()
    .describe(
      'Solution number n, from 0, is a whole number for which the SHA-256 of `challenge:n:solution` begins with so many zero bits.',
    ),
});
export type Challenge = z.output<typeof challengeSchema>;
