import { MEDIA_TYPES, type MediaType } from '../../../contract/entities.ts';
import { ApiError } from '../../../contract/errors.ts';
import type { CallContext } from '../../store/call-context.ts';
import { asMedia, isNoted, type MediaRow } from '../../store/media/media-row.ts';
import { storeFile } from '../../store/media/store-file.ts';
import { detachMedia, usesOf } from '../../store/media-usage/usage.ts';
import type { Handlers } from '../handler.ts';
import { contentOf } from './content.ts';
import { listMedia } from './list-media.ts';

/** Kinds that have a list of their own, and the others. */
const PICTURES: readonly MediaType[] = ['image'];
const MODELS: readonly MediaType[] = ['object'];
const OTHERS = MEDIA_TYPES.filter((type) => !PICTURES.includes(type) && !MODELS.includes(type));

async function rowOf({ db, organizationId }: CallContext, id: number): Promise<MediaRow> {
  const row = await db
    .selectFrom('media')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .executeTakeFirst();
  if (!row) throw new ApiError('not_found');
  return row;
}

export const media: Handlers<'media'> = {
  list: async (context, { query }) => listMedia(context, query),
  images: async (context, { query }) => listMedia(context, query, PICTURES),
  files: async (context, { query }) => listMedia(context, query, OTHERS),
  objects: async (context, { query }) => listMedia(context, query, MODELS),

  read: async (context, { params }) => asMedia(await rowOf(context, params.id)),

  content: async (context, { params }) => contentOf(context.media, await rowOf(context, params.id)),

  upload: async (context, { body, file }) => {
    if (!file) throw new ApiError('invalid', { file: ['Choose a file.'] });
    const { organizationId, user } = context;
    const owner = { organizationId, userId: user!.userId, name: file.name, accept: body.accept };
    return asMedia(await storeFile(context, owner, file));
  },

  remove: async (context, { params, query }) => {
    const { db, organizationId, media: store, user } = context;
    const { policies, apiKey, userId } = user!;
    const isOwner = ({ user_id }: MediaRow) => apiKey === null && user_id === userId;
    if (!policies.media.delete && !policies.media.create) throw new ApiError('forbidden');
    const row = await rowOf(context, params.id);
    if (!policies.media.delete && !isOwner(row)) throw new ApiError('forbidden');
    const uses = await usesOf(db, organizationId, row.id);
    if (uses.length > 0 && query.force !== '1')
      throw new ApiError('in_use', { error: ['This file is still in use.', ...uses] });
    await db.transaction().execute(async (transaction) => {
      await detachMedia(transaction, context, row);
      await transaction.deleteFrom('media').where('id', '=', row.id).execute();
    });
    await store.remove(row.hash, () => isNoted(db, row.hash));
    return null;
  },
};
