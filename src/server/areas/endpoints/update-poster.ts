import type { Poster } from '../../../contract/entities.ts';
import { ApiError } from '../../../contract/errors.ts';
import type { CallContext } from '../../store/call-context.ts';
import { findEndpoint } from '../../store/endpoints/endpoints-repository.ts';
import { recordChange } from '../../store/history/record-change.ts';
import { imagesOfFile } from '../../store/posters/chosen-image.ts';
import { deletePoster, findPoster, putPoster } from '../../store/posters/posters-repository.ts';

/** @throws ApiError not_found */
async function requireEndpoint({ db, organizationId }: CallContext, id: number) {
  const endpoint = await findEndpoint(db, organizationId, id);
  if (!endpoint) throw new ApiError('not_found');
  return endpoint;
}

/** What somebody chose for a structure. @throws ApiError not_found where there is no structure */
export async function readPoster(context: CallContext, id: number): Promise<Poster | null> {
  await requireEndpoint(context, id);
  return findPoster(context.db, 'endpoint_id', id);
}

/**
 * Lets an image of the media library stand for a structure.
 * @throws ApiError not_found, or invalid where the file is no image of the organization
 */
export async function choosePoster(context: CallContext, id: number, fileId: number): Promise<Poster> {
  await requireEndpoint(context, id);
  const { images, name: poster } = await imagesOfFile(context, fileId);
  return context.db.transaction().execute(async (db) => {
    const { name, room_id } = await requireEndpoint({ ...context, db }, id);
    const put = await putPoster(db, context, { subject: 'endpoint_id', id }, 'chosen', images);
    const about = { entity_id: id, room_id, name, facts: { poster } };
    await recordChange(db, context, { action: 'update', entity: 'endpoint', ...about });
    return put;
  });
}

/** Removes what was chosen for a structure; the image of its space stands for it. @throws ApiError not_found */
export async function removePoster(context: CallContext, id: number): Promise<void> {
  await context.db.transaction().execute(async (db) => {
    const { name, room_id } = await requireEndpoint({ ...context, db }, id);
    if (!(await findPoster(db, 'endpoint_id', id))) return;
    await deletePoster(db, 'endpoint_id', id);
    const about = { entity_id: id, room_id, name, facts: { poster: null } };
    await recordChange(db, context, { action: 'update', entity: 'endpoint', ...about });
  });
}
