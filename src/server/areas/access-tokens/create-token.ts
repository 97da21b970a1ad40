import type { z } from 'zod';
import type { calls } from '../../../contract/calls.ts';
import { ApiError } from '../../../contract/errors.ts';
import { nextTimestamp } from '../../base/clock.ts';
import { createReadable } from '../../base/secrets/token.ts';
import { insertToken } from '../../store/access-tokens/access-tokens-repository.ts';
import { recordToken } from '../../store/access-tokens/record-token.ts';
import type { CallContext } from '../../store/call-context.ts';
import { withinQuotas } from '../../store/quotas/quotas.ts';
import { checkEndpoint, checkTimes } from './check-token.ts';

/**
 * Adds a token.
 * @returns its id
 * @throws ApiError invalid where the structure has its code already
 */
export async function createAccessToken(
  context: CallContext,
  body: z.output<typeof calls.accessTokens.create.body>,
): Promise<number> {
  const { organizationId, clock } = context;
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
      created_at: at,
      updated_at: at,
    };
    const id = await insertToken(db, row);
    if (id === undefined) throw new ApiError('invalid', { token: ['The structure has this token already.'] });
    await recordToken(db, context, 'create', { after: { ...row, id } });
    return id;
  });
  return made;
}
