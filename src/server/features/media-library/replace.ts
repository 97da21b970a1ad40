import type { Selectable } from 'kysely';
import { MAX_MEDIA_VERSIONS, type Media, type MediaType, type MediaVersion } from '../../../contract/entities.ts';
import { ApiError } from '../../../contract/errors.ts';
import { recordChange } from '../../core/changes/record-change.ts';
import { nextTimestamp } from '../../core/clock.ts';
import type { Database } from '../../core/db/database.ts';
import { lockOrganization } from '../../core/db/for-update.ts';
import { mediaUrl } from '../../core/files/media-url.ts';
import type { Upload } from '../../core/files/upload.ts';
import type { SignedInContext } from '../../core/http/call-context.ts';
import { orNotFound } from '../../core/http/found.ts';
import { planUpload } from '../media/optimizations.ts';
import { contentOf, lockMedia, type MediaRow, updateMedia } from '../media/queries.ts';
import { removeContents, withStoredFile } from '../media/service.ts';
import type { ContentColumns } from '../media/table.ts';
import { deletePoster } from '../posters/queries.ts';
import { touchRooms } from '../rooms/queries.ts';
import { refuseHiddenUses, requireOwnOrDelete } from './may-change-content.ts';
import { findFile, readMedia, uploadersOf } from './service.ts';

/**
 * Locks a file whose content the caller may replace: like removal, it may delete a version for good. Changes of contents
 * of an organization run one at a time.
 * @throws ApiError not_found, forbidden or in_use
 */
async function lockReplaceable(db: Database, context: SignedInContext, id: number): Promise<MediaRow> {
  const { organizationId } = context;
  await lockOrganization(db, organizationId);
  const row = orNotFound(await lockMedia(db, organizationId, id));
  requireOwnOrDelete(context, row);
  await refuseHiddenUses(db, organizationId, id);
  return row;
}

/** Deletes the oldest earlier versions of a locked file above the limit. @returns hashes of their contents */
export async function deleteOldVersions(db: Database, mediaId: number): Promise<string[]> {
  const own = db.selectFrom('media_versions').where('media_id', '=', mediaId);
  const rows = await own.select(['id', 'hash']).orderBy('id', 'desc').execute();
  const old = rows.slice(MAX_MEDIA_VERSIONS);
  for (const { id } of old) await db.deleteFrom('media_versions').where('id', '=', id).execute();
  return old.map(({ hash }) => hash);
}

/** Stores the content of a locked file as an earlier version. @returns hashes of versions that were deleted for it */
async function keepVersion(db: Database, { clock }: SignedInContext, row: MediaRow): Promise<string[]> {
  const own = db.selectFrom('media_versions').where('media_id', '=', row.id);
  const last = await own.select('created_at').orderBy('id', 'desc').limit(1).executeTakeFirst();
  const at = nextTimestamp(clock, last?.created_at);
  const owner = { organization_id: row.organization_id, media_id: row.id, created_at: at, updated_at: at };
  await db
    .insertInto('media_versions')
    .values({ ...contentOf(row), ...owner })
    .execute();
  return deleteOldVersions(db, row.id);
}

/** Gives a locked file another content. Rooms, templates and pages that show it are read again. */
async function putContent(
  db: Database,
  context: SignedInContext,
  row: MediaRow,
  content: Selectable<ContentColumns>,
): Promise<void> {
  await updateMedia(db, row.id, { ...content, updated_at: nextTimestamp(context.clock, row.updated_at) });
  if (context.settings.OPTIMIZE_MEDIA) await planUpload(db, context.clock, { ...row, ...content });
  // Drawn again from the new model.
  await deletePoster(db, 'media_id', row.id);
  await touchRooms(db, context.organizationId);
  const about = { entity_id: row.id, name: row.name, facts: { content_bytes: content.bytes } };
  await recordChange(db, context, { action: 'update', entity: 'media', ...about });
}

/**
 * Replaces the content of a file with another one of the same type. The replaced content becomes an earlier version.
 * @throws ApiError not_found, forbidden, in_use, bad_file, wrong_type or quota; nothing is changed then
 */
export async function replaceFile(context: SignedInContext, id: number, file: Upload | undefined): Promise<Media> {
  if (!file) throw new ApiError('invalid', { file: ['Choose a file.'] });
  const { organizationId, user } = context;
  if (!user.policies.media.create) throw new ApiError('forbidden');
  const before = await findFile(context, id);
  requireOwnOrDelete(context, before);
  const accept = before.type as MediaType;
  const owner = { organizationId, userId: user.userId, name: file.name, accept };
  const unused = await withStoredFile(context, owner, file, async (db, { content }) => {
    const row = await lockReplaceable(db, context, id);
    const isSame =
      row.hash === content.hash && row.entry === content.entry && row.original_hash === content.original_hash;
    if (isSame) return [];
    const deleted = await keepVersion(db, context, row);
    await putContent(db, context, row, content);
    return deleted;
  });
  await removeContents(context, unused);
  return readMedia(context, id);
}

/** Restores an earlier version. The current content takes its place. @throws ApiError not_found, forbidden or in_use */
export async function restoreVersion(context: SignedInContext, id: number, versionId: number): Promise<Media> {
  if (!context.user.policies.media.create) throw new ApiError('forbidden');
  await context.db.transaction().execute(async (db) => {
    const row = await lockReplaceable(db, context, id);
    const versions = db.selectFrom('media_versions').where('media_id', '=', id).where('id', '=', versionId);
    const version = orNotFound(await versions.selectAll().executeTakeFirst());
    await db.deleteFrom('media_versions').where('id', '=', versionId).execute();
    await keepVersion(db, context, row);
    await putContent(db, context, row, contentOf(version));
  });
  return readMedia(context, id);
}

/** The earlier versions of a file, latest first. @throws ApiError not_found */
export async function listVersions(context: SignedInContext, id: number): Promise<MediaVersion[]> {
  await findFile(context, id);
  const rows = await context.db
    .selectFrom('media_versions')
    .selectAll()
    .where('organization_id', '=', context.organizationId)
    .where('media_id', '=', id)
    .orderBy('id', 'desc')
    .execute();
  const uploaders = await uploadersOf(context, rows);
  return rows.map((row) => ({
    id: row.id,
    url: mediaUrl(row),
    mime: row.mime,
    bytes: row.bytes,
    width: row.width,
    height: row.height,
    uploaded_by: uploaders.get(row.user_id ?? 0) ?? null,
    created_at: row.created_at,
  }));
}
