import { ApiError } from '../../../contract/errors.ts';
import { ofOrganization } from '../../core/files/decoders/turns.ts';
import type { CallContext } from '../../core/http/call-context.ts';
import { findMedia } from '../media/queries.ts';
import { keepPosterImages } from './poster-files.ts';
import { type PosterSource, storedImages } from './posters-repository.ts';

/**
 * Makes the images of a poster of an image of the media library; they are copies, so that they stay where the file goes.
 * @returns where they are, and what the file is called
 * @throws ApiError bad_file, or invalid where the file is no image of the organization
 */
export async function imagesOfFile(
  context: CallContext,
  fileId: number,
): Promise<{ images: PosterSource; name: string }> {
  const { db, organizationId, media, workers } = context;
  const file = await findMedia(db, organizationId, fileId);
  if (file?.type !== 'image') throw new ApiError('invalid', { file_id: ['Choose an image of the media library.'] });
  const source = await media.fileOf(file.hash, file.entry);
  const images = await workers.run('drawPosterImages', { source }, ofOrganization(organizationId));
  return { images: storedImages(await keepPosterImages(context, organizationId, images)), name: file.name };
}
