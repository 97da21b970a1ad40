import { z } from 'zod';
import { id, line } from '../../../engine/document/fields.ts';
import { call } from '../call.ts';
import {
  accessTokenSchema,
  importReportSchema,
  importSwitches,
  importTableSchema,
  newTokenText,
  stamp,
  tokenFilters,
  tokenMinutes,
} from '../entities.ts';
import { idParams, idText, listQuery, moment } from '../inputs.ts';
import { email } from './users.ts';

/** Default page size. */
const PAGE = 100;
/** Maximum page size. */
const MAX_PER_PAGE = 1000;
/** Maximum access tokens added or removed per call. */
const MAX_AT_ONCE = 10_000;

const validity = {
  valid_from: moment.nullable().optional().describe('Start of validity; null if valid immediately.'),
  valid_till: moment.nullable().optional().describe("Expiry time; null if it doesn't expire."),
  valid_duration: tokenMinutes
    .nullable()
    .optional()
    .describe('Validity in minutes after the first use; null for no limit.'),
};

const textOrNull = (max: number) =>
  line(max)
    .transform((text) => text || null)
    .nullable()
    .optional();

const holder = {
  holder_name: textOrNull(255).describe('Name of the holder; null if unknown.'),
  holder_email: email.nullable().optional().describe('E-mail address of the holder; null if unknown.'),
};

const labels = {
  group: textOrNull(80).describe('Group such as "Press"; null for none.'),
  note: textOrNull(500).describe('Note for the team; null for none.'),
};

/** Options for parsing a table of access tokens. */
export const tableOptions = {
  column: line().min(1).optional().describe('Token column: its number, starting at 1, or its heading.'),
  heading: z.boolean().optional().describe('Whether the first line is a heading.'),
};

/** The same for a single access token, with `duration` as an alias. */
const validityInput = {
  ...validity,
  duration: validity.valid_duration.describe('Alias of `valid_duration`, which takes precedence.'),
};

/** An access token with its times, as in exports and imports. */
export const tokenItem = z
  .strictObject({
    token: newTokenText.describe('Token that the visitor enters.'),
    ...validity,
    ...holder,
    ...labels,
    first_used_at: moment.nullable().optional().describe('Time of first use; null if unused.'),
    last_used_at: moment.nullable().optional().describe('Time of last use; null if unused.'),
  })
  .refine(({ valid_from, valid_till }) => !valid_from || !valid_till || valid_till > valid_from, {
    path: ['valid_till'],
    error: 'The end must be after the start.',
  });
export type TokenItem = z.output<typeof tokenItem>;

/** Sort orders of access tokens. Tokens without an end are last by `valid_till`; unused tokens are first by `used`. */
export const TOKEN_ORDERS = [
  'created',
  '-created',
  'token',
  '-token',
  'used',
  '-used',
  'valid_till',
  '-valid_till',
] as const;

