import { href } from '../../../../engine/document/fields.ts';
import type { ENCODERS, LiveStreamState, ModuleStream } from '../../../contract/entities.ts';
import { ApiError } from '../../../contract/errors.ts';

export type Encoder = (typeof ENCODERS)[number];

/** A broadcast that is to be made on a platform. */
export interface NewStream {
  name: string;
  encoder: Encoder;
}

/** A platform of live streams. Its errors are not_found, provider_failed and provider_busy. */
export interface LivePlatform {
  /** Broadcasts that it has, newest first; at most a page of them, and without where senders connect. */
  list(): Promise<ModuleStream[]>;
  /** One broadcast, with where its sender connects. */
  read(id: string): Promise<ModuleStream>;
  /** Whether a broadcast is on the air. */
  state(id: string): Promise<LiveStreamState>;
  /** Makes a broadcast. */
  create(stream: NewStream): Promise<ModuleStream>;
  start(id: string): Promise<void>;
  stop(id: string): Promise<void>;
}

/** A broadcast without what only some platforms have. */
export const bareStream = (id: string, name: string, state: LiveStreamState): ModuleStream => ({
  id,
  name,
  state,
  encoder: null,
  source_connection_information: null,
  player_hls_playback_url: '',
  webrtc_url: '',
});

/** An address of a picture where a document takes it; otherwise none. */
export const pictureAddress = (address: string | null | undefined): string => href.safeParse(address ?? '').data ?? '';

/** Where a browser sends its camera to: an encrypted address; otherwise none. */
export const cameraAddress = (address: string | null | undefined): string =>
  address && /^(?:wss|https):\/\/[^\s"'<>]{1,2000}$/.test(address) ? address : '';

/** Refuses a camera of the browser for platforms that take encoders only. */
export function needEncoder(platform: string, { encoder }: NewStream): void {
  if (encoder !== 'other_rtmp')
    throw new ApiError('invalid', {
      'new_stream.encoder': [`${platform} takes video from an encoder (RTMP) only.`],
    });
}

/**
 * An id that is put into a path.
 * @throws ApiError not_found for what can be no id there
 */
export function idInPath(id: string, form: RegExp): string {
  if (!form.test(id)) throw new ApiError('not_found');
  return id;
}
