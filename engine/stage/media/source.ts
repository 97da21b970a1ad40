import type { SourceReport } from './trouble.ts';

const PLAYLIST = 'application/vnd.apple.mpegurl';

/** Delay before the first retry of a file or native stream in milliseconds; doubled with each retry. */
const FIRST_BACKOFF = 2000;
const MAX_BACKOFF = 30_000;

/** Whether a URL is that of an HLS playlist. */
export const isPlaylist = (url: string): boolean => /\.m3u8(?:$|[?#])/i.test(url);

/** Whether a media type is that of an HLS playlist. */
const isPlaylistType = (type: string) => /^(?:application|audio)\/(?:vnd\.apple\.|x-)?mpegurl$/i.test(type);

const hasMediaSource = () => 'MediaSource' in globalThis || 'ManagedMediaSource' in globalThis;

/** Whether the browser plays HLS, through Media Source Extensions or natively. */
export const playsHls = (media: HTMLMediaElement): boolean => hasMediaSource() || media.canPlayType(PLAYLIST) !== '';

/** Plays a file or natively supported stream, reloading it after connection errors. */
function playNatively(media: HTMLMediaElement, url: string, { trouble }: SourceReport, live: boolean): () => void {
  const abort = new AbortController();
  const { signal } = abort;
  let retries = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const retry = () => {
    const at = media.currentTime;
    media.load();
    if (!live && at > 0)
      media.addEventListener(
        'loadedmetadata',
        () => {
          media.currentTime = at;
        },
        { once: true, signal },
      );
  };
  const interrupted = () => {
    if (!live && media.error?.code !== MediaError.MEDIA_ERR_NETWORK) return;
    trouble('connectionLost', media.error?.message);
    clearTimeout(timer);
    timer = setTimeout(retry, Math.min(FIRST_BACKOFF * 2 ** retries++, MAX_BACKOFF));
  };
  media.addEventListener('error', interrupted, { signal });
  if (live) media.addEventListener('ended', interrupted, { signal });
  media.addEventListener(
    'canplay',
    () => {
      retries = 0;
      trouble(null);
    },
    { signal },
  );
  media.src = url;
  return () => {
    abort.abort();
    clearTimeout(timer);
    media.removeAttribute('src');
    // Loading without a source releases the connection and the decoded data.
    media.load();
  };
}

/**
 * Attaches a source to a media element: HLS playlists through hls.js wherever Media Source Extensions exist, because
 * native players give up on the first interruption; everything else natively.
 * @param live whether it is a live stream, which may not have started yet and may restart
 * @param type media type, if known: a playlist's URL may not end in .m3u8
 * @returns a function that detaches the source
 */
export async function attachSource(
  media: HTMLMediaElement,
  url: string,
  report: SourceReport,
  { live = false, type = '' } = {},
): Promise<() => void> {
  if (!(isPlaylist(url) || isPlaylistType(type)) || !hasMediaSource()) return playNatively(media, url, report, live);
  const { playHls } = await import('./hls-source.ts');
  return playHls(media, url, report, live);
}
