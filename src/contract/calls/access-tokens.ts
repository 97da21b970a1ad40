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
  TOKEN_STATES,
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
  valid_from: moment.nullable().optional().describe('From when on it opens; null for at once.'),
  valid_till: moment.nullable().optional().describe('From when on it no longer opens; null for never.'),
  valid_duration: tokenMinutes
    .nullable()
    .optional()
    .describe('Minutes that it lasts from its first use; null for no limit.'),
};

const holder = {
  holder_name: line()
    .transform((name) => name || null)
    .nullable()
    .optional()
    .describe('Name of the person whom it was given to; null where that is not known.'),
  holder_email: email.nullable().optional().describe('Their e-mail address; null where that is not known.'),
};

/** Options for parsing a table of access tokens. */
export const tableOptions = {
  column: line()
    .min(1)
    .optional()
    .describe('Column that holds the tokens: its number from 1, or its name in the heading.'),
  heading: z.boolean().optional().describe('Whether the first line is a heading.'),
};

/** The same for a single access token, with `duration` as an alias. */
const validityInput = {
  ...validity,
  duration: validity.valid_duration.describe('Another name of `valid_duration`, which counts where both are given.'),
};

/** An access token with its times, as in exports and imports. */
export const tokenItem = z
  .strictObject({
    token: newTokenText.describe('The token that a visitor enters.'),
    ...validity,
    ...holder,
    first_used_at: moment.nullable().optional().describe('When it was first used; null for not yet.'),
  })
  .refine(({ valid_from, valid_till }) => !valid_from || !valid_till || valid_till > valid_from, {
    path: ['valid_till'],
    error: 'It must end after it begins.',
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
      'Access tokens of the organization, newest first unless another order is asked for. A search has one page, what was searched for first, and counts to 1,000.',
    access: 'access_tokens.view_any',
    query: listQuery
      .extend({
        search: line(200)
          .optional()
          .describe(
            'What a token, its holder or its e-mail address begins with, what the name of its structure contains, or from three characters on, any part of a token.',
          ),
        per_page: z.coerce.number().int().min(1).max(MAX_PER_PAGE).default(PAGE).describe('Entries on a page.'),
        before_id: idText.optional().describe('Only those added before this one: the next ones, whatever is added.'),
        endpoint_id: idText.optional().describe('Only those of this structure.'),
        used: z.enum(['0', '1']).optional().describe('1 for only those that were used, 0 for only the others.'),
        sort: z.enum(TOKEN_ORDERS).default('-created').describe('Order; by `token` only those of one structure.'),
        state: z.enum(TOKEN_STATES).optional().describe('Only those that are unused, running or expired.'),
      })
      // An index of all tokens of an organization would make imports several times slower.
      .refine(({ sort, endpoint_id }) => endpoint_id !== undefined || !sort.endsWith('token'), {
        path: ['sort'],
        error: 'Choose a structure: the tokens of one can be ordered by themselves.',
      }),
    output: z.array(accessTokenSchema),
    paged: true,
  }),
  read: call({
    method: 'GET',
    path: '/backend/access-tokens/:id',
    summary: 'One access token.',
    access: 'access_tokens.view_any',
    params: idParams,
    output: accessTokenSchema,
  }),
  create: call({
    method: 'POST',
    path: '/backend/access-tokens',
    summary: 'Adds an access token; it is generated where none is given, and its duration is the one of its structure.',
    access: 'access_tokens.create',
    body: z.strictObject({
      endpoint_id: id.describe('Structure that it opens.'),
      token: newTokenText.optional().describe('The token; left out, it is generated.'),
      ...validityInput,
      ...holder,
    }),
    output: accessTokenSchema,
    errors: ['quota'],
    status: 201,
    done: 'The token has been added.',
  }),
  createMany: call({
    method: 'POST',
    path: '/backend/access-tokens/bulk',
    summary: 'Adds many access tokens that are generated: all of them or none.',
    access: 'access_tokens.create',
    body: z.strictObject({
      endpoint_id: id.describe('Structure that they open.'),
      count: z.int().min(1).max(MAX_AT_ONCE, `Add at most ${MAX_AT_ONCE} at once.`).describe('How many.'),
      prefix: line(40).default('').describe('What every token begins with.'),
      length: z
        .int()
        .min(6, 'Use at least 6 characters.')
        .max(64)
        .default(10)
        .describe('Characters behind the prefix.'),
      ...validityInput,
    }),
    output: z.object({ created: z.int().describe('How many were added.') }),
    errors: ['quota'],
    status: 201,
    done: 'The tokens have been added.',
  }),
  importFile: call({
    method: 'POST',
    path: '/backend/endpoints/:id/import-tokens',
    summary:
      'Adds access tokens from a CSV or from JSON as the export has it, with times; all of them or none. Form data; booleans as 0 or 1. Without `column` and `heading`, a table is refused where the column of the tokens or the heading is not certain. Columns for name and e-mail address of the holder are recognized by the heading. Tokens that are there take over the times that are given; with `replace`, they begin anew; with `prune`, those that the file does not name go.',
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
      'The first rows of a CSV of access tokens, and how an import would read it. The beginning of the file is enough. Form data; stores nothing.',
    access: 'access_tokens.create',
    files: ['access_tokens_file'],
    output: importTableSchema.nullable().describe('Null for JSON.'),
    errors: ['bad_file', 'timeout'],
  }),
  removeMany: call({
    method: 'POST',
    path: '/backend/access-tokens/remove',
    summary: 'Removes the named access tokens: all of them or none.',
    access: 'access_tokens.delete',
    body: z.strictObject({ ids: z.array(id).min(1).max(MAX_AT_ONCE).describe('Ids of those that go.') }),
    output: z.object({ removed: z.int().describe('How many were removed.') }),
    done: 'The tokens have been removed.',
  }),
  update: call({
    method: 'PUT',
    edits: { read: 'accessTokens.read' },
    path: '/backend/access-tokens/:id',
    summary: 'Changes the fields that are given; the token itself stays.',
    access: 'access_tokens.update',
    params: idParams,
    body: z.strictObject({
      endpoint_id: id.optional().describe('Structure that it opens.'),
      ...validityInput,
      ...holder,
      updated_at: stamp.optional(),
    }),
    output: accessTokenSchema,
    done: 'The token has been saved.',
  }),
  remove: call({
    method: 'DELETE',
    path: '/backend/access-tokens/:id',
    summary: 'Removes an access token; visits that it opened end with it.',
    access: 'access_tokens.delete',
    params: idParams,
    output: z.null(),
    done: 'The token has been removed.',
  }),
};
