import type { AccessToken } from '../../../contract/entities.ts';
import { ApiError } from '../../../contract/errors.ts';
import { timestampOf } from '../../core/clock.ts';
import { pageMeta } from '../../core/db/paging.ts';
import { refuseCodes } from '../../core/files/inspect/codes/refuse-codes.ts';
import type { CallContext } from '../../core/http/call-context.ts';
import type { Handlers } from '../../core/http/handler.ts';
import { entryPoliciesOf } from '../users/queries.ts';
import { exportTokens, pathOf } from './export-tokens.ts';
import { readFirstRows } from './import-tokens.ts';
import { findToken, type ListedToken, listTokens } from './list-tokens.ts';
import { listGroups } from './queries.ts';
import {
  createAccessToken,
  createAccessTokens,
  removeAccessToken,
  removeAccessTokens,
  revokeAccessToken,
  updateAccessToken,
} from './service.ts';

function asAccessToken(context: CallContext, row: ListedToken): AccessToken {
  return {
    id: row.id,
    token: row.token,
    endpoint_id: row.endpoint_id,
    endpoint: { id: row.endpoint_id, name: row.endpoint_name, slug: row.endpoint_slug, path: pathOf(row) },
    valid_from: row.valid_from,
    valid_till: row.valid_till,
    valid_duration: row.valid_duration,
    first_used_at: row.first_used_at,
    last_used_at: row.last_used_at,
    checked_in_at: row.checked_in_at,
    holder_name: row.holder_name,
    holder_email: row.holder_email,
    group: row.group_name,
    note: row.note,
    created_at: row.created_at,
    updated_at: row.updated_at,
    policies: entryPoliciesOf(context, 'access_tokens'),
  };
}

async function one(context: CallContext, id: number): Promise<AccessToken> {
  const row = await findToken(context.db, context.organizationId, id);
  if (!row) throw new ApiError('not_found');
  return asAccessToken(context, row);
}

/** All access token calls except the file import, which is in the feature `imports`. */
export const accessTokens: Omit<Handlers<'accessTokens'>, 'importFile'> = {
  list: async (context, { query }) => {
    const { db, organizationId, clock } = context;
    const asking = { now: timestampOf(clock.now()), isGone: context.isGone };
    const { rows, total, isMore, isPrefixOnly } = await listTokens(db, organizationId, query, asking);
    // A search returns a single page.
    const pages = query.search ? { total, page: query.page, last_page: 1 } : pageMeta(total, query);
    const meta = { ...pages, ...(isMore && { is_more: true }), ...(isPrefixOnly && { is_prefix_only: true }) };
    return { data: rows.map((row) => asAccessToken(context, row)), meta };
  },

  export: (context, { query }) => exportTokens(context, query),

  groups: ({ db, organizationId }) => listGroups(db, organizationId),

  read: async (context, { params }) => one(context, params.id),

  create: async (context, { body }) => one(context, await createAccessToken(context, body)),

  createMany: async (context, { body }) => {
    await createAccessTokens(context, body);
    return { created: body.count };
  },

  update: async (context, { params, body }) => {
    await updateAccessToken(context, params.id, body);
    return one(context, params.id);
  },

  revoke: async (context, { params }) => {
    await revokeAccessToken(context, params.id);
    return one(context, params.id);
  },

  remove: async (context, { params }) => {
    await removeAccessToken(context, params.id);
    return null;
  },

  readTable: async (context, { file }) => {
    if (!file) throw refuseCodes('invalid', 'Choose a file.');
    return readFirstRows(context, file);
  },

  removeMany: async (context, { body }) => ({ removed: await removeAccessTokens(context, body) }),
};
