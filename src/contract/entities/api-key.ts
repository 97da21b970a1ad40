import { z } from 'zod';
import { id, line } from '../../../engine/document/fields.ts';
import { policiesSchema } from './rights.ts';

/** Prefix of API keys, so that leaked ones can be recognized. */
export const API_KEY_PREFIX = 'enf_';

/** A key for API calls on behalf of a user. */
export const apiKeySchema = z.object({
  id: id.describe('Id of the key.'),
  name: line(120).min(1, 'Give the key a name.').describe('What it is for.'),
  hint: z.string().describe('Last four characters of the key.'),
  user: z.object({ id, name: line() }).describe('In whose name it works.'),
  policies: policiesSchema.describe('Rights that it has, as far as its user has them too.'),
  created_at: z.string().describe('When it was made, UTC.'),
  expires_at: z.string().nullable().describe('From when on it no longer works, UTC; null for never.'),
  last_used_at: z.string().nullable().describe('When it was last used, UTC, to the hour.'),
});
export type ApiKey = z.output<typeof apiKeySchema>;
