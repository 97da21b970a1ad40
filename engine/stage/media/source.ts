const PLAYLIST = 'application/vnd.apple.mpegurl';

/** Cues that nobody reads are not made: their tracks begin with an address that the page's policy refuses. */
const CONFIG = {
  enableID3MetadataCues: false,
  enableEmsgMetadataCues: false,
  enableDateRangeMetadataCues: false,
  enableCEA708Captions: false,
  renderTextTracksNatively: false,
};

/** Whether an address is that of an HLS playlist. */
export const isPlaylist = (url: string): boolean => /\.m3u8(?:$|[?#])/i.test(url);

/** Whether a browser can play HLS: by itself, or with media source extensions. */
export const playsHls = (media: HTMLMediaElement): boolean =>
  media.canPlayType(PLAYLIST) !== '' || 'MediaSource' in globalThis || 'ManagedMediaSource' in globalThis;

/**
 * Gives a media element its source; an HLS playlist through hls.js where the browser can't play it by itself.
 * @param failed called when the playlist can't be played any more
 * @returns a function that takes the source away
 */
export async function attachSource(
  media: HTMLMediaElement,
  url: string,
  failed: (reason: string) => void,
): Promise<() => void> {
  if (!isPlaylist(url) || media.canPlayType(PLAYLIST) !== '') {
    media.src = url;
    return () => undefined;
  }
  const { default: Hls, ErrorTypes, Events } = await import('hls.js');
  if (!Hls.isSupported()) throw new Error('This browser can’t play HLS.');
  const hls = new Hls(CONFIG);
  let recovered = false;
  hls.on(Events.ERROR, (_, { fatal, type, details }) => {
    if (!fatal) return;
    // A broken segment is skipped once; a stream that breaks again is over.
    if (type === ErrorTypes.MEDIA_ERROR && !recovered) {
      recovered = true;
      hls.recoverMediaError();
      return;
    }
    failed(`The stream can’t be played: ${details}.`);
    hls.destroy();
  });
  hls.loadSource(url);
  hls.attachMedia(media);
  return () => hls.destroy();
}
