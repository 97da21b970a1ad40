import { z } from 'zod';
import type { LiveStreamState, ModuleStream } from '../../../contract/entities.ts';
import { ApiError } from '../../../contract/errors.ts';
import { type Clock, timestampOf } from '../../core/clock.ts';
import { PlatformError } from '../platform-errors.ts';
import { oneLine } from '../videos/provider.ts';
import type { YoutubeClient } from '../youtube-client.ts';
import { bareStream, type LivePlatform, needEncoder } from './live-platform.ts';

const BROADCASTS = '/youtube/v3/liveBroadcasts';
const STREAMS = '/youtube/v3/liveStreams';
/** Maximum number of listed broadcasts: YouTube's page size. */
const BROADCASTS_PER_PAGE = 50;
const PARTS = 'id,snippet,status,contentDetails';

const YOUTUBE_STATES: Record<string, LiveStreamState> = {
  live: 'started',
  liveStarting: 'starting',
  testing: 'starting',
  testStarting: 'starting',
};

const broadcastSchema = z.object({
  id: z.string().min(1),
  snippet: z.object({ title: z.string().default('') }),
  status: z.object({ lifeCycleStatus: z.string() }),
  contentDetails: z.object({ boundStreamId: z.string().optional() }).default({}),
});
type Broadcast = z.output<typeof broadcastSchema>;
const broadcastsSchema = z.object({ items: z.array(broadcastSchema) });

const ingestionSchema = z.object({
  streamName: z.string().default(''),
  ingestionAddress: z.string().default(''),
  rtmpsIngestionAddress: z.string().optional(),
});
const streamsSchema = z.object({
  items: z.array(
    z.object({ cdn: z.object({ ingestionType: z.string().default(''), ingestionInfo: ingestionSchema.optional() }) }),
  ),
});
const madeSchema = z.object({ id: z.string().min(1) });

const asState = ({ status }: Broadcast): LiveStreamState => YOUTUBE_STATES[status.lifeCycleStatus] ?? 'stopped';
const youtubeStreamOf = (broadcast: Broadcast): ModuleStream =>
  bareStream(broadcast.id, oneLine(broadcast.snippet.title), asState(broadcast));

const isReason = (error: unknown, reason: string) => error instanceof PlatformError && error.platformReason === reason;

/** Broadcasts of a YouTube channel: https://developers.google.com/youtube/v3/live/docs */
export function youtubeLive(client: YoutubeClient, clock: Clock): LivePlatform {
  client.needOwner();

  const find = async (id: string): Promise<Broadcast> => {
    const { items } = await client.json(broadcastsSchema, { path: BROADCASTS, query: { part: PARTS, id } });
    if (!items[0]) throw new ApiError('not_found', 'Broadcast not found on YouTube.');
    return items[0];
  };

  /** Adds the ingest settings to a broadcast. */
  const withSource = async (broadcast: Broadcast): Promise<ModuleStream> => {
    const { boundStreamId: id } = broadcast.contentDetails;
    if (!id) return youtubeStreamOf(broadcast);
    const { items } = await client.json(streamsSchema, { path: STREAMS, query: { part: 'cdn', id } });
    const cdn = items[0]?.cdn;
    const info = cdn?.ingestionInfo;
    return {
      ...youtubeStreamOf(broadcast),
      encoder: cdn?.ingestionType === 'rtmp' ? 'other_rtmp' : null,
      source_connection_information: info
        ? {
            primary_server: info.rtmpsIngestionAddress ?? info.ingestionAddress,
            application_name: '',
            stream_name: info.streamName,
            username: '',
            password: '',
          }
        : null,
    };
  };

  const transition = async (id: string, broadcastStatus: 'live' | 'complete'): Promise<void> => {
    const query = { part: 'id,status', id, broadcastStatus };
    try {
      await client.send({ method: 'POST', path: `${BROADCASTS}/transition`, query });
    } catch (error) {
      // It is already in the requested state.
      if (isReason(error, 'redundantTransition')) return;
      if (isReason(error, 'errorStreamInactive'))
        throw new PlatformError('YouTube receives no video yet. Start the encoder before the live stream.', '');
      throw error;
    }
  };

  /** Rolls back an incomplete broadcast. Leftovers are harmless, so failures are ignored. */
  const takeBack = (path: string, id: string) => client.send({ method: 'DELETE', path, query: { id } }).catch(() => {});

  const insertBroadcast = (title: string) =>
    client.json(madeSchema, {
      method: 'POST',
      path: BROADCASTS,
      query: { part: 'snippet,status,contentDetails' },
      json: {
        snippet: { title: title.slice(0, 100), scheduledStartTime: timestampOf(clock.now()) },
        status: { privacyStatus: 'unlisted', selfDeclaredMadeForKids: false },
        // Without a monitor stream, a broadcast goes live directly from ready.
        contentDetails: {
          enableAutoStart: false,
          enableAutoStop: false,
          monitorStream: { enableMonitorStream: false },
        },
      },
    });

  const insertStream = (title: string) =>
    client.json(madeSchema, {
      method: 'POST',
      path: STREAMS,
      query: { part: 'snippet,cdn,contentDetails' },
      json: {
        snippet: { title: title.slice(0, 100) },
        cdn: { ingestionType: 'rtmp', resolution: 'variable', frameRate: 'variable' },
        contentDetails: { isReusable: false },
      },
    });

  return {
    list: async () => {
      const query = { part: PARTS, mine: true, broadcastType: 'all', maxResults: BROADCASTS_PER_PAGE };
      const { items } = await client.json(broadcastsSchema, { path: BROADCASTS, query });
      return items.map(youtubeStreamOf);
    },
    read: async (id) => withSource(await find(id)),
    state: async (id) => asState(await find(id)),
    create: async (stream) => {
      needEncoder('YouTube', stream);
      const { id } = await insertBroadcast(stream.name);
      try {
        const { id: streamId } = await insertStream(stream.name);
        const query = { part: 'id,contentDetails', id, streamId };
        await client.send({ method: 'POST', path: `${BROADCASTS}/bind`, query }).catch(async (error: unknown) => {
          await takeBack(STREAMS, streamId);
          throw error;
        });
      } catch (error) {
        await takeBack(BROADCASTS, id);
        throw error;
      }
      return withSource(await find(id));
    },
    start: (id) => transition(id, 'live'),
    stop: (id) => transition(id, 'complete'),
  };
}
