import type { z } from 'zod';
import type { calls } from '../../../contract/calls.ts';
import { ApiError } from '../../../contract/errors.ts';
import { refuseStale } from '../../base/answers/stale.ts';
import { nextTimestamp } from '../../base/clock.ts';
import { findCode, lockToken, updateToken } from '../../store/access-tokens/access-tokens-repository.ts';
import { recordToken } from '../../store/access-tokens/record-token.ts';
import type { CallContext } from '../../store/call-context.ts';
import { checkEndpoint, checkTimes } from './check-token.ts';

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
  const { updated_at, duration, ...given } = body;
  const fields = { ...(duration !== undefined && { valid_duration: duration }), ...given };
  await context.db.transaction().execute(async (db) => {
    const row = await lockToken(db, id);
    if (row?.organization_id !== organizationId) throw new ApiError('not_found');
    refuseStale(row.updated_at, updated_at);
    const changed = { ...row, ...fields };
    checkTimes(changed);
    if (changed.endpoint_id !== row.endpoint_id) {
      await checkEndpoint(db, organizationId, changed.endpoint_id);
      if (await findCode(db, changed.endpoint_id, row.token))
        throw new ApiError('invalid', { endpoint_id: ['This structure has this token already.'] });
    }
    await updateToken(db, row.id, { ...fields, updated_at: nextTimestamp(clock, row.updated_at) });
    await recordToken(db, context, 'update', { before: row, after: changed });
  });
}
