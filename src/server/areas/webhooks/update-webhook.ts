import type { Updateable } from 'kysely';
import type { z } from 'zod';
import type { calls } from '../../../contract/calls.ts';
import { ApiError } from '../../../contract/errors.ts';
import { refuseStale } from '../../base/answers/stale.ts';
import { nextTimestamp } from '../../base/clock.ts';
import type { WebhookTable } from '../../base/db/webhook-tables.ts';
import { sealToken } from '../../base/secrets/seal-token.ts';
import type { CallContext } from '../../store/call-context.ts';
import { recordChange } from '../../store/history/record-change.ts';
import { createSecret, sealPlaceOfWebhook } from '../../store/webhooks/signatures.ts';
import {
  lockWebhook,
  updateWebhook as storeWebhook,
  type WebhookRow,
} from '../../store/webhooks/webhooks-repository.ts';
import { refuseCredentials } from './create-webhook.ts';
import { loggedWebhook } from './read-webhook.ts';

/** Changes columns of a webhook, and notes it. @throws ApiError not_found or stale */
async function change(
  context: CallContext,
  id: number,
  { seen, values, facts }: { seen: string | undefined; values: Updateable<WebhookTable>; facts?: object },
): Promise<WebhookRow> {
  const { organizationId, clock } = context;
  return context.db.transaction().execute(async (db) => {
    const row = await lockWebhook(db, organizationId, id);
    if (!row) throw new ApiError('not_found');
    refuseStale(row.updated_at, seen);
    const columns = { ...values, updated_at: nextTimestamp(clock, row.updated_at) };
    await storeWebhook(db, id, columns);
    const after = { ...row, ...columns } as WebhookRow;
    const about = { entity_id: id, name: after.name, before: loggedWebhook(row), after: loggedWebhook(after) };
    await recordChange(db, context, { action: 'update', entity: 'webhook', ...about, ...(facts && { facts }) });
    return after;
  });
}

/** Changes the fields that are given. Whoever mends it wants it told again. @throws ApiError not_found, stale or invalid */
export async function updateWebhook(
  context: CallContext,
  id: number,
  body: z.output<typeof calls.webhooks.update.body>,
): Promise<WebhookRow> {
  const { updated_at: seen, events, is_paused, ...fields } = body;
  refuseCredentials(fields.url);
  const values = {
    ...fields,
    ...(events && { events: JSON.stringify([...new Set(events)]) }),
    ...(is_paused !== undefined && { is_paused: Number(is_paused) }),
    failing_since: null,
    disabled_at: null,
  };
  return change(context, id, { seen, values });
}

/** Gives a webhook a new secret. @throws ApiError not_found */
export async function updateSecret(context: CallContext, id: number): Promise<{ row: WebhookRow; secret: string }> {
  const secret = createSecret();
  const sealed = await sealToken(context.settings, sealPlaceOfWebhook(context.organizationId), secret);
  const row = await change(context, id, { seen: undefined, values: { sealed }, facts: { new_secret: true } });
  return { row, secret };
}
