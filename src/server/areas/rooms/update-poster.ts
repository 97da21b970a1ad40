import type { Poster } from '../../../contract/entities.ts';
import { ApiError } from '../../../contract/errors.ts';
import { headOf } from '../../storage/inspect/wanted-head.ts';
import type { Upload } from '../../storage/upload.ts';
import type { CallContext } from '../../store/call-context.ts';
import { keepPosterImages } from '../../store/posters/poster-files.ts';
import { putPoster, storedImages } from '../../store/posters/posters-repository.ts';
import { findRoom, lockRoom } from '../../store/rooms/rooms-repository.ts';

/** Most bytes of an image that the editor draws: many times what one of its size has. */
const MOST_DRAWN = 8 * 1024 * 1024;

/**
 * Keeps what the editor drew of a space, unless somebody chose another image for it.
 * @throws ApiError not_found, too_large, wrong_type or bad_file
 */
export async function drawPoster(context: CallContext, id: number, file: Upload | undefined): Promise<Poster> {
  const { db: database, organizationId, media, workers } = context;
  if (!(await findRoom(database, organizationId, id))) throw new ApiError('not_found');
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
