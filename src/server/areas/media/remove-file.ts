import { ApiError } from '../../../contract/errors.ts';
import type { SignedInContext } from '../../store/call-context.ts';
import { isHeldByAny } from '../../store/media/held-content.ts';
import { deleteMedia } from '../../store/media/media-repository.ts';
import type { MediaRow } from '../../store/media/media-row.ts';
import { detachMedia, usesOf } from '../../store/media-usage/usage.ts';
import { findFile } from './find-file.ts';

/**
 * Removes a file from the library, and from everything that uses it.
 * @param force whether it goes although it is in use
 * @throws ApiError not_found, forbidden, or in_use naming where
 */
export async function removeFile(context: SignedInContext, id: number, force: boolean): Promise<void> {
  const { db, organizationId, media: store, user } = context;
  const { policies, apiKey, userId } = user;
  const isOwner = ({ user_id }: MediaRow) => apiKey === null && user_id === userId;
  if (!policies.media.delete && !policies.media.create) throw new ApiError('forbidden');
  const row = await findFile(context, id);
  if (!policies.media.delete && !isOwner(row)) throw new ApiError('forbidden');
  const uses = await usesOf(db, organizationId, row.id);
  if (uses.length > 0 && !force) throw new ApiError('in_use', { error: ['This file is still in use.', ...uses] });
  await db.transaction().execute(async (transaction) => {
    await detachMedia(transaction, context, row);
    await deleteMedia(transaction, row.id);
  });
  await store.remove(row.hash, () => isHeldByAny(db, row.hash));
}
