import { z } from 'zod';
import type { LiveStreamState, ModuleStream } from '../../../contract/entities.ts';
import type { PlatformClient } from '../platform-client.ts';
import { oneLine } from '../videos/provider.ts';
import { bareStream, cameraAddress, idInPath, type LivePlatform, pictureAddress } from './live-platform.ts';

/** API version: https://developer.wowza.com/docs/wowza-video/api/video/current/tag/live_streams */
const ROOT = '/api/v2.0/live_streams';
/** Maximum number of listed broadcasts. */
const STREAMS_PER_PAGE = 100;

const WOWZA_STATES: Record<string, LiveStreamState> = {
  started: 'started',
  starting: 'starting',
  resetting: 'starting',
};

const text = z.string().nullish();
const streamSchema = z.object({
  id: z.string().min(1),
  name: z.string().default(''),
  state: text,
  encoder: text,
  player_hls_playback_url: text,
  source_connection_information: z
    .object({
      primary_server: text,
      host_port: z.number().nullish(),
      application_name: text,
      stream_name: text,
      username: text,
      password: text,
      sdp_url: text,
    })
    .nullish(),
});
type WowzaStream = z.output<typeof streamSchema>;
const oneSchema = z.object({ live_stream: streamSchema });
const listSchema = z.object({ live_streams: z.array(streamSchema) });
const stateSchema = z.object({ live_stream: z.object({ state: z.string() }) });

const asState = (state: string | null | undefined): LiveStreamState => WOWZA_STATES[state ?? ''] ?? 'stopped';

function wowzaStreamOf(stream: WowzaStream, state: LiveStreamState): ModuleStream {
  const { encoder, source_connection_information: source } = stream;
  return {
    ...bareStream(stream.id, oneLine(stream.name), state),
    // Every encoder except the browser's camera sends RTMP.
    encoder: encoder === 'other_webrtc' ? encoder : encoder ? 'other_rtmp' : null,
    source_connection_information: source
      ? {
          primary_server: source.primary_server ?? '',
          application_name: source.application_name ?? '',
          stream_name: source.stream_name ?? '',
          username: source.username ?? '',
          password: source.password ?? '',
        }
      : null,
    player_hls_playback_url: pictureAddress(stream.player_hls_playback_url),
    webrtc_url: encoder === 'other_webrtc' ? cameraAddress(source?.sdp_url) : '',
  };
}

const streamPathOf = (id: string): string => `${ROOT}/${idInPath(id, /^[\w-]{1,64}$/)}`;

/**
 * Live streams of Wowza Video.
 * @param location region of new streams
 */
export function wowzaLive(client: PlatformClient, location: string): LivePlatform {
  const state = async (id: string): Promise<LiveStreamState> => {
    const answer = await client.json(stateSchema, { path: `${streamPathOf(id)}/state` });
    return asState(answer.live_stream.state);
  };

  return {
    state,
    list: async () => {
      const { live_streams } = await client.json(listSchema, {
        path: ROOT,
        query: { page: 1, per_page: STREAMS_PER_PAGE },
      });
      // Lists include the state only on some accounts; otherwise it is requested per stream.
      return Promise.all(
        live_streams.map(async (stream) => {
          const now = stream.state ? asState(stream.state) : await state(stream.id);
          return { ...wowzaStreamOf(stream, now), source_connection_information: null };
        }),
      );
    },
    read: async (id) => {
      const [{ live_stream }, now] = await Promise.all([client.json(oneSchema, { path: streamPathOf(id) }), state(id)]);
      return wowzaStreamOf(live_stream, now);
    },
    create: async ({ name, encoder }) => {
      const { live_stream } = await client.json(oneSchema, {
        method: 'POST',
        path: ROOT,
        json: {
          live_stream: {
            name,
            encoder,
            aspect_ratio_width: 1280,
            aspect_ratio_height: 720,
            billing_mode: 'pay_as_you_go',
            broadcast_location: location,
            delivery_method: 'push',
            transcoder_type: 'transcoded',
          },
        },
      });
      return wowzaStreamOf(live_stream, 'stopped');
    },
    start: async (id) => {
      await client.send({ method: 'PUT', path: `${streamPathOf(id)}/start` });
    },
    stop: async (id) => {
      await client.send({ method: 'PUT', path: `${streamPathOf(id)}/stop` });
    },
  };
}
