import type { VideoProvider as ProviderName } from '../../contract/calls/videos.ts';
import { ApiError } from '../../contract/errors.ts';
import type { CallContext, Handlers } from '../api/handler.ts';
import type { VideoProvider } from './provider.ts';
import { localVideos } from './providers/local.ts';
import { vimeoVideos } from './providers/vimeo.ts';
import { youtubeVideos } from './providers/youtube.ts';

/** @throws ApiError not_set_up */
function providerOf(context: CallContext, name: ProviderName): VideoProvider {
  const { youtube, vimeo } = context.outgoing;
  if (name === 'local') return localVideos(context);
  if (name === 'youtube' && youtube) return youtubeVideos(youtube, context.media);
  if (name === 'vimeo' && vimeo) return vimeoVideos(vimeo, context.media);
  throw new ApiError('not_set_up');
}

export const videos: Handlers<'videos'> = {
  search: async (context, { params, body }) => providerOf(context, params.provider).search(body),

  upload: async (context, { params, file }) => {
    const provider = providerOf(context, params.provider);
    if (!file) throw new ApiError('invalid', { file: ['Choose a film.'] });
    return provider.upload(file);
  },

  read: async (context, { params }) => providerOf(context, params.provider).read(params.id),
};
