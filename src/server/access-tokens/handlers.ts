import type { AccessToken } from '../../contract/entities.ts';
import { ApiError } from '../../contract/errors.ts';
import type { CallContext, Handlers } from '../api/handler.ts';
import { pageMeta } from '../api/paging.ts';
import { refuseStale } from '../api/stale.ts';
import { nextStamp } from '../clock.ts';
import type { Database } from '../db/database.ts';
import { findEndpoint } from '../endpoints/endpoints-repository.ts';
import { createReadable } from '../sessions/token.ts';
import { entryPoliciesOf } from '../users/entry-policies.ts';
import {
  deleteToken,
  findCode,
  findToken,
  insertToken,
  type ListedToken,
  listTokens,
  lockToken,
  type StoredToken,
  updateToken,
} from './access-tokens-repository.ts';

function asAccessToken(context: CallContext, row: ListedToken): AccessToken {
  return {
    id: row.id,
    token: row.token,
    endpoint_id: row.endpoint_id,
    endpoint: { id: row.endpoint_id, name: row.endpoint_name, slug: row.endpoint_slug },
    valid_from: row.valid_from,
    valid_till: row.valid_till,
    valid_duration: row.valid_duration,
    first_used_at: row.first_used_at,
    updated_at: row.updated_at,
    policies: entryPoliciesOf(context, 'access_tokens'),
  };
}

async function one(context: CallContext, id: number): Promise<AccessToken> {
  const row = await findToken(context.db, context.organizationId, id);
  if (!row) throw new ApiError('not_found');
  return asAccessToken(context, row);
}

async function endpointOf(db: Database, organizationId: number, id: number) {
  const endpoint = await findEndpoint(db, organizationId, id);
  if (!endpoint) throw new ApiError('invalid', { endpoint_id: ['This structure does not exist. Choose another one.'] });
  return endpoint;
}

/** Refuses a time that is over before it begins. */
function checkTimes({ valid_from, valid_till }: Pick<StoredToken, 'valid_from' | 'valid_till'>): void {
  if (valid_from !== null && valid_till !== null && valid_till <= valid_from)
    throw new ApiError('invalid', { valid_till: ['It must end after it begins.'] });
}

export const accessTokens: Handlers<'accessTokens'> = {
  list: async (context, { query }) => {
    const { rows, total } = await listTokens(context.db, context.organizationId, query);
    return { data: rows.map((row) => asAccessToken(context, row)), meta: pageMeta(total, query) };
  },

  read: async (context, { params }) => one(context, params.id),

  create: async (context, { body }) => {
    const { db, organizationId, clock } = context;
    const { endpoint_id, token, valid_duration, valid_from = null, valid_till = null } = body;
    checkTimes({ valid_from, valid_till });
    const endpoint = await endpointOf(db, organizationId, endpoint_id);
    const at = nextStamp(clock);
    const id = await insertToken(db, {
      organization_id: organizationId,
      endpoint_id,
      token: token ?? createReadable(),
      valid_from,
      valid_till,
      valid_duration: valid_duration === undefined ? endpoint.access_token_duration : valid_duration,
      first_used_at: null,
      created_at: at,
      updated_at: at,
    });
    if (id === undefined) throw new ApiError('invalid', { token: ['The structure has this code already.'] });
    return one(context, id);
  },

  update: async (context, { params, body }) => {
    const { organizationId, clock } = context;
    const { updated_at, ...fields } = body;
    await context.db.transaction().execute(async (db) => {
      const row = await lockToken(db, params.id);
      if (row?.organization_id !== organizationId) throw new ApiError('not_found');
      refuseStale(row.updated_at, updated_at);
      const changed = { ...row, ...fields };
      checkTimes(changed);
      if (changed.endpoint_id !== row.endpoint_id) {
        await endpointOf(db, organizationId, changed.endpoint_id);
        if (await findCode(db, changed.endpoint_id, row.token))
          throw new ApiError('invalid', { endpoint_id: ['This structure has this code already.'] });
      }
      await updateToken(db, row.id, { ...fields, updated_at: nextStamp(clock, row.updated_at) });
    });
    return one(context, params.id);
  },

  remove: async ({ db, organizationId }, { params }) => {
    if (!(await deleteToken(db, organizationId, params.id))) throw new ApiError('not_found');
    return null;
  },
};
