import { ApiError } from '../../../contract/errors.ts';
import type { Database } from '../../core/db/database.ts';
import { everywhere, limitsOf } from '../../core/db/limited.ts';
import type { SignedInContext } from '../../core/http/call-context.ts';
import { blocksStoring } from '../blocks/queries.ts';
import { isUsedElsewhere } from '../blocks/service.ts';
import type { MediaRow } from '../media/queries.ts';
import { findUses } from './usage.ts';

/**
 * Requires the right to delete media, or the user's own upload: API keys have no uploads.
 * @throws ApiError forbidden
 */
export function requireOwnOrDelete(
  { user: { policies, apiKey, userId } }: SignedInContext,
  { user_id }: Pick<MediaRow, 'user_id'>,
): void {
  const isOwner = apiKey === null && user_id === userId;
  if (!policies.media.delete && !isOwner) throw new ApiError('forbidden');
}

/** Whether a file is used where the caller has no access: in spaces, or in blocks of such spaces. */
export async function hasHiddenUses(db: Database, organizationId: number, mediaId: number): Promise<boolean> {
  if (!limitsOf(db)) return false;
  const usesIn = async (seen: Database) => (await findUses(seen, organizationId, mediaId)).length;
  if ((await usesIn(everywhere(db))) > (await usesIn(db))) return true;
  for (const blockId of await blocksStoring(db, organizationId, mediaId))
    if (await isUsedElsewhere(db, blockId)) return true;
  return false;
}

/** Users with limits change nothing that they don't see. @throws ApiError in_use */
export async function refuseHiddenUses(db: Database, organizationId: number, mediaId: number): Promise<void> {
  if (await hasHiddenUses(db, organizationId, mediaId))
    throw new ApiError('in_use', 'This file is in use in spaces that you have no access to.');
}
