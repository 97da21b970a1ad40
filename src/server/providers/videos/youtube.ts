import { z } from 'zod';
import { ApiError } from '../../../contract/errors.ts';
import type { YoutubeClient } from '../youtube-client.ts';
import {
  oneLine,
  safeAddress,
  type VideoModule,
  type VideoPage,
  type VideoProvider,
  type VideoQuery,
} from './provider.ts';
import { type VideoServices, withVideo } from './receive-film.ts';
import { sendToYoutube } from './youtube-upload.ts';

/** Maximum number of pages fetched to reach one whose token isn't cached. */
const MAX_STEPS = 20;

const searchSchema = z.object({
  nextPageToken: z.string().optional(),
  items: z.array(z.object({ id: z.object({ videoId: z.string().optional() }) })),
});

const videoSchema = z.object({
  id: z.string().min(1),
  snippet: z.object({
    title: z.string().default(''),
    thumbnails: z.record(z.string(), z.object({ url: z.string(), width: z.number().optional() })).default({}),
  }),
  status: z.object({ uploadStatus: z.string().optional() }).default({}),
  contentDetails: z.object({ caption: z.string().optional() }).default({}),
});
type YoutubeVideo = z.output<typeof videoSchema>;
const videosSchema = z.object({ items: z.array(videoSchema) });

const captionsSchema = z.object({
  items: z.array(
    z.object({
      snippet: z.object({ language: z.string(), name: z.string().default(''), isDraft: z.boolean().optional() }),
    }),
  ),
});

/** `processed` is public; the parts with processing progress are visible only to each video's owner. */
const PARTS = 'snippet,status,contentDetails';

function youtubeModuleOf({ id, snippet, status }: YoutubeVideo, tracks: VideoModule['text_tracks'] = []): VideoModule {
  const pictures = Object.values(snippet.thumbnails).toSorted((a, b) => (a.width ?? 0) - (b.width ?? 0));
  const small = pictures.find(({ width = 0 }) => width >= 320) ?? pictures.at(-1);
  return {
    id,
    type: 'youtube',
    name: oneLine(snippet.title),
    thumb: safeAddress(small?.url),
    thumb_large: safeAddress(pictures.at(-1)?.url),
    playable: status.uploadStatus === 'processed',
    source_files: [],
    text_tracks: tracks,
    default_text_track: '',
  };
}

/** Videos of YouTube: https://developers.google.com/youtube/v3/docs */
export function youtubeVideos(client: YoutubeClient, desk: VideoServices): VideoProvider {
  const whose = () => {
    if (client.isOwner) return { forMine: true };
    return client.channel === null ? {} : { channelId: client.channel };
  };

  const videosOf = async (ids: readonly string[]): Promise<YoutubeVideo[]> => {
    if (ids.length === 0) return [];
    const query = { part: PARTS, id: ids.join(','), maxResults: ids.length };
    const { items } = await client.json(videosSchema, { path: '/youtube/v3/videos', query });
    const byId = new Map(items.map((item) => [item.id, item]));
    return ids.map((id) => byId.get(id)).filter((item) => item !== undefined);
  };

  /** Subtitles; only their owner may list them. */
  const tracksOf = async ({ id, contentDetails }: YoutubeVideo): Promise<VideoModule['text_tracks']> => {
    if (!client.isOwner || contentDetails.caption !== 'true') return [];
    const query = { part: 'snippet', videoId: id };
    const { items } = await client.json(captionsSchema, { path: '/youtube/v3/captions', query });
    return items
      .filter(({ snippet }) => !snippet.isDraft)
      .slice(0, 50)
      .map(({ snippet: { language, name } }) => ({
        language: oneLine(language, 35),
        name: oneLine(name) || oneLine(language),
      }));
  };

  const searchPage = ({ query, per_page }: VideoQuery, pageToken: string | undefined) =>
    client.json(searchSchema, {
      path: '/youtube/v3/search',
      query: {
        part: 'id',
        type: 'video',
        order: 'date',
        maxResults: per_page,
        q: query || undefined,
        pageToken,
        ...whose(),
      },
    });

  /**
   * YouTube has no page numbers: each page contains the token of the next, so a page is reached from the last known
   * one.
   */
  const search = async (asked: VideoQuery): Promise<VideoPage> => {
    const name = JSON.stringify([asked.query, asked.per_page]);
    const start = client.pages.nearest(name, asked.page);
    let { page, token } = start;
    for (;;) {
      const { items, nextPageToken } = await searchPage(asked, token);
      if (nextPageToken) client.pages.keep(name, page + 1, nextPageToken);
      const last_page = nextPageToken ? page + 1 : page;
      if (page === asked.page) {
        const ids = items.map(({ id }) => id.videoId).filter((id) => id !== undefined);
        return { data: (await videosOf(ids)).map((video) => youtubeModuleOf(video)), last_page };
      }
      if (!nextPageToken || page - start.page >= MAX_STEPS) return { data: [], last_page };
      page++;
      token = nextPageToken;
    }
  };

  const read = async (id: string): Promise<VideoModule> => {
    const [video] = await videosOf([id]);
    if (!video) throw new ApiError('not_found');
    return youtubeModuleOf(video, await tracksOf(video));
  };

  return {
    search,
    read,
    upload: async (file) => {
      client.needOwner();
      const id = await withVideo(desk, file, (film) => sendToYoutube(client, film));
      return read(id);
    },
  };
}
