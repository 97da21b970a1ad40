import { z } from 'zod';
import type { LiveStreamState, ModuleStream } from '../../../contract/entities.ts';
import type { PlatformClient } from '../platform-client.ts';
import { oneLine } from '../videos/provider.ts';
import { bareStream, idInPath, type LivePlatform, needEncoder } from './live-platform.ts';

/** Maximum number of listed broadcasts: Vimeo's page size. */
const EVENTS_PER_PAGE = 100;

/** `ready` waits for the encoder; `streaming_preview` is visible only to its owner. */
const VIMEO_STATES: Record<string, LiveStreamState> = {
  ready: 'starting',
  pending: 'starting',
  streaming_preview: 'starting',
  streaming: 'started',
};

const text = z.string().nullish();
const liveSchema = z.object({ status: text, link: text, secure_link: text, key: text }).nullish();

const stateOf = (live: z.output<typeof liveSchema>): LiveStreamState => VIMEO_STATES[live?.status ?? ''] ?? 'stopped';

const source = (server: string | null | undefined, key: string | null | undefined) =>
  server && key ? { primary_server: server, application_name: '', stream_name: key, username: '', password: '' } : null;

const videoSchema = z.object({ uri: z.string().regex(/^\/videos\/\d+/), name: text, live: liveSchema });
const videosSchema = z.object({ data: z.array(videoSchema) });
const VIDEO_FIELDS = 'uri,name,live';

function videoAsModule({ uri, name, live }: z.output<typeof videoSchema>): ModuleStream {
  // Vimeo's player expects the hash of an unlisted video after a slash.
  const id = uri.replace(/^\/videos\//, '').replace(':', '/');
  return {
    ...bareStream(oneLine(id, 200), oneLine(name), stateOf(live)),
    encoder: 'other_rtmp',
    source_connection_information: source(live?.secure_link ?? live?.link, live?.key),
  };
}

/** Paths of both kinds contain only the number. */
const numberOf = (id: string): string => idInPath(id, /^\d{1,20}(?:\/[0-9a-z]{1,40})?$/i).split('/')[0]!;

const withoutSource = (stream: ModuleStream): ModuleStream => ({ ...stream, source_connection_information: null });

/** One-time events of Vimeo: videos that are live once. https://developer.vimeo.com/api/reference/live */
export function vimeoSingle(client: PlatformClient): LivePlatform {
  const read = async (id: string): Promise<ModuleStream> => {
    const path = `/videos/${numberOf(id)}`;
    return videoAsModule(await client.json(videoSchema, { path, query: { fields: VIDEO_FIELDS } }));
  };
  const turn = async (id: string, status: 'ready' | 'done'): Promise<void> => {
    await client.send({ method: 'PATCH', path: `/videos/${numberOf(id)}`, json: { live: { status } } });
  };
  return {
    list: async () => {
      const query = {
        filter: 'live',
        sort: 'date',
        direction: 'desc',
        per_page: EVENTS_PER_PAGE,
        fields: VIDEO_FIELDS,
      };
      const { data } = await client.json(videosSchema, { path: '/me/videos', query });
      return data.map((video) => withoutSource(videoAsModule(video)));
    },
    read,
    state: async (id) => (await read(id)).state,
    create: async (stream) => {
      needEncoder('Vimeo', stream);
      const video = await client.json(videoSchema, {
        method: 'POST',
        path: '/me/videos',
        query: { fields: VIDEO_FIELDS },
        json: { name: stream.name, upload: { approach: 'live' } },
      });
      return videoAsModule(video);
    },
    start: (id) => turn(id, 'ready'),
    stop: (id) => turn(id, 'done'),
  };
}

const eventSchema = z.object({
  uri: z.string().regex(/\/live_events\/\d+$/),
  title: text,
  rtmp_link: text,
  rtmps_link: text,
  stream_key: text,
  streamable_clip: z.object({ live: liveSchema }).nullish(),
});
const eventsSchema = z.object({ data: z.array(eventSchema) });
const EVENT_FIELDS = 'uri,title,rtmp_link,rtmps_link,stream_key,streamable_clip.live';

function eventAsModule(event: z.output<typeof eventSchema>): ModuleStream {
  const id = event.uri.replace(/^.*\//, '');
  return {
    ...bareStream(id, oneLine(event.title), stateOf(event.streamable_clip?.live)),
    encoder: 'other_rtmp',
    source_connection_information: source(event.rtmps_link ?? event.rtmp_link, event.stream_key),
  };
}

/** Recurring events of Vimeo: one URL for all broadcasts. */
export function vimeoRecurring(client: PlatformClient): LivePlatform {
  const read = async (id: string): Promise<ModuleStream> => {
    const path = `/me/live_events/${numberOf(id)}`;
    return eventAsModule(await client.json(eventSchema, { path, query: { fields: EVENT_FIELDS } }));
  };
  const turn = async (id: string, verb: 'activate' | 'end'): Promise<void> => {
    await client.send({ method: 'POST', path: `/me/live_events/${numberOf(id)}/${verb}` });
  };
  return {
    list: async () => {
      const query = {
        type: 'recurring',
        sort: 'date',
        direction: 'desc',
        per_page: EVENTS_PER_PAGE,
        fields: EVENT_FIELDS,
      };
      const { data } = await client.json(eventsSchema, { path: '/me/live_events', query });
      return data.map((event) => withoutSource(eventAsModule(event)));
    },
    read,
    state: async (id) => (await read(id)).state,
    create: async (stream) => {
      needEncoder('Vimeo', stream);
      const event = await client.json(eventSchema, {
        method: 'POST',
        path: '/me/live_events',
        query: { fields: EVENT_FIELDS },
        json: { title: stream.name },
      });
      return eventAsModule(event);
    },
    start: (id) => turn(id, 'activate'),
    stop: (id) => turn(id, 'end'),
  };
}
