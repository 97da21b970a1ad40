import { z } from 'zod';
import { id, line } from '../../../engine/document/fields.ts';
import { normalToken, tokenDamage } from '../token-text.ts';
import { tokenMinutes } from './endpoint.ts';
import { importTableSchema } from './import-table.ts';
import { entryPolicies } from './rights.ts';
import { stamp } from './stamp.ts';

/** The text of an access token. */
export const tokenText = line(255).min(1, 'Enter a token.');

/** A new token, normalized. Rejects values damaged by spreadsheets. */
export const newTokenText = tokenText
  .transform(normalToken)
  .pipe(z.string().min(1, 'Enter a token.').max(255, 'Use at most 255 characters.'))
  .superRefine((text, { addIssue }) => {
    const damage = tokenDamage(text);
    if (damage) addIssue({ code: 'custom', message: damage });
  });

/** State of an access token: unused, in use, or expired. */
export const TOKEN_STATES = ['unused', 'running', 'expired'] as const;

/** An access token for one structure. */
export const accessTokenSchema = z.object({
  id: id.describe('Id of the access token.'),
  token: tokenText.describe('The token that a visitor enters.'),
  endpoint_id: id.describe('Structure that it opens.'),
  endpoint: z
    .object({ id, name: line(), slug: line(), path: z.string().describe('Its public address, such as /museum.') })
    .describe('The structure itself.'),
  valid_from: z.string().nullable().describe('From when on it opens, UTC; null for at once.'),
  valid_till: z
    .string()
    .nullable()
    .describe('From when on it no longer opens, UTC; null for never. Set by the first use if it has a duration.'),
  valid_duration: tokenMinutes.nullable().describe('Minutes that it lasts from its first use; null for no limit.'),
  first_used_at: z.string().nullable().describe('When it was first used, UTC.'),
  holder_name: z.string().nullable().describe('Name of the person whom it was given to; null where that is not known.'),
  holder_email: z.string().nullable().describe('Their e-mail address; null where that is not known.'),
  created_at: z.string().describe('When it was added, UTC.'),
  updated_at: stamp,
  policies: entryPolicies,
});
export type AccessToken = z.output<typeof accessTokenSchema>;

/** Result of an access token import. A file with an invalid row is rejected as a whole. */
export const importReportSchema = z.object({
  job: id.nullable().describe('Id under which it can be undone; null when it cannot, or nothing was changed.'),
  accepted: z.int().describe('Tokens that were added.'),
  duplicates: z.int().describe('Rows whose token stood further up in the file, or was there before.'),
  updated: z.int().default(0).describe('Tokens that were there before and whose times are others now.'),
  removed: z.int().default(0).describe('Tokens that were removed because the file does not name them.'),
  duplicate_lines: z.array(z.int()).describe('Lines of the first hundred of them.'),
  possibilities_per_code: z.number().describe('How many tokens one would have to try for a valid one, about.'),
  normalized: z
    .int()
    .default(0)
    .describe('Tokens that were changed before they were stored: invisible characters, unusual spaces or dashes, NFC.'),
  normalized_lines: z.array(z.int()).default([]).describe('Lines of the first hundred of them.'),
  table: importTableSchema
    .nullable()
    .default(null)
    .describe('The first rows of a table and how it was read; null for JSON.'),
  warnings: z.array(z.string()).describe('Warnings, as text.'),
});
export type ImportReport = z.output<typeof importReportSchema>;
