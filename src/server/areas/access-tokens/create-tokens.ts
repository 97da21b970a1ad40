import type { z } from 'zod';
import type { calls } from '../../../contract/calls.ts';
import { nextTimestamp } from '../../base/clock.ts';
import { findCode } from '../../store/access-tokens/access-tokens-repository.ts';
import { createCodes } from '../../store/access-tokens/create-codes.ts';
import type { CallContext } from '../../store/call-context.ts';
import { recordChange } from '../../store/history/record-change.ts';
import { withinQuotas } from '../../store/quotas/quotas.ts';
import { checkEndpoint, checkTimes } from './check-token.ts';

/** Adds as many tokens as are asked for, with codes that are drawn. */
export async function createAccessTokens(
  context: CallContext,
  body: z.output<typeof calls.accessTokens.createMany.body>,
): Promise<void> {
  const { organizationId, clock } = context;
  const { endpoint_id, count, prefix, length, valid_from = null, valid_till = null } = body;
  const given = body.valid_duration === undefined ? body.duration : body.valid_duration;
  checkTimes({ valid_from, valid_till });
  await withinQuotas(context, ['tokens'], async (db) => {
    const endpoint = await checkEndpoint(db, organizationId, endpoint_id);
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
}
