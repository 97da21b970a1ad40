import type { z } from 'zod';
import type { calls } from '../../../contract/calls.ts';
import { ApiError } from '../../../contract/errors.ts';
import { recordChange } from '../../core/changes/record-change.ts';
import { nextTimestamp, timestampOf } from '../../core/clock.ts';
import type { Database } from '../../core/db/database.ts';
import type { CallContext } from '../../core/http/call-context.ts';
import { refuseStale } from '../../core/http/stale.ts';
import { withinQuotas } from '../../core/limits/quotas.ts';
import { createReadable } from '../../core/secrets/token.ts';
import { findEndpoint } from '../endpoints/queries.ts';
import { createCodes, recordToken, refusalOf } from './create-tokens.ts';
import {
  deleteTokens,
  findCode,
  findLastTokenId,
  insertToken,
  lockToken,
  removedTokens,
  type StoredToken,
  updateToken,
} from './queries.ts';

/**
 * Finds the structure of a token.
 * @throws ApiError invalid if it does not exist
 */
async function checkEndpoint(db: Database, organizationId: number, id: number) {
  const endpoint = await findEndpoint(db, organizationId, id);
  if (!endpoint) throw new ApiError('invalid', { endpoint_id: ['Structure not found. Choose another one.'] });
  return endpoint;
}

/** Rejects a validity that ends before it begins. */
function checkTimes({ valid_from, valid_till }: Pick<StoredToken, 'valid_from' | 'valid_till'>): void {
  if (valid_from !== null && valid_till !== null && valid_till <= valid_from)
    throw new ApiError('invalid', { valid_till: ['The end must be after the start.'] });
}

/**
 * Adds a token.
 * @returns its id
 * @throws ApiError invalid if the structure already has this code
 */
export async function createAccessToken(
  context: CallContext,
  body: z.output<typeof calls.accessTokens.create.body>,
): Promise<number> {
  const { organizationId, clock } = context;
  const { holder_name = null, holder_email = null, group: group_name = null, note = null } = body;
  const { endpoint_id, token, duration, valid_duration = duration, valid_from = null, valid_till = null } = body;
  checkTimes({ valid_from, valid_till });
  const made = await withinQuotas(context, ['tokens'], async (db) => {
    const endpoint = await checkEndpoint(db, organizationId, endpoint_id);
    const at = nextTimestamp(clock);
    const row = {
      organization_id: organizationId,
      endpoint_id,
      token: token ?? createReadable(),
      valid_from,
      valid_till,
      valid_duration: valid_duration === undefined ? endpoint.access_token_duration : valid_duration,
      first_used_at: null,
      normal: null,
      holder_name,
      holder_email,
      group_name,
      note,
      last_used_at: null,
      checked_in_at: null,
      created_at: at,
      updated_at: at,
    };
    const isThere = token !== undefined && (await findCode(db, endpoint_id, token)) !== undefined;
    const id = isThere ? undefined : await insertToken(db, row);
    if (id === undefined) throw new ApiError('invalid', { token: ['The structure already has this token.'] });
    await recordToken(db, context, 'create', { after: { ...row, id } });
    return id;
  });
  return made;
}

/** Adds the requested number of tokens with random codes. */
export async function createAccessTokens(
  context: CallContext,
  body: z.output<typeof calls.accessTokens.createMany.body>,
): Promise<void> {
  const { organizationId, clock } = context;
  const { endpoint_id, count, prefix, length, valid_from = null, valid_till = null, group, note } = body;
  const given = body.valid_duration === undefined ? body.duration : body.valid_duration;
  checkTimes({ valid_from, valid_till });
  await withinQuotas(context, ['tokens'], async (db) => {
    const endpoint = await checkEndpoint(db, organizationId, endpoint_id);
    const duration = given === undefined ? endpoint.access_token_duration : given;
    const validity = { duration, validFrom: valid_from, validTill: valid_till };
    const labels = { group: group ?? null, note: note ?? null };
    const target = { organizationId, endpointId: endpoint_id, ...validity, ...labels, at: nextTimestamp(clock) };
    const lastId = await findLastTokenId(db);
    const code = await createCodes(db, target, { count, prefix, length });
    const made = await findCode(db, endpoint_id, code);
    const added = { first: lastId + 1, last: await findLastTokenId(db), count, at: target.at };
    await recordChange(db, context, {
      action: 'create',
      entity: 'access_token',
      entity_id: made!.id,
      name: endpoint.name,
      facts: { endpoint_id, count, valid_from, valid_till, valid_duration: duration },
      records: [
        { kind: 'endpoint_tokens', action: 'create', entity_id: endpoint_id, name: endpoint.name, content: { added } },
      ],
    });
  });
}

