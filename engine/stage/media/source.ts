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

/** Milliseconds between two faults of a stream's data that are faults of their own: a broken segment is skipped. */
const APART = 10_000;
/** Milliseconds after which a broadcast that cannot be reached is asked for again. */
const SOURCE_RETRY = 10_000;

/**
 * Gives a media element its source; an HLS playlist through hls.js where the browser cannot play it by itself.
 * @param failed called when the playlist cannot be played, with the reason
 * @param live whether it is a broadcast, which may not have begun yet: what cannot be reached is asked for again and
 * again, and said once
 * @param type media type, where it is known: a playlist's address may not end like one
 * @returns a function that takes the source away
 */
export async function attachSource(
  media: HTMLMediaElement,
  url: string,
  failed: (reason: string) => void,
  { live = false, type = '' } = {},
): Promise<() => void> {
  if (!(isPlaylist(url) || type === PLAYLIST) || media.canPlayType(PLAYLIST) !== '') {
    media.src = url;
    return () => {
      media.removeAttribute('src');
      // Loading without a source releases the connection and what was decoded.
      media.load();
    };
  }
  const { default: Hls, ErrorTypes, Events } = await import('hls.js');
  if (!Hls.isSupported()) throw new Error('This browser can’t play HLS.');
  const hls = new Hls(CONFIG);
  let recoveredAt = Number.NEGATIVE_INFINITY;
  let said = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const say = (details: string) => {
    if (!said) failed(`The stream can’t be played: ${details}.`);
    said = true;
  };
  hls.on(Events.MANIFEST_LOADED, () => {
    said = false;
  });
  hls.on(Events.ERROR, (_, { fatal, type, details }) => {
    if (!fatal) return;
    if (type === ErrorTypes.MEDIA_ERROR && performance.now() - recoveredAt > APART) {
      recoveredAt = performance.now();
      hls.recoverMediaError();
      return;
    }
    say(details);
    if (live && type === ErrorTypes.NETWORK_ERROR) {
      clearTimeout(timer);
      timer = setTimeout(() => hls.loadSource(url), SOURCE_RETRY);
    } else hls.destroy();
  });
  hls.loadSource(url);
  hls.attachMedia(media);
  return () => {
    clearTimeout(timer);
    hls.destroy();
  };
}
