import type { AccessToken, ChangeAction } from '../../../contract/entities.ts';
import { ApiError } from '../../../contract/errors.ts';
import { refuseStale } from '../../base/answers/stale.ts';
import { nextTimestamp, timestampOf } from '../../base/clock.ts';
import type { Database } from '../../base/db/database.ts';
import { pageMeta } from '../../base/db/paging.ts';
import { createReadable } from '../../base/secrets/token.ts';
import { importFile } from '../../jobs/imports/import-codes-file.ts';
import {
  deleteTokens,
  findCode,
  findToken,
  insertToken,
  type ListedToken,
  listTokens,
  lockToken,
  type StoredToken,
  updateToken,
} from '../../store/access-tokens/access-tokens-repository.ts';
import type { CallContext } from '../../store/call-context.ts';
import { findEndpoint } from '../../store/endpoints/endpoints-repository.ts';
import { recordChange } from '../../store/history/record-change.ts';
import { withinQuotas } from '../../store/quotas/quotas.ts';
import { entryPoliciesOf } from '../../store/users/entry-policies.ts';
import type { Handlers } from '../handler.ts';
import { createCodes } from './create-codes.ts';

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

/** Ids that a refusal names, and that an entry of the change log does. */
const NAMED = 10;
const NAMED_IN_LOG = 100;

/** Refuses a time that is over before it begins. */
function checkTimes({ valid_from, valid_till }: Pick<StoredToken, 'valid_from' | 'valid_till'>): void {
  if (valid_from !== null && valid_till !== null && valid_till <= valid_from)
    throw new ApiError('invalid', { valid_till: ['It must end after it begins.'] });
}

/** Writes an entry of the change log about one token: it goes by its structure, since the code opens it. */
async function recordToken(
  db: Database,
  context: CallContext,
  action: ChangeAction,
  { before, after }: { before?: StoredToken; after?: StoredToken },
): Promise<void> {
  const { id, endpoint_id } = (after ?? before)!;
  const endpoint = await findEndpoint(db, context.organizationId, endpoint_id);
  const name = endpoint?.name ?? '';
  await recordChange(db, context, { action, entity: 'access_token', entity_id: id, name, before, after });
}

export const accessTokens: Handlers<'accessTokens'> = {
  list: async (context, { query }) => {
    const { db, organizationId, clock } = context;
    const { rows, total } = await listTokens(db, organizationId, query, timestampOf(clock.now()));
    return { data: rows.map((row) => asAccessToken(context, row)), meta: pageMeta(total, query) };
  },

  read: async (context, { params }) => one(context, params.id),

  create: async (context, { body }) => {
    const { organizationId, clock } = context;
    const { endpoint_id, token, duration, valid_duration = duration, valid_from = null, valid_till = null } = body;
    checkTimes({ valid_from, valid_till });
    const made = await withinQuotas(context, ['tokens'], async (db) => {
      const endpoint = await endpointOf(db, organizationId, endpoint_id);
      const at = nextTimestamp(clock);
      const row = {
        organization_id: organizationId,
        endpoint_id,
        token: token ?? createReadable(),
        valid_from,
        valid_till,
        valid_duration: valid_duration === undefined ? endpoint.access_token_duration : valid_duration,
        first_used_at: null,
        created_at: at,
        updated_at: at,
      };
      const id = await insertToken(db, row);
      if (id === undefined) throw new ApiError('invalid', { token: ['The structure has this code already.'] });
      await recordToken(db, context, 'create', { after: { ...row, id } });
      return id;
    });
    return one(context, made);
  },

  createMany: async (context, { body }) => {
    const { organizationId, clock } = context;
    const { endpoint_id, count, prefix, length, valid_from = null, valid_till = null } = body;
    const given = body.valid_duration === undefined ? body.duration : body.valid_duration;
    checkTimes({ valid_from, valid_till });
    await withinQuotas(context, ['tokens'], async (db) => {
      const endpoint = await endpointOf(db, organizationId, endpoint_id);
      const duration = given === undefined ? endpoint.access_token_duration : given;
      const validity = { duration, validFrom: valid_from, validTill: valid_till };
      const target = { organizationId, endpointId: endpoint_id, ...validity, at: nextTimestamp(clock) };
      const code = await createCodes(db, target, { count, prefix, length });
      const made = await findCode(db, endpoint_id, code);
      await recordChange(db, context, {
        action: 'create',
        entity: 'access_token',
        entity_id: made!.id,
        name: endpoint.name,
        facts: { endpoint_id, count, valid_from, valid_till, valid_duration: duration },
      });
    });
    return { created: count };
  },

  update: async (context, { params, body }) => {
    const { organizationId, clock } = context;
    const { updated_at, duration, ...given } = body;
    const fields = { ...(duration !== undefined && { valid_duration: duration }), ...given };
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
      await updateToken(db, row.id, { ...fields, updated_at: nextTimestamp(clock, row.updated_at) });
      await recordToken(db, context, 'update', { before: row, after: changed });
    });
    return one(context, params.id);
  },

  remove: async (context, { params }) => {
    await context.db.transaction().execute(async (db) => {
      const [row] = await deleteTokens(db, context.organizationId, [params.id]);
      if (!row) throw new ApiError('not_found');
      await recordToken(db, context, 'delete', { before: row });
    });
    return null;
  },

  importFile: async (context, { params, body, file }) => importFile(context, params.id, body, file),

  removeMany: async (context, { body }) => {
    const ids = [...new Set(body.ids)];
    await context.db.transaction().execute(async (db) => {
      const rows = await deleteTokens(db, context.organizationId, ids);
      const there = new Set(rows.map(({ id }) => id));
      const unknown = ids.filter((id) => !there.has(id));
      if (unknown.length > 0) {
        const some = unknown.slice(0, NAMED).join(', ');
        throw new ApiError('invalid', {
          ids: [`${unknown.length} of these tokens do not exist (${some}). Nothing was removed; load the list again.`],
        });
      }
      const endpointIds = [...new Set(rows.map(({ endpoint_id }) => endpoint_id))];
      const endpoint = await findEndpoint(db, context.organizationId, endpointIds[0]!);
      await recordChange(db, context, {
        action: 'delete',
        entity: 'access_token',
        entity_id: ids[0]!,
        name: endpointIds.length === 1 ? (endpoint?.name ?? '') : `${endpointIds.length} structures`,
        before: {
          count: rows.length,
          ids: ids.slice(0, NAMED_IN_LOG),
          endpoint_ids: endpointIds.slice(0, NAMED_IN_LOG),
        },
      });
    });
    return { removed: ids.length };
  },
};
