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
  primary_server: z.string().describe('Server URL for the encoder.'),
  application_name: z.string().describe('Application for browser cameras; empty for none.'),
  stream_name: z.string().describe('Stream name or stream key.'),
  username: z.string().describe('User name; empty for none.'),
  password: z.string().describe('Password; empty for none.'),
});

/** A broadcast as returned by its platform. */
export const moduleStreamSchema = z.object({
  id: line(200).describe('ID on the platform.'),
  name: z.string().describe('Title on the platform.'),
  state: liveStreamState.describe('State of the broadcast.'),
  encoder: z.enum(ENCODERS).nullable().describe("Encoder type; null if the platform doesn't return it."),
  source_connection_information: sourceConnection
    .nullable()
    .describe(
      'Connection settings for the encoder; null if unavailable, or for users without the right to update live streams.',
    ),
  player_hls_playback_url: z.string().describe('HLS URL of the video; empty if the platform provides none.'),
  webrtc_url: z
    .string()
    .describe('URL for sending a browser camera (WHIP or the platform’s own protocol); empty for none.'),
});
export type ModuleStream = z.output<typeof moduleStreamSchema>;

/** A live stream of the organization. */
export const liveStreamSchema = z.object({
  id: id.describe('Live stream ID.'),
  name: line().min(1, 'Give the live stream a name.').describe('Live stream name.'),
  type: z.enum(LIVE_STREAM_TYPES).describe('Platform.'),
  reference: line(200).describe('Broadcast ID on the platform.'),
  state: liveStreamState.describe('Last known state of the broadcast.'),
  encoder: z.enum(ENCODERS).nullable().describe("Encoder type; null if the platform doesn't return it."),
  source_connection_information: sourceConnection
    .nullable()
    .describe(
      'Connection settings for the encoder; null in lists, and for users without the right to update live streams.',
    ),
  player_hls_playback_url: z.string().describe('HLS URL of the video; empty if the platform provides none.'),
  webrtc_url: z
    .string()
    .describe(
      'URL for sending a browser camera; empty for none, and for users without the right to update live streams.',
    ),
  updated_at: stamp,
  edited_by: editorName,
  policies: entryPolicies,
});
export type LiveStream = z.output<typeof liveStreamSchema>;
