import { z } from 'zod';
import { ApiError } from '../../../contract/errors.ts';
import type { PlatformClient } from '../platform-client.ts';
import { oneLine, safeAddress, type VideoModule, type VideoProvider } from './provider.ts';
import { type VideoServices, withVideo } from './receive-film.ts';
import { sendToVimeo } from './vimeo-upload.ts';

const fileSchema = z.object({
  link: z.string(),
  rendition: z.string().nullish(),
  quality: z.string().nullish(),
  height: z.number().nullish(),
});

const trackSchema = z.object({
  id: z.union([z.number(), z.string()]).nullish(),
  active: z.boolean().nullish(),
  language: z.string().nullish(),
  name: z.string().nullish(),
});

const videoSchema = z.object({
  uri: z.string().regex(/^\/videos\/\d+/),
  name: z.string().nullish(),
  pictures: z.object({ sizes: z.array(z.object({ width: z.number(), link: z.string() })).default([]) }).nullish(),
  transcode: z.object({ status: z.string() }).nullish(),
  files: z.array(fileSchema).nullish(),
  play: z
    .object({ progressive: z.array(fileSchema).nullish(), hls: z.object({ link: z.string() }).nullish() })
    .nullish(),
});
type VimeoVideo = z.output<typeof videoSchema>;

const pageSchema = z.object({ total: z.number().int().min(0), data: z.array(videoSchema) });
const tracksSchema = z.object({ data: z.array(trackSchema) });

const VIDEO_FIELDS = 'uri,name,pictures.sizes,transcode.status,files,play';

/** Id with the hash of an unlisted video after a slash, as Vimeo's player expects it. */
const idOf = (uri: string): string => uri.replace(/^\/videos\//, '').replace(':', '/');

/** Converts an id to an API path; anything else in the id is rejected. */
function videoPathOf(id: string): string {
  const [, video, hash] = /^(\d{1,20})(?:\/([0-9a-z]{1,40}))?$/i.exec(id) ?? [];
  if (video === undefined) throw new ApiError('not_found');
  return `/videos/${video}${hash ? `:${hash}` : ''}`;
}

function filesOf({ files, play }: VimeoVideo): VideoModule['source_files'] {
  const list = files?.length ? files : (play?.progressive ?? []);
  const named = list
    .toSorted((a, b) => (b.height ?? 0) - (a.height ?? 0))
    .map(({ link, rendition, quality, height }) => ({
      link: safeAddress(link),
      name: oneLine(rendition || (height ? `${height}p` : quality) || 'Original'),
    }));
  const hls = play?.hls ? [{ link: safeAddress(play.hls.link), name: 'HLS' }] : [];
  return [...named, ...hls].filter(({ link }) => link !== '').slice(0, 50);
}

function vimeoModuleOf(video: VimeoVideo, tracks: VideoModule['text_tracks'] = []): VideoModule {
  const pictures = (video.pictures?.sizes ?? []).toSorted((a, b) => a.width - b.width);
  return {
    id: oneLine(idOf(video.uri), 200),
    type: 'vimeo',
    name: oneLine(video.name),
    thumb: safeAddress((pictures.find(({ width }) => width >= 295) ?? pictures.at(-1))?.link),
    thumb_large: safeAddress(pictures.at(-1)?.link),
    playable: video.transcode?.status === 'complete',
    source_files: filesOf(video),
    text_tracks: tracks,
    default_text_track: '',
  };
}

/** Videos of the Vimeo account: https://developer.vimeo.com/api/reference/videos */
export function vimeoVideos(client: PlatformClient, desk: VideoServices): VideoProvider {
  const read = async (id: string): Promise<VideoModule> => {
    const path = videoPathOf(id);
    const video = await client.json(videoSchema, { path, query: { fields: VIDEO_FIELDS } });
    const query = { fields: 'id,active,language,name' };
    const { data } = await client.json(tracksSchema, { path: `${path}/texttracks`, query });
    const tracks = data
      .filter(({ active, language }) => active !== false && language)
      .slice(0, 50)
      .map(({ language, name }) => ({ language: oneLine(language, 35), name: oneLine(name) || oneLine(language) }));
    return vimeoModuleOf(video, tracks);
  };

  return {
    search: async ({ query, page, per_page }) => {
      const { total, data } = await client.json(pageSchema, {
        path: '/me/videos',
        query: { query: query || undefined, page, per_page, sort: 'date', direction: 'desc', fields: VIDEO_FIELDS },
      });
      return { data: data.map((video) => vimeoModuleOf(video)), last_page: Math.max(1, Math.ceil(total / per_page)) };
    },
    read,
    upload: async (file) => {
      const uri = await withVideo(desk, file, (film) => sendToVimeo(client, film));
      return read(idOf(uri));
    },
  };
}
