import { z } from 'zod';

/** Resources with a quota. */
export const QUOTAS = ['storage', 'spaces', 'structures', 'users', 'tokens', 'mails'] as const;
export type Quota = (typeof QUOTAS)[number];

/** Usage and limit of one quota. */
export const usageSchema = z.object({
  quota: z.enum(QUOTAS).describe('What is counted.'),
  used: z.int().describe('How much there is: bytes of storage, messages of the last 24 hours, a number of all else.'),
  limit: z.int().nullable().describe('How much there may be; null without a limit.'),
});
export type Usage = z.output<typeof usageSchema>;
