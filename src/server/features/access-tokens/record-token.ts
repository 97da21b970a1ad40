import type { ChangeAction } from '../../../contract/entities.ts';
import { type Author, recordChange } from '../../core/changes/record-change.ts';
import type { Database } from '../../core/db/database.ts';
import { findEndpoint } from '../endpoints/queries.ts';
import type { StoredToken } from './access-tokens-repository.ts';

/** Writes an entry of the change log about one token: it goes by its structure, since the code opens it. */
export async function recordToken(
  db: Database,
  author: Author,
  action: ChangeAction,
  { before, after }: { before?: StoredToken; after?: StoredToken },
): Promise<void> {
  const { id, endpoint_id } = (after ?? before)!;
  const endpoint = await findEndpoint(db, author.organizationId, endpoint_id);
  const name = endpoint?.name ?? '';
  await recordChange(db, author, {
    action,
    entity: 'access_token',
    entity_id: id,
    name,
    before,
    after,
    isRestorable: action === 'delete',
  });
}
