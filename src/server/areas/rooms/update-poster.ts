import type { Poster } from '../../../contract/entities.ts';
import { ApiError } from '../../../contract/errors.ts';
import { headOf } from '../../storage/inspect/wanted-head.ts';
import type { Upload } from '../../storage/upload.ts';
import type { CallContext } from '../../store/call-context.ts';
import { recordChange } from '../../store/history/record-change.ts';
import { imagesOfFile } from '../../store/posters/chosen-image.ts';
import { keepPosterImages } from '../../store/posters/poster-files.ts';
import { deletePoster, findPoster, putPoster, storedImages } from '../../store/posters/posters-repository.ts';
import { findRoom, lockRoom } from '../../store/rooms/rooms-repository.ts';

/** Most bytes of an image that the editor draws: many times what one of its size has. */
const MOST_DRAWN = 8 * 1024 * 1024;

/** @throws ApiError not_found */
async function requireRoom({ db, organizationId }: CallContext, id: number) {
  const room = await findRoom(db, organizationId, id);
  if (!room) throw new ApiError('not_found');
  return room;
}

/** What stands for a space. @throws ApiError not_found where there is no space */
export async function readPoster(context: CallContext, id: number): Promise<Poster | null> {
  await requireRoom(context, id);
  return findPoster(context.db, 'room_id', id);
}

/**
 * Keeps what the editor drew of a space, unless somebody chose another image for it.
 * @throws ApiError not_found, too_large, wrong_type or bad_file
 */
export async function drawPoster(context: CallContext, id: number, file: Upload | undefined): Promise<Poster> {
  const { db: database, organizationId, media, workers } = context;
  await requireRoom(context, id);
  if (!file) throw new ApiError('invalid', { file: ['Send an image.'] });
  const arrival = await media.receive(file, { most: MOST_DRAWN, check: headOf(workers, 'image') });
  try {
    const images = await workers.run('drawPosterImages', { source: arrival.file });
    const keptId = await keepPosterImages(context, organizationId, images);
    return await database.transaction().execute(async (db) => {
      if (!(await lockRoom(db, organizationId, id))) throw new ApiError('not_found');
      return putPoster(db, context, { subject: 'room_id', id }, 'drawn', storedImages(keptId));
    });
  } finally {
    await media.discard(arrival);
  }
}

/**
 * Lets an image of the media library stand for a space; it is copied, so that it stays where the file goes.
 * @throws ApiError not_found, or invalid where the file is no image of the organization
 */
export async function choosePoster(context: CallContext, id: number, fileId: number): Promise<Poster> {
  const { db: database, organizationId } = context;
  await requireRoom(context, id);
  const { images, name } = await imagesOfFile(context, fileId);
  return database.transaction().execute(async (db) => {
    const room = await lockRoom(db, organizationId, id);
    if (!room) throw new ApiError('not_found');
    const poster = await putPoster(db, context, { subject: 'room_id', id }, 'chosen', images);
    const about = { entity_id: id, room_id: id, name: room.title, facts: { poster: name } };
    await recordChange(db, context, { action: 'update', entity: 'room', ...about });
    return poster;
  });
}

/** Removes what stands for a space; it is drawn again. @throws ApiError not_found */
export async function removePoster(context: CallContext, id: number): Promise<void> {
  await context.db.transaction().execute(async (db) => {
    const room = await lockRoom(db, context.organizationId, id);
    if (!room) throw new ApiError('not_found');
    const before = await findPoster(db, 'room_id', id);
    if (!before) return;
    await deletePoster(db, 'room_id', id);
    const about = { entity_id: id, room_id: id, name: room.title, facts: { poster: null } };
    await recordChange(db, context, { action: 'update', entity: 'room', ...about });
  });
}
