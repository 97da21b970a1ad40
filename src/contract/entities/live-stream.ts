import { z } from 'zod';
import { id, line } from '../../../engine/document/fields.ts';
import { editorName } from './author.ts';
import { entryPolicies } from './rights.ts';
import { stamp } from './stamp.ts';

/** Platforms of live streams, labeled Wowza, Youtube, Vimeo single event and Vimeo recurring event. */
export const LIVE_STREAM_TYPES = ['wowza_live', 'youtube_live', 'vimeo', 'vimeo_live'] as const;
export type LiveStreamType = (typeof LIVE_STREAM_TYPES)[number];

/** Transport to the platform: WebRTC from the browser's camera, or RTMP from an encoder. */
export const ENCODERS = ['other_webrtc', 'other_rtmp'] as const;
export const liveStreamState = z.enum(['stopped', 'starting', 'started']);
export type LiveStreamState = z.output<typeof liveStreamState>;

/** Connection settings for an encoder. */
export const sourceConnection = z.object({
  primary_server: z.string().describe('Address that the encoder connects to.'),
  application_name: z.string().describe('Application that takes the camera of a browser; empty where none is named.'),
  stream_name: z.string().describe('Name or key of the stream there.'),
  username: z.string().describe('User name; empty where none is asked for.'),
  password: z.string().describe('Password; empty where none is asked for.'),
});

/** A broadcast as returned by its platform. */
export const moduleStreamSchema = z.object({
  id: line(200).describe('Id on the platform.'),
  name: z.string().describe('Title on the platform.'),
  state: liveStreamState.describe('Whether it is on the air.'),
  encoder: z.enum(ENCODERS).nullable().describe('How the sender reaches it; null where the platform does not say.'),
  source_connection_information: sourceConnection
    .nullable()
    .describe('Where the sender connects; null for whoever may not change live streams, and where there is none.'),
  player_hls_playback_url: z.string().describe('HLS address of the video; empty where the platform gives none.'),
  webrtc_url: z.string().describe('Where a browser sends its camera to (WHIP or the platform’s own); empty for none.'),
});
export type ModuleStream = z.output<typeof moduleStreamSchema>;

/** A live stream of the organization. */
export const liveStreamSchema = z.object({
  id: id.describe('Id of the live stream.'),
  name: line().min(1, 'Give the live stream a name.').describe('Name of the live stream.'),
  type: z.enum(LIVE_STREAM_TYPES).describe('Platform.'),
  reference: line(200).describe('Id of the broadcast on its platform.'),
  state: liveStreamState.describe('Whether it is on the air, as far as the platform last said.'),
  encoder: z.enum(ENCODERS).nullable().describe('How the sender reaches the platform; null where it does not say.'),
  source_connection_information: sourceConnection
    .nullable()
    .describe('Where the sender connects; null in lists, and for whoever may not change live streams.'),
  player_hls_playback_url: z.string().describe('HLS address of the video; empty where the platform gives none.'),
  webrtc_url: z
    .string()
    .describe('Where a browser sends its camera to; empty for none, and for whoever may not change live streams.'),
  updated_at: stamp,
  edited_by: editorName,
  policies: entryPolicies,
});
export type LiveStream = z.output<typeof liveStreamSchema>;
