import type { z } from 'zod';
import type { calls } from '../../../contract/calls.ts';
import { MOST_WEBHOOKS } from '../../../contract/entities.ts';
import { ApiError } from '../../../contract/errors.ts';
import { nextTimestamp } from '../../base/clock.ts';
import { lockOrganization } from '../../base/db/for-update.ts';
import { sealToken } from '../../base/secrets/seal-token.ts';
import type { CallContext } from '../../store/call-context.ts';
import { recordChange } from '../../store/history/record-change.ts';
import { createSecret, sealPlaceOfWebhook } from '../../store/webhooks/signatures.ts';
import { insertWebhook, listWebhooks, type WebhookRow } from '../../store/webhooks/webhooks-repository.ts';
import { loggedWebhook } from './read-webhook.ts';

/** Refuses addresses that carry a name and a password: they would stand in lists and logs. @throws ApiError invalid */
export function refuseCredentials(url: string | undefined): void {
  const parsed = url === undefined ? null : URL.parse(url);
  if (parsed && (parsed.username !== '' || parsed.password !== ''))
    throw new ApiError('invalid', {
      url: ['Leave name and password out of the address; the signature tells who sends.'],
    });
}

/**
 * Adds a webhook.
 * @returns its row, and its secret, which is stored sealed
 * @throws ApiError invalid, or quota when there are as many as there may be
 */
export async function createWebhook(
  context: CallContext,
  { name, url, events }: z.output<typeof calls.webhooks.create.body>,
): Promise<{ row: WebhookRow; secret: string }> {
  const { organizationId, clock, settings } = context;
  refuseCredentials(url);
  const secret = createSecret();
  const sealed = await sealToken(settings, sealPlaceOfWebhook(organizationId), secret);
  const at = nextTimestamp(clock);
  return context.db.transaction().execute(async (db) => {
    await lockOrganization(db, organizationId);
    if ((await listWebhooks(db, organizationId)).length >= MOST_WEBHOOKS)
      throw new ApiError('quota', `There are ${MOST_WEBHOOKS} webhooks already. Remove one first.`);
    const row = await insertWebhook(db, {
      organization_id: organizationId,
      name,
      url,
      events: JSON.stringify([...new Set(events)]),
      sealed,
      is_paused: 0,
      failing_since: null,
      disabled_at: null,
      created_at: at,
      updated_at: at,
    });
    const about = { entity_id: row.id, name, after: loggedWebhook(row) };
    await recordChange(db, context, { action: 'create', entity: 'webhook', ...about });
    return { row, secret };
  });
}
