import type { Media } from '../../../contract/entities.ts';
import { ApiError } from '../../../contract/errors.ts';
import { headOf } from '../../storage/inspect/wanted-head.ts';
import type { Upload } from '../../storage/upload.ts';
import type { CallContext } from '../../store/call-context.ts';
import { keepPosterImages } from '../../store/posters/poster-files.ts';
import { putPoster, storedImages } from '../../store/posters/posters-repository.ts';
import { findFile } from './find-file.ts';
import { readMedia } from './read-media.ts';

/** Most bytes of what a browser draws: many times what one of its size has. */
const MOST_DRAWN = 4 * 1024 * 1024;

/**
 * Keeps what a browser drew of a model. A file stays as it is, so that the first drawing counts.
 * @throws ApiError not_found, too_large, wrong_type or bad_file
 */
export async function drawTurntable(context: CallContext, id: number, file: Upload | undefined): Promise<Media> {
  const { db, organizationId, media, workers } = context;
  const before = await readMedia(context, id);
  if (!file) throw new ApiError('invalid', { file: ['Send an image.'] });
  if (before.turntable_url !== null) return before;
  const arrival = await media.receive(file, { most: MOST_DRAWN, check: headOf(workers, 'image') });
  try {
    const images = await workers.run('drawTurntableImages', { source: arrival.file });
    const kept = storedImages(await keepPosterImages(context, organizationId, images));
    await db.transaction().execute(async (locked) => {
      await findFile({ ...context, db: locked }, id);
      await putPoster(locked, context, { subject: 'media_id', id }, 'drawn', kept);
    });
    return readMedia(context, id);
  } finally {
    await media.discard(arrival);
  }
}
