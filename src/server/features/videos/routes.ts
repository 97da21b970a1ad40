import type { VideoProvider as ProviderName } from '../../../contract/calls/videos.ts';
import { ApiError } from '../../../contract/errors.ts';
import type { SignedInContext } from '../../core/http/call-context.ts';
import type { Handlers } from '../../core/http/handler.ts';
import type { VideoProvider } from '../../providers/videos/provider.ts';
import { vimeoVideos } from '../../providers/videos/vimeo.ts';
import { youtubeVideos } from '../../providers/videos/youtube.ts';
import { readLocalVideos } from './service.ts';

/** @throws ApiError not_set_up */
async function providerOf(context: SignedInContext, name: ProviderName): Promise<VideoProvider> {
  if (name === 'local') return readLocalVideos(context);
  const { youtube, vimeo } = await context.outgoing.of(context.organizationId);
  if (name === 'youtube' && youtube) return youtubeVideos(youtube, context);
  if (name === 'vimeo' && vimeo) return vimeoVideos(vimeo, context);
  throw new ApiError('not_set_up');
}

export const videos: Handlers<'videos'> = {
  search: async (context, { params, body }) => {
    const provider = await providerOf(context, params.provider);
    return provider.search(body);
  },

  upload: async (context, { params, file }) => {
    const provider = await providerOf(context, params.provider);
    if (!file) throw new ApiError('invalid', { file: ['Choose a video.'] });
    return provider.upload(file);
  },

  read: async (context, { params }) => {
    const provider = await providerOf(context, params.provider);
    return provider.read(params.id);
  },
};
