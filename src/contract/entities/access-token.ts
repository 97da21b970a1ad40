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

/** Filters of a list of access tokens. */
export const tokenFilters = {
  search: line(200)
    .optional()
    .describe(
      "Matches the beginning of the token, holder, e-mail address or group, part of the note or the structure's name or, from three characters, any part of the token.",
    ),
  state: z.enum(TOKEN_STATES).optional().describe('Filter by state: unused, running or expired.'),
  group: line(80).optional().describe('Filter by group.'),
};

/** An access token for one structure. */
export const accessTokenSchema = z.object({
  id: id.describe('Access token ID.'),
  token: tokenText.describe('Token that the visitor enters.'),
  endpoint_id: id.describe('Structure that the token opens.'),
  endpoint: z
    .object({
      id,
      name: line(),
      slug: line(),
      path: z.string().describe('Public path of the structure, such as /museum.'),
    })
    .describe('The structure.'),
  valid_from: z.string().nullable().describe('Start of validity in UTC; null if valid immediately.'),
  valid_till: z
    .string()
    .nullable()
    .describe("Expiry time in UTC; null if it doesn't expire. With a duration, the first use sets it."),
  valid_duration: tokenMinutes.nullable().describe('Validity in minutes after the first use; null for no limit.'),
  first_used_at: z.string().nullable().describe('Time of first use in UTC; null if unused.'),
  last_used_at: z.string().nullable().describe('Time of last use in UTC, to the minute; null if unused or unknown.'),
  checked_in_at: z.string().nullable().describe('Time of check-in at the entrance in UTC; null if not checked in.'),
  holder_name: z.string().nullable().describe('Name of the holder; null if unknown.'),
  holder_email: z.string().nullable().describe('E-mail address of the holder; null if unknown.'),
  group: z.string().nullable().describe('Group such as "Press"; null for none.'),
  note: z.string().nullable().describe('Note for the team; null for none.'),
  created_at: z.string().describe('Creation time in UTC.'),
  updated_at: stamp,
  policies: entryPolicies,
});
export type AccessToken = z.output<typeof accessTokenSchema>;

/** Result of an access token import. A file with an invalid row is rejected as a whole. */
export const importReportSchema = z.object({
  job: id.nullable().describe("Job ID for undoing the import; null if it can't be undone or nothing changed."),
  accepted: z.int().describe('Number of added tokens.'),
  duplicates: z.int().describe('Number of duplicate tokens: repeated in the file, or already existing.'),
  updated: z.int().default(0).describe('Number of existing tokens whose validity changed.'),
  removed: z.int().default(0).describe("Number of tokens removed because they aren't in the file."),
  duplicate_lines: z.array(z.int()).describe('Line numbers of the first 100 duplicates.'),
  possibilities_per_code: z.number().describe('Approximate number of guesses needed to find a valid token.'),
  normalized: z
    .int()
    .default(0)
    .describe(
      'Number of tokens normalized before storage: invisible characters removed, spaces and dashes unified, Unicode NFC.',
    ),
  normalized_lines: z.array(z.int()).default([]).describe('Line numbers of the first 100 normalized tokens.'),
  table: importTableSchema
    .nullable()
    .default(null)
    .describe('First rows of the table and how they were parsed; null for JSON.'),
  warnings: z.array(z.string()).describe('Warnings.'),
});
export type ImportReport = z.output<typeof importReportSchema>;
