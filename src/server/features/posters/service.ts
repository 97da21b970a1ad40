import type { ChangedEntity, Poster } from '../../../contract/entities.ts';
import { ApiError } from '../../../contract/errors.ts';
import { recordChange } from '../../core/changes/record-change.ts';
import type { Database } from '../../core/db/database.ts';
import { ofOrganization } from '../../core/files/decoders/turns.ts';
import type { CallContext } from '../../core/http/call-context.ts';
import { findMedia } from '../media/queries.ts';
import { keepPosterImages } from './poster-files.ts';
import { deletePoster, findPoster, type PosterSource, type PosterSubject, putPoster, storedImages } from './queries.ts';

/**
 * Copies a media library image as poster images, so that they outlive the file.
 * @returns their location, and the name of the file
 * @throws ApiError bad_file, or invalid if the file is no image of the organization
 */
async function imagesOfFile(context: CallContext, fileId: number): Promise<{ images: PosterSource; name: string }> {
  const { db, organizationId, media, workers } = context;
  const file = await findMedia(db, organizationId, fileId);
  if (file?.type !== 'image') throw new ApiError('invalid', { file_id: ['Choose an image from the media library.'] });
  const source = await media.fileOf(file.hash, file.entry);
  const images = await workers.run('drawPosterImages', { source }, ofOrganization(organizationId));
  return { images: storedImages(await keepPosterImages(context, organizationId, images)), name: file.name };
}

/** The name in the change log of an entity whose image is chosen. */
interface Named {
  name: string;
  room_id: number | null;
}

/** Kinds of entities that can have a chosen image. */
export interface PosterOwner {
  subject: PosterSubject;
  entity: ChangedEntity;
  find(db: Database, organizationId: number, id: number): Promise<object | undefined>;
  /** Like `find`, but locks the row until the transaction ends. */
  lock(db: Database, organizationId: number, id: number): Promise<Named | undefined>;
}

/** @throws ApiError not_found */
async function required<T>(found: Promise<T | undefined>): Promise<T> {
  const thing = await found;
  if (thing === undefined) throw new ApiError('not_found');
  return thing;
}

/** The poster of an entity; null if it has none. @throws ApiError not_found if the entity doesn't exist */
export async function readPosterOf(
  { db, organizationId }: CallContext,
  { subject, find }: PosterOwner,
  id: number,
): Promise<Poster | null> {
  await required(find(db, organizationId, id));
  return findPoster(db, subject, id);
}

/**
 * Sets a media library image as the poster; it is copied, so that the poster outlives the file.
 * @throws ApiError not_found, bad_file, or invalid if the file is no image of the organization
 */
export async function choosePosterOf(
  context: CallContext,
  { subject, entity, find, lock }: PosterOwner,
  id: number,
  fileId: number,
): Promise<Poster> {
  const { organizationId } = context;
  await required(find(context.db, organizationId, id));
  const { images, name: poster } = await imagesOfFile(context, fileId);
  return context.db.transaction().execute(async (db) => {
    const { name, room_id } = await required(lock(db, organizationId, id));
    const put = await putPoster(db, context, { subject, id }, 'chosen', images);
    await recordChange(db, context, { action: 'update', entity, entity_id: id, room_id, name, facts: { poster } });
    return put;
  });
}

/** Removes the poster of an entity. @throws ApiError not_found */
export async function removePosterOf(
  context: CallContext,
  { subject, entity, lock }: PosterOwner,
  id: number,
): Promise<void> {
  await context.db.transaction().execute(async (db) => {
    const { name, room_id } = await required(lock(db, context.organizationId, id));
    if (!(await findPoster(db, subject, id))) return;
    await deletePoster(db, subject, id);
    const facts = { poster: null };
    await recordChange(db, context, { action: 'update', entity, entity_id: id, room_id, name, facts });
  });
}