export const accessTokens = {
  list: call({
    method: 'GET',
    path: '/backend/access-tokens',
    summary:
      'Lists access tokens, newest first by default. Searches return one page of best matches and count up to 1,000.',
    access: 'access_tokens.view_any',
    query: listQuery
      .extend({
        search: tokenFilters.search,
        per_page: z.coerce
          .number()
          .int()
          .min(1)
          .max(MAX_PER_PAGE)
          .default(PAGE)
          .describe('Number of entries per page.'),
        before_id: idText.optional().describe('Returns only tokens with a lower ID, for stable paging.'),
        endpoint_id: idText.optional().describe('Filter by structure.'),
        used: z.enum(['0', '1']).optional().describe('Filter by use: 1 for used tokens, 0 for unused ones.'),
        sort: z.enum(TOKEN_ORDERS).default('-created').describe('Sort order. `token` requires `endpoint_id`.'),
        state: tokenFilters.state,
        group: tokenFilters.group,
      })
      // An index of all tokens of an organization would make imports several times slower.
      .refine(({ sort, endpoint_id }) => endpoint_id !== undefined || !sort.endsWith('token'), {
        path: ['sort'],
        error: 'Choose a structure. Sorting by token works only within one structure.',
      }),
    output: z.array(accessTokenSchema),
    paged: true,
  }),
  export: call({
    method: 'GET',
    path: '/backend/access-tokens/export',
    summary:
      'Exports all matching access tokens as CSV with a heading, newest first: token, link, structure, state, holder, group, note, times. Links contain the token; anyone who opens one enters.',
    access: 'access_tokens.view_any',
    query: z.strictObject({
      endpoint_id: idText.optional().describe('Filter by structure.'),
      ...tokenFilters,
    }),
    output: z.string(),
    download: 'text/csv; charset=utf-8',
  }),
  groups: call({
    method: 'GET',
    path: '/backend/access-tokens/groups',
    summary: 'Lists the groups of access tokens by name, at most 200.',
    access: 'access_tokens.view_any',
    output: z.array(z.string().describe('Group.')),
  }),
  read: call({
    method: 'GET',
    path: '/backend/access-tokens/:id',
    summary: 'Returns an access token.',
    access: 'access_tokens.view_any',
    params: idParams,
    output: accessTokenSchema,
  }),
  create: call({
    method: 'POST',
    path: '/backend/access-tokens',
    summary: 'Creates an access token. By default, the token is generated and its validity comes from the structure.',
    access: 'access_tokens.create',
    body: z.strictObject({
      endpoint_id: id.describe('Structure that the token opens.'),
      token: newTokenText.optional().describe('Token text; generated if omitted.'),
      ...validityInput,
      ...holder,
      ...labels,
    }),
    output: accessTokenSchema,
    errors: ['quota'],
    status: 201,
    done: 'The token has been added.',
  }),
  createMany: call({
    method: 'POST',
    path: '/backend/access-tokens/bulk',
    summary: 'Generates access tokens in bulk, all or none.',
    access: 'access_tokens.create',
    body: z.strictObject({
      endpoint_id: id.describe('Structure that the tokens open.'),
      count: z.int().min(1).max(MAX_AT_ONCE, `Add at most ${MAX_AT_ONCE} at once.`).describe('Number of tokens.'),
      prefix: line(40).default('').describe('Prefix of every token.'),
      length: z
        .int()
        .min(6, 'Use at least 6 characters.')
        .max(64)
        .default(10)
        .describe('Number of characters after the prefix.'),
      ...validityInput,
      ...labels,
    }),
    output: z.object({ created: z.int().describe('Number of created tokens.') }),
    errors: ['quota'],
    status: 201,
    done: 'The tokens have been added.',
  }),
  importFile: call({
    method: 'POST',
    path: '/backend/endpoints/:id/import-tokens',
    summary:
      "Imports access tokens from a CSV or an exported JSON file with validity times, all or none. Form data; booleans as 0 or 1. Without `column` and `heading`, a file with an ambiguous token column or heading is rejected. Columns with holders, e-mail addresses, groups and notes are detected by their headings. Existing tokens get the validity times in the file. `replace` resets them to unused. `prune` removes tokens that aren't in the file.",
    access: 'access_tokens.create',
    params: idParams,
    body: z.object({ ...importSwitches, ...tableOptions }),
    files: ['access_tokens_file'],
    output: importReportSchema,
    errors: ['bad_file', 'unclear_table', 'timeout', 'quota'],
  }),
  readTable: call({
    method: 'POST',
    path: '/backend/access-tokens/read-table',
    summary:
      'Returns the first rows of a CSV of access tokens and how an import would parse it. Send at least the beginning of the file as form data. Stores nothing.',
    access: 'access_tokens.create',
    files: ['access_tokens_file'],
    output: importTableSchema.nullable().describe('Detected table; null for JSON.'),
    errors: ['bad_file', 'timeout'],
  }),
  removeMany: call({
    method: 'POST',
    path: '/backend/access-tokens/remove',
    summary: 'Deletes access tokens, all or none.',
    access: 'access_tokens.delete',
    body: z.strictObject({ ids: z.array(id).min(1).max(MAX_AT_ONCE).describe('IDs of the access tokens.') }),
    output: z.object({ removed: z.int().describe('Number of deleted tokens.') }),
    done: 'The tokens have been removed.',
  }),
  update: call({
    method: 'PUT',
    edits: { read: 'accessTokens.read' },
    path: '/backend/access-tokens/:id',
    summary: "Updates the given fields. The token itself can't be changed.",
    access: 'access_tokens.update',
    params: idParams,
    body: z.strictObject({
      endpoint_id: id.optional().describe('Structure that the token opens.'),
      ...validityInput,
      ...holder,
      ...labels,
      updated_at: stamp.optional(),
    }),
    output: accessTokenSchema,
    done: 'The token has been saved.',
  }),
  revoke: call({
    method: 'POST',
    path: '/backend/access-tokens/:id/revoke',
    summary: 'Ends the validity of an access token and the visits that it opened. The token stays listed as expired.',
    access: 'access_tokens.update',
    params: idParams,
    output: accessTokenSchema,
    done: 'The token has been revoked.',
  }),
  remove: call({
    method: 'DELETE',
    path: '/backend/access-tokens/:id',
    summary: 'Deletes an access token and ends the visits that it opened.',
    access: 'access_tokens.delete',
    params: idParams,
    output: z.null(),
    done: 'The token has been removed.',
  }),
};
