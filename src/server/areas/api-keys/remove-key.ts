import { ApiError } from '../../../contract/errors.ts';
import { deleteKey } from '../../store/api-keys/api-keys-repository.ts';
import { recordEvent } from '../../store/audit/record-event.ts';
import type { CallContext } from '../../store/call-context.ts';
import { recordChange } from '../../store/history/record-change.ts';

/** Removes an API key: it works no longer. @throws ApiError not_found */
export async function removeKey(context: CallContext, id: number): Promise<void> {
  await context.db.transaction().execute(async (db) => {
    const row = await deleteKey(db, context.organizationId, id);
    if (!row) throw new ApiError('not_found');
    const about = { entity_id: row.id, name: row.name, before: row };
    await recordChange(db, context, { action: 'delete', entity: 'api_key', ...about });
    await recordEvent(db, context, { event: 'key_revoked', subject: row.name });
  });
}
