import { href } from '../../../../engine/document/fields.ts';
import type { ENCODERS, LiveStreamState, ModuleStream } from '../../../contract/entities.ts';
import { ApiError } from '../../../contract/errors.ts';

export type Encoder = (typeof ENCODERS)[number];

/** A broadcast to create on a platform. */
export interface NewStream {
  name: string;
  encoder: Encoder;
}

/** A live streaming platform. Its errors are not_found, provider_failed and provider_busy. */
export interface LivePlatform {
  /** Broadcasts, newest first; at most one page of them, without ingest settings. */
  list(): Promise<ModuleStream[]>;
  /** A broadcast with its ingest settings. */
  read(id: string): Promise<ModuleStream>;
  /** Whether a broadcast is live. */
  state(id: string): Promise<LiveStreamState>;
  /** Creates a broadcast. */
  create(stream: NewStream): Promise<ModuleStream>;
  start(id: string): Promise<void>;
  stop(id: string): Promise<void>;
}

/** A broadcast with only the fields that all platforms have. */
export const bareStream = (id: string, name: string, state: LiveStreamState): ModuleStream => ({
  id,
  name,
  state,
  encoder: null,
  source_connection_information: null,
  player_hls_playback_url: '',
  webrtc_url: '',
});

/** An image URL if documents accept it; otherwise empty. */
export const pictureAddress = (address: string | null | undefined): string => href.safeParse(address ?? '').data ?? '';

/** A secure WebSocket URL for a browser's camera; otherwise empty. */
export const cameraAddress = (address: string | null | undefined): string =>
  address && /^(?:wss|https):\/\/[^\s"'<>]{1,2000}$/.test(address) ? address : '';

/** Rejects browser cameras on platforms that support only encoders. */
export function needEncoder(platform: string, { encoder }: NewStream): void {
  if (encoder !== 'other_rtmp')
    throw new ApiError('invalid', {
      'new_stream.encoder': [`${platform} accepts video from an encoder (RTMP) only.`],
    });
}

/**
 * Validates an id for use in a path.
 * @throws ApiError not_found if it is malformed
 */
export function idInPath(id: string, form: RegExp): string {
  if (!form.test(id)) throw new ApiError('not_found');
  return id;
}
