import type { z } from 'zod';
import type { calls } from '../../../contract/calls.ts';
import { API_KEY_PREFIX } from '../../../contract/entities.ts';
import { ApiError } from '../../../contract/errors.ts';
import { recordEvent } from '../../core/audit/record-event.ts';
import { recordChange } from '../../core/changes/record-change.ts';
import { nextTimestamp, timestampOf } from '../../core/clock.ts';
import type { SignedInContext } from '../../core/http/call-context.ts';
import { orNotFound } from '../../core/http/found.ts';
import { createToken, hashToken } from '../../core/secrets/token.ts';
import { deleteKey, insertKey, type ListedKey } from '../users/api-keys.ts';
import { refuseAboveId, refuseBeyond, refuseKeys } from '../users/rights.ts';

/** Characters of a key in lists. */
const HINT = 4;
/** Default lifetime of a key in milliseconds: a forgotten key must not work forever. */
const LIFETIME = 365 * 24 * 60 * 60 * 1000;

/**
 * Creates an API key.
 * @returns its row, and the key itself, which is not stored
 * @throws ApiError forbidden if it would have more rights than the caller, or invalid
 */
export async function createKey(
  context: SignedInContext,
  body: z.output<typeof calls.apiKeys.create.body>,
): Promise<{ row: ListedKey; key: string }> {
  const { organizationId, clock } = context;
  const user = context.user;
  const { name, policies, scopes } = body;
  const expires_at = body.expires_at === undefined ? timestampOf(clock.now() + LIFETIME) : body.expires_at;
  refuseKeys(user);
  refuseBeyond(user, policies);
  if (expires_at !== null && expires_at <= timestampOf(clock.now()))
    throw new ApiError('invalid', { expires_at: ['Use a time in the future.'] });
  const key = API_KEY_PREFIX + createToken();
  const at = nextTimestamp(clock);
  return context.db.transaction().execute(async (db) => {
    const row = await insertKey(db, {
      organization_id: organizationId,
      user_id: user.userId,
      name,
      hint: key.slice(-HINT),
      policies: JSON.stringify(policies),
      scopes: JSON.stringify(scopes),
      key_hash: hashToken(key),
      expires_at,
      last_used_at: null,
      created_at: at,
      updated_at: at,
    });
    const after = { name, policies, scopes, expires_at, user_id: user.userId };
    await recordChange(db, context, { action: 'create', entity: 'api_key', entity_id: row.id, name, after });
    await recordEvent(db, context, {
      event: 'key_created',
      subject: name,
      details: { rights: policies, scopes, expires_at },
    });
    return { row, key };
  });
}

/** Revokes an API key. @throws ApiError not_found, or forbidden for a key of a user with more rights */
export async function removeKey(context: SignedInContext, id: number): Promise<void> {
  await context.db.transaction().execute(async (db) => {
    const row = orNotFound(await deleteKey(db, context.organizationId, id));
    await refuseAboveId(db, context.user, context.organizationId, row.user_id);
    const about = { entity_id: row.id, name: row.name, before: row };
    await recordChange(db, context, { action: 'delete', entity: 'api_key', ...about });
    await recordEvent(db, context, { event: 'key_revoked', subject: row.name });
  });
}
