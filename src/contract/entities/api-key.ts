import { z } from 'zod';
import { id, line } from '../../../engine/document/fields.ts';
import { policiesSchema, SCOPES } from './rights.ts';

/** Prefix of API keys, so that leaked ones can be recognized. */
export const API_KEY_PREFIX = 'enf_';

export const scopesSchema = z
  .array(z.enum(SCOPES))
  .max(SCOPES.length)
  .transform((given) => SCOPES.filter((scope) => given.includes(scope)));

/** A key for API calls on behalf of a user. */
export const apiKeySchema = z.object({
  id: id.describe('API key ID.'),
  name: line(120).min(1, 'Give the key a name.').describe('Name of the key, such as its purpose.'),
  hint: z.string().describe('Last four characters of the key.'),
  user: z.object({ id, name: line() }).describe('User the key acts for.'),
  policies: policiesSchema.describe('Rights of the key, limited to those of its user.'),
  scopes: z
    .array(z.enum(SCOPES))
    .describe('What the key may do: `write` changes drafts, `publish` changes what visitors see, `delete` deletes.'),
  created_at: z.string().describe('Creation time in UTC.'),
  expires_at: z.string().nullable().describe("Expiry time in UTC; null if it doesn't expire."),
  last_used_at: z.string().nullable().describe('Time of last use in UTC, rounded to the hour; null if unused.'),
});
export type ApiKey = z.output<typeof apiKeySchema>;
