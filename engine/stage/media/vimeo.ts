import type { FrameProtocol, FrameReport } from './frame-player.ts';

const VIMEO_ORIGIN = 'https://player.vimeo.com';

export interface VimeoOptions {
  controls: boolean;
  muted: boolean;
  loop: boolean;
  /** Language of the initial subtitles; empty for none. */
  subtitles: string;
}

/**
 * URL of Vimeo's embedded player for a video.
 * Parameters: https://help.vimeo.com/hc/en-us/articles/12426260232977
 * @param id of the video, followed by a slash and its hash if the video is unlisted
 */
export function vimeoAddress(id: string, { controls, muted, loop, subtitles }: VimeoOptions): string {
  const [video = '', hash] = id.split('/');
  const query = new URLSearchParams({
    ...(hash && { h: hash }),
    dnt: '1',
    playsinline: '1',
    autopause: '0',
    title: '0',
    byline: '0',
    controls: controls ? '1' : '0',
    loop: loop ? '1' : '0',
    muted: muted ? '1' : '0',
    ...(subtitles && { texttrack: subtitles }),
  });
  return `${VIMEO_ORIGIN}/video/${encodeURIComponent(video)}?${query}`;
}

/** URL of the embed page of a recurring event's live streams. */
export const vimeoEventAddress = (id: string): string => `https://vimeo.com/event/${encodeURIComponent(id)}/embed`;

const command = (method: string, value?: unknown) => (value === undefined ? { method } : { method, value });

function read({ event, data }: Record<string, unknown>): FrameReport | undefined {
  const detail = (typeof data === 'object' && data !== null ? data : {}) as Record<string, unknown>;
  switch (event) {
    case 'ready':
      return { type: 'ready' };
    case 'play':
      return { type: 'playing' };
    case 'pause':
      return { type: 'paused' };
    case 'ended':
      return { type: 'ended' };
    case 'timeupdate':
      return typeof detail.seconds === 'number' ? { type: 'at', at: detail.seconds } : undefined;
    case 'error':
      return detail.method === 'play' && detail.name === 'NotAllowedError' ? { type: 'refused' } : undefined;
    default:
      return undefined;
  }
}

/** Message protocol of Vimeo's player: https://developer.vimeo.com/player/sdk/reference */
export const vimeoProtocol: FrameProtocol = {
  origin: VIMEO_ORIGIN,
  hello: command('ping'),
  subscribe: ['play', 'pause', 'ended', 'timeupdate', 'error'].map((name) => command('addEventListener', name)),
  play: (at) => [...(at > 0 ? [command('setCurrentTime', at)] : []), command('play')],
  pause: command('pause'),
  seek: (at) => command('setCurrentTime', at),
  mute: (muted) => command('setMuted', muted),
  volume: (volume) => command('setVolume', volume / 100),
  read,
};
