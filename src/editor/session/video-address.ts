/** A video of a platform, by its id there. */
export interface PlatformVideo {
  type: 'youtube' | 'vimeo';
  /** For private Vimeo links, followed by a slash and the hash. */
  id: string;
}

/** A platform URL that is not a single video, and a hint for the user. */
interface OtherPage {
  problem: string;
}

const YOUTUBE_HOSTS = /^(?:www\.|m\.|music\.)?youtube(?:-nocookie)?\.com$/;
const YOUTUBE_ID = /^[\w-]{11}$/;
const VIMEO_HOSTS = /^(?:www\.|player\.)?vimeo\.com$/;
const VIMEO_ID = /^\d{3,}$/;
const VIMEO_HASH = /^[\da-f]{6,}$/i;

/** YouTube pages without a video; some of their names are as long as a video id. */
const YOUTUBE_PAGES: Readonly<Record<string, string>> = {
  videoseries: 'playlist',
  playlist: 'playlist',
  live_stream: 'channel',
  channel: 'channel',
  c: 'channel',
  user: 'channel',
};
const VIMEO_PAGES: Readonly<Record<string, string>> = { showcase: 'showcase', album: 'album', event: 'event' };

function addressIn(text: string): URL | null {
  const trimmed = text.trim();
  const isBare = /^(?:[\w-]+\.)*(?:youtube|youtube-nocookie|vimeo)\.com\/|^youtu\.be\//i.test(trimmed);
  if (!isBare && !/^https?:\/\//i.test(trimmed)) return null;
  return URL.parse(isBare ? `https://${trimmed}` : trimmed);
}

const otherPage = (platform: string, kind: string): OtherPage => ({
  problem:
    kind === 'event'
      ? `This is the address of a ${platform} event. Add a live stream for it, or enter the address of a video.`
      : `This is the address of a ${platform} ${kind}. Enter the address of one of its videos.`,
});

function youtubeVideo(host: string, parts: readonly string[], search: URLSearchParams): ReturnType<typeof videoAt> {
  const isShort = host === 'youtu.be';
  const named = ['embed', 'shorts', 'live', 'v'].includes(parts[0] ?? '') ? parts[1] : undefined;
  const id = isShort ? parts[0] : (named ?? search.get('v') ?? '');
  const kind = parts[0]?.startsWith('@') ? 'channel' : YOUTUBE_PAGES[(named ?? parts[0])?.toLowerCase() ?? ''];
  if (kind && !isShort) return otherPage('YouTube', kind);
  return YOUTUBE_ID.test(id ?? '') ? { type: 'youtube', id: id! } : null;
}

function vimeoVideo(parts: readonly string[], search: URLSearchParams): ReturnType<typeof videoAt> {
  const kind = VIMEO_PAGES[parts[0]?.toLowerCase() ?? ''];
  const inside = parts.indexOf('video');
  // A showcase has numbers of its own, and may show one of its videos.
  if (kind && inside < 0) return otherPage('Vimeo', kind);
  const at = parts.findIndex((part, nth) => nth > (kind ? inside : -1) && VIMEO_ID.test(part));
  if (at < 0) return null;
  const hash = search.get('h') ?? parts[at + 1] ?? '';
  return { type: 'vimeo', id: VIMEO_HASH.test(hash) ? `${parts[at]}/${hash}` : parts[at]! };
}

/**
 * Parses a YouTube or Vimeo URL; null for other text.
 * @returns the error for other pages of these platforms
 */
export function videoAt(text: string): PlatformVideo | OtherPage | null {
  const url = addressIn(text);
  if (!url) return null;
  const host = url.hostname.toLowerCase();
  const parts = url.pathname.split('/').filter(Boolean);
  if (host === 'youtu.be' || YOUTUBE_HOSTS.test(host)) return youtubeVideo(host, parts, url.searchParams);
  return VIMEO_HOSTS.test(host) ? vimeoVideo(parts, url.searchParams) : null;
}
