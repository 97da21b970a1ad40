import type { Database } from '../../core/db/database.ts';
import type { Services } from '../../core/services.ts';
import { neededOf } from '../media/held-content.ts';
import { usesOf } from '../media-library/usage.ts';

/** A message that a visitor shared, and its picture. */
interface SharedPicture {
  id: number;
  media_id: number | null;
}

/** Removes pictures that came with messages only: those that an administrator has put to use stay. */
async function removePictures(
  db: Database,
  organizationId: number,
  ids: readonly number[],
): Promise<{ hash: string }[]> {
  const removed: { hash: string }[] = [];
  for (const id of ids) {
    if ((await usesOf(db, organizationId, id)).length > 0) continue;
    const rows = await db
      .deleteFrom('media')
      .where('id', '=', id)
      .where('organization_id', '=', organizationId)
      // What somebody of the house uploaded as well is theirs.
      .where('user_id', 'is', null)
      .returning('hash')
      .execute();
    removed.push(...rows);
  }
  return removed;
}

/**
 * Removes what visitors shared, with the pictures that nothing else uses.
 * @param note writes down what was removed, within the same transaction
 */
export async function eraseShares(
  { db: database, media }: Pick<Services, 'db' | 'media'>,
  organizationId: number,
  shares: readonly SharedPicture[],
  note?: (db: Database) => Promise<void>,
): Promise<void> {
  if (shares.length === 0) return;
  const files = await database.transaction().execute(async (db) => {
    const ids = shares.map(({ id }) => id);
    await db.deleteFrom('feed_items').where('id', 'in', ids).execute();
    // The log names who shared them.
    await db
      .deleteFrom('changes')
      .where('organization_id', '=', organizationId)
      .where('entity', '=', 'feed_item')
      .where('entity_id', 'in', ids)
      .execute();
    await note?.(db);
    return removePictures(db, organizationId, [...new Set(shares.flatMap(({ media_id }) => media_id ?? []))]);
  });
  for (const { hash } of files) await media.remove(hash, () => neededOf(database, hash));
}
