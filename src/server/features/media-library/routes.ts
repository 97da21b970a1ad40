import { MEDIA_TYPES, type MediaType } from '../../../contract/entities.ts';
import { ApiError } from '../../../contract/errors.ts';
import type { Handlers } from '../../core/http/handler.ts';
import { checkFolder } from '../folders/service.ts';
import { MEDIA_FOLDERS } from '../folders/table.ts';
import { sumOptimizations } from '../media/optimizations.ts';
import { storeFile } from '../media/service.ts';
import { readArchive, readContent, readOriginal } from './archive.ts';
import { listKeywords } from './list-media.ts';
import { mergeFiles } from './merge.ts';
import { listVersions, replaceFile, restoreVersion } from './replace.ts';
import {
  drawTurntable,
  findFile,
  optimizeFiles,
  pageOfMedia,
  readMedia,
  readUses,
  removeFile,
  translateFile,
  updateFile,
  updateFiles,
} from './service.ts';
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

  upload: async (context, { body, query, file }) => {
    if (!file) throw new ApiError('invalid', { file: ['Choose a file.'] });
    const { organizationId, user } = context;
    const folderId = query.folder_id ?? null;
    await checkFolder(context.db, organizationId, folderId, MEDIA_FOLDERS);
    const owner = { organizationId, userId: user.userId, name: file.name, accept: body.accept, folderId };
    return readMedia(context, (await storeFile(context, owner, file)).id);
  },

  drawTurntable: async (context, { params, body, file }) => drawTurntable(context, params.id, body.url, file),

  readWorks: async (context, { file }) => readWorks(context, file),

  keywords: async ({ db, organizationId }) => listKeywords(db, organizationId),

  uses: async (context, { params }) => readUses(context, params.id),

  replace: async (context, { params, file }) => replaceFile(context, params.id, file),

  versions: async (context, { params }) => listVersions(context, params.id),

  restore: async (context, { params, body }) => restoreVersion(context, params.id, body.version_id),

  translate: (context, { params, body }) => translateFile(context, params.id, body),

  updateMany: async (context, { body }) => updateFiles(context, body.files),

  merge: async (context, { params, body }) => mergeFiles(context, params.id, body.ids),

  archive: async (context, { query }) => readArchive(context, query.ids.split(',').map(Number)),

  update: async (context, { params, body }) => updateFile(context, params.id, body),

  remove: async (context, { params, query }) => {
    await removeFile(context, params.id, query.force === '1');
    return null;
  },

  optimize: async (context, { body }) => optimizeFiles(context, body.ids),

  optimizing: async ({ db, organizationId }) => sumOptimizations(db, organizationId),
};
