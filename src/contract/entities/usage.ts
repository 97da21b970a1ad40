import { z } from 'zod';

/** Resources with a quota. */
export const QUOTAS = ['storage', 'spaces', 'structures', 'users', 'tokens', 'mails'] as const;
export type Quota = (typeof QUOTAS)[number];

/** Usage and limit of one quota. */
export const usageSchema = z.object({
  quota: z.enum(QUOTAS).describe('Quota name.'),
  used: z.int().describe('Current usage: bytes of storage, messages in the last 24 hours, or a count.'),
  limit: z.int().nullable().describe('Limit; null for none.'),
});
export type Usage = z.output<typeof usageSchema>;