/** Limit on ids listed in an error and in a change log entry. */
const NAMED = 10;
const NAMED_IN_LOG = 100;

/** @throws ApiError not_found */
export async function removeAccessToken(context: CallContext, id: number): Promise<void> {
  await context.db.transaction().execute(async (db) => {
    const [row] = await deleteTokens(db, context.organizationId, [id]);
    if (!row) throw new ApiError('not_found');
    await recordToken(db, context, 'delete', { before: row });
  });
}

/**
 * Removes tokens, all or nothing.
 * @returns the number of removed tokens
 * @throws ApiError invalid, listing some of the missing ids
 */
export async function removeAccessTokens(
  context: CallContext,
  body: z.output<typeof calls.accessTokens.removeMany.body>,
): Promise<number> {
  const ids = [...new Set(body.ids)];
  await context.db.transaction().execute(async (db) => {
    const rows = await deleteTokens(db, context.organizationId, ids);
    const there = new Set(rows.map(({ id }) => id));
    const unknown = ids.filter((id) => !there.has(id));
    if (unknown.length > 0) {
      const some = unknown.slice(0, NAMED).join(', ');
      throw new ApiError('invalid', {
        ids: [`${unknown.length} of these tokens don't exist (${some}). Nothing was removed. Reload the list.`],
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
      records: removedTokens('access_tokens', { id: ids[0]! }, rows),
      isRestorable: true,
    });
  });
  return ids.length;
}

/**
 * Changes a token.
 * @throws ApiError not_found, stale or invalid
 */
export async function updateAccessToken(
  context: CallContext,
  id: number,
  body: z.output<typeof calls.accessTokens.update.body>,
): Promise<void> {
  const { organizationId, clock } = context;
  const { updated_at, duration, group, ...given } = body;
  const fields = {
    ...(duration !== undefined && { valid_duration: duration }),
    ...(group !== undefined && { group_name: group }),
    ...given,
  };
  await context.db.transaction().execute(async (db) => {
    const row = await lockToken(db, id);
    if (row?.organization_id !== organizationId) throw new ApiError('not_found');
    refuseStale(row.updated_at, updated_at);
    const changed = { ...row, ...fields };
    checkTimes(changed);
    if (changed.endpoint_id !== row.endpoint_id) {
      await checkEndpoint(db, organizationId, changed.endpoint_id);
      if (await findCode(db, changed.endpoint_id, row.token))
        throw new ApiError('invalid', { endpoint_id: ['This structure already has this token.'] });
    }
    await updateToken(db, row.id, { ...fields, updated_at: nextTimestamp(clock, row.updated_at) });
    await recordToken(db, context, 'update', { before: row, after: changed });
  });
}

/** Ends a token's validity now. @throws ApiError not_found */
export async function revokeAccessToken(context: CallContext, id: number): Promise<void> {
  const { organizationId, clock } = context;
  await context.db.transaction().execute(async (db) => {
    const row = await lockToken(db, id);
    if (row?.organization_id !== organizationId) throw new ApiError('not_found');
    const now = timestampOf(clock.now());
    if (refusalOf(row, now) === 'expired') return;
    const isAhead = row.valid_from !== null && row.valid_from >= now;
    const fields = { valid_till: now, valid_from: isAhead ? null : row.valid_from };
    await updateToken(db, id, { ...fields, updated_at: nextTimestamp(clock, row.updated_at) });
    await recordToken(db, context, 'update', { before: row, after: { ...row, ...fields } });
  });
}
