import { MEDIA_TYPES, type MediaType } from '../../../contract/entities.ts';
import { ApiError } from '../../../contract/errors.ts';
import type { Handlers } from '../../core/http/handler.ts';
import { storeFile } from '../media/service.ts';
import { drawTurntable, findFile, pageOfMedia, readContent, readMedia, readOriginal, removeFile } from './service.ts';
import { readWorks } from './works.ts';

/** Media types with a list of their own. */
const PICTURES: readonly MediaType[] = ['image'];
const MODELS: readonly MediaType[] = ['object'];
const OTHERS = MEDIA_TYPES.filter((type) => !PICTURES.includes(type) && !MODELS.includes(type));

export const media: Handlers<'media'> = {
  list: async (context, { query }) => pageOfMedia(context, query),
  images: async (context, { query }) => pageOfMedia(context, query, PICTURES),
  files: async (context, { query }) => pageOfMedia(context, query, OTHERS),
  objects: async (context, { query }) => pageOfMedia(context, query, MODELS),

  read: async (context, { params }) => readMedia(context, params.id),

  content: async (context, { params }) => readContent(context.media, await findFile(context, params.id)),

  original: async (context, { params }) => readOriginal(context.media, await findFile(context, params.id)),

  upload: async (context, { body, file }) => {
    if (!file) throw new ApiError('invalid', { file: ['Choose a file.'] });
    const { organizationId, user } = context;
    const owner = { organizationId, userId: user.userId, name: file.name, accept: body.accept };
    return readMedia(context, (await storeFile(context, owner, file)).id);
  },

  drawTurntable: async (context, { params, file }) => drawTurntable(context, params.id, file),

  readWorks: async (context, { file }) => readWorks(context, file),

  remove: async (context, { params, query }) => {
    await removeFile(context, params.id, query.force === '1');
    return null;
  },
};
