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
 * Makes the images of a poster of an image of the media library; they are copies, so that they stay where the file goes.
 * @returns where they are, and what the file is called
 * @throws ApiError bad_file, or invalid where the file is no image of the organization
 */
async function imagesOfFile(context: CallContext, fileId: number): Promise<{ images: PosterSource; name: string }> {
  const { db, organizationId, media, workers } = context;
  const file = await findMedia(db, organizationId, fileId);
  if (file?.type !== 'image') throw new ApiError('invalid', { file_id: ['Choose an image of the media library.'] });
  const source = await media.fileOf(file.hash, file.entry);
  const images = await workers.run('drawPosterImages', { source }, ofOrganization(organizationId));
  return { images: storedImages(await keepPosterImages(context, organizationId, images)), name: file.name };
}

/** What the change log says of something that an image is chosen for. */
interface Named {
  name: string;
  room_id: number | null;
}

/** Kinds of things that an image can be chosen for. */
export interface PosterOwner {
  subject: PosterSubject;
  entity: ChangedEntity;
  find(db: Database, organizationId: number, id: number): Promise<object | undefined>;
  /** Finds it, too, and locks it until the transaction ends. */
  lock(db: Database, organizationId: number, id: number): Promise<Named | undefined>;
}

/** @throws ApiError not_found */
async function required<T>(found: Promise<T | undefined>): Promise<T> {
  const thing = await found;
  if (thing === undefined) throw new ApiError('not_found');
  return thing;
}

/** What stands for something; null where nothing does. @throws ApiError not_found where it is not there */
export async function readPosterOf(
  { db, organizationId }: CallContext,
  { subject, find }: PosterOwner,
  id: number,
): Promise<Poster | null> {
  await required(find(db, organizationId, id));
  return findPoster(db, subject, id);
}

/**
 * Lets an image of the media library stand for something; it is copied, so that it stays where the file goes.
 * @throws ApiError not_found, bad_file, or invalid where the file is no image of the organization
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

/** Removes what stands for something. @throws ApiError not_found */
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
