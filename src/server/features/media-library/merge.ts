import { ApiError } from '../../../contract/errors.ts';
import { recordChange } from '../../core/changes/record-change.ts';
import { lockOrganization } from '../../core/db/for-update.ts';
import type { SignedInContext } from '../../core/http/call-context.ts';
import { orNotFound } from '../../core/http/found.ts';
import { deleteMedia, lockMedia, type MediaRow } from '../media/queries.ts';
import { removeContents } from '../media/service.ts';
import { hasHiddenUses } from './may-change-content.ts';
import { deleteOldVersions } from './replace.ts';
import { findUses, moveUses } from './usage.ts';

const contentKeyOf = ({ original_hash, hash }: MediaRow) => original_hash ?? hash;

/**
 * Merges files with the same content into one: their uses and earlier versions move to it, and they are removed, all in one
 * transaction.
 * @throws ApiError not_found, or invalid if the contents differ
 */
export async function mergeFiles(
  context: SignedInContext,
  id: number,
  ids: readonly number[],
): Promise<{ removed: number[]; problems: string[] }> {
  const { organizationId } = context;
  // In the order of ids, as everywhere, so that changes of the same files don't deadlock.
  const locked = [...new Set([id, ...ids])].toSorted((a, b) => a - b);
  const removed: number[] = [];
  const problems: string[] = [];
  const hashes = await context.db.transaction().execute(async (db) => {
    await lockOrganization(db, organizationId);
    const rows: MediaRow[] = [];
    for (const each of locked) rows.push(orNotFound(await lockMedia(db, organizationId, each)));
    const kept = rows.find((row) => row.id === id)!;
    const others = rows.filter((row) => row !== kept);
    for (const row of others)
      if (row.type !== kept.type || contentKeyOf(row) !== contentKeyOf(kept))
        throw new ApiError('invalid', { ids: [`“${row.name}” has different content from “${kept.name}”.`] });
    const unused: string[] = [];
    for (const row of others) {
      const other = row.id;
      if (await hasHiddenUses(db, organizationId, other)) {
        problems.push(`“${row.name}” (no. ${other}) stays: spaces that you have no access to use it.`);
        continue;
      }
      const uses = await findUses(db, organizationId, other);
      await moveUses(db, context, row, id);
      const published = uses.filter(({ kind }) => kind === 'published').map(({ name }) => `“${name}”`);
      if (published.length > 0) {
        problems.push(
          `“${row.name}” (no. ${other}) stays: the published version of ${published.join(', ')} uses it. Publish again, and then merge.`,
        );
        continue;
      }
      const about = { entity_id: other, name: row.name, facts: { merged_into: kept.name } };
      await recordChange(db, context, { action: 'delete', entity: 'media', ...about });
      await db.updateTable('media_versions').set({ media_id: id }).where('media_id', '=', other).execute();
      unused.push(...(await deleteMedia(db, other)));
      removed.push(other);
    }
    return [...unused, ...(await deleteOldVersions(db, id))];
  });
  await removeContents(context, hashes);
  return { removed, problems };
}
