import { z } from 'zod';

/** A proof-of-work challenge: cheap for one visitor, costly for bulk requests. */
export const challengeSchema = z.object({
  challenge: z.string().describe('Challenge, signed by the server, valid for one use.'),
  count: z.int().describe('Number of required solutions.'),
  bits: z
    .int()
    .describe(
      'Number of leading zero bits in the SHA-256 of `challenge:n:solution`, for each solution n from 0. Solutions are integers.',
    ),
});
export type Challenge = z.output<typeof challengeSchema>;
