import { z } from 'zod';

/** What an organization may have so much of. */
export const QUOTAS = ['storage', 'spaces', 'structures', 'users', 'tokens', 'mails'] as const;
export type Quota = (typeof QUOTAS)[number];

/** How much there is of one thing, and how much there may be. */
export const usageSchema = z.object({
  quota: z.enum(QUOTAS).describe('What is counted.'),
  used: z.int().describe('How much there is: bytes of storage, messages of the last 24 hours, a number of all else.'),
  limit: z.int().nullable().describe('How much there may be; null without a limit.'),
});
export type Usage = z.output<typeof usageSchema>;
