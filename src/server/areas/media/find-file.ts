import { ApiError } from '../../../contract/errors.ts';
import type { CallContext } from '../../store/call-context.ts';
import { findMedia } from '../../store/media/media-repository.ts';
import type { MediaRow } from '../../store/media/media-row.ts';

/** A file of the library. @throws ApiError not_found */
export async function findFile({ db, organizationId }: CallContext, id: number): Promise<MediaRow> {
  const row = await findMedia(db, organizationId, id);
  if (!row) throw new ApiError('not_found');
  return row;
}
