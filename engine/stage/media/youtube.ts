import type { FrameProtocol, FrameReport } from './frame-player.ts';

/** YouTube's domain that sets no cookies before playback. */
const YOUTUBE_ORIGIN = 'https://www.youtube-nocookie.com';

/** Player states of the iframe API. */
const PLAYER_STATES: Record<number, FrameReport['type'] & ('ended' | 'playing' | 'paused')> = {
  0: 'ended',
  1: 'playing',
  2: 'paused',
};

export interface YoutubeOptions {
  controls: boolean;
  muted: boolean;
  /** Language of the initial subtitles; empty for none. */
  subtitles: string;
}

/**
 * URL of YouTube's embedded player for a video.
 * Parameters: https://developers.google.com/youtube/player_parameters
 * @param id of the video
 */
export function youtubeAddress(id: string, { controls, muted, subtitles }: YoutubeOptions): string {
  const query = new URLSearchParams({
    enablejsapi: '1',
    origin: location.origin,
    playsinline: '1',
    rel: '0',
    controls: controls ? '1' : '0',
    fs: controls ? '1' : '0',
    mute: muted ? '1' : '0',
    ...(subtitles && { cc_load_policy: '1', cc_lang_pref: subtitles }),
  });
  return `${YOUTUBE_ORIGIN}/embed/${encodeURIComponent(id)}?${query}`;
}

const command = (func: string, ...args: unknown[]) => ({ event: 'command', func, args });

function read({ event, info }: Record<string, unknown>): FrameReport | undefined {
  switch (event) {
    case 'initialDelivery':
    case 'onReady':
      return { type: 'ready' };
    case 'onAutoplayBlocked':
      return { type: 'refused' };
    case 'onStateChange': {
      const type = PLAYER_STATES[info as number];
      return type && { type };
    }
    case 'infoDelivery': {
      const { currentTime } = (info ?? {}) as { currentTime?: unknown };
      return typeof currentTime === 'number' ? { type: 'at', at: currentTime } : undefined;
    }
    default:
      return undefined;
  }
}

/**
 * Message protocol of YouTube's player, as used by its iframe API:
 * https://developers.google.com/youtube/iframe_api_reference
 */
export const youtubeProtocol: FrameProtocol = {
  origin: YOUTUBE_ORIGIN,
  hello: { event: 'listening', id: 1, channel: 'widget' },
  subscribe: [command('addEventListener', 'onStateChange'), command('addEventListener', 'onAutoplayBlocked')],
  play: (at) => [...(at > 0 ? [command('seekTo', at, true)] : []), command('playVideo')],
  pause: command('pauseVideo'),
  seek: (at) => command('seekTo', at, true),
  mute: (muted) => command(muted ? 'mute' : 'unMute'),
  volume: (volume) => command('setVolume', Math.round(volume)),
  read,
};
