import { ApiError } from '../../../contract/errors.ts';
import type { CallContext } from '../../store/call-context.ts';
import { recordChange } from '../../store/history/record-change.ts';
import { deleteWebhook, lockWebhook } from '../../store/webhooks/webhooks-repository.ts';
import { loggedWebhook } from './read-webhook.ts';

/** Removes a webhook with what it was told. @throws ApiError not_found */
export async function removeWebhook(context: CallContext, id: number): Promise<void> {
  await context.db.transaction().execute(async (db) => {
    const row = await lockWebhook(db, context.organizationId, id);
    if (!row) throw new ApiError('not_found');
    await deleteWebhook(db, id);
    const about = { entity_id: id, name: row.name, before: loggedWebhook(row) };
    await recordChange(db, context, { action: 'delete', entity: 'webhook', ...about });
  });
}
