import type { z } from 'zod';
import type { calls } from '../../../contract/calls.ts';
import { ApiError } from '../../../contract/errors.ts';
import { deleteTokens } from '../../store/access-tokens/access-tokens-repository.ts';
import { recordToken } from '../../store/access-tokens/record-token.ts';
import type { CallContext } from '../../store/call-context.ts';
import { findEndpoint } from '../../store/endpoints/endpoints-repository.ts';
import { recordChange } from '../../store/history/record-change.ts';

/** Ids that a refusal names, and that an entry of the change log does. */
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
 * Removes tokens, all or none.
 * @returns how many
 * @throws ApiError invalid, naming some that do not exist
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
      content: { rows },
    });
  });
  return ids.length;
}
