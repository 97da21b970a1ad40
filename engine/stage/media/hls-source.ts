import Hls, { type ErrorData, ErrorTypes, Events } from 'hls.js';
import { savesData } from '../resources/device.ts';
import type { SourceReport } from './trouble.ts';

/** No cues for metadata or captions: the page's content security policy blocks the `data:` URLs of their tracks. */
const CONFIG = {
  enableID3MetadataCues: false,
  enableEmsgMetadataCues: false,
  enableDateRangeMetadataCues: false,
  enableCEA708Captions: false,
  renderTextTracksNatively: false,
};

/** Seconds after which a subtitle that has been shown is removed. */
const CUE_AGE = 60;

/** Removes cues of a track; those of a disabled one can't be read. */
function removeCues(track: TextTrack, isOld: (cue: TextTrackCue) => boolean): void {
  const { mode } = track;
  if (mode === 'disabled') track.mode = 'hidden';
  for (const cue of [...(track.cues ?? [])]) if (isOld(cue)) track.removeCue(cue);
  if (mode === 'disabled') track.mode = mode;
}

/** Offers the stream's subtitles as text tracks of the media element, and loads those of the track that is in use. */
function addSubtitles(hls: Hls, media: HTMLMediaElement): void {
  const connection = new AbortController();
  hls.on(Events.DESTROYING, () => connection.abort());
  let tracks: { id: string; track: TextTrack; cues: Set<string> }[] = [];
  const choose = () => {
    hls.subtitleTrack = tracks.findIndex(({ track }) => track.mode !== 'disabled');
  };
  hls.on(Events.NON_NATIVE_TEXT_TRACKS_FOUND, (_, { tracks: found }) => {
    tracks = found.map(({ label, default: isDefault, subtitleTrack }, index) => {
      const language = subtitleTrack?.lang ?? '';
      // A reconnected stream offers its tracks again, and tracks can't be removed.
      const known = [...media.textTracks].find((track) => track.label === label && track.language === language);
      const track = known ?? media.addTextTrack('subtitles', label, language);
      if (known) removeCues(track, () => true);
      else track.mode = 'disabled';
      return { id: isDefault ? 'default' : `subtitles${index}`, track, cues: new Set<string>() };
    });
    choose();
  });
  hls.on(Events.CUES_PARSED, (_, { cues, track: id }) => {
    const wanted = tracks.find((each) => each.id === id);
    if (wanted) removeCues(wanted.track, ({ endTime }) => endTime < media.currentTime - CUE_AGE);
    for (const cue of wanted ? (cues as VTTCue[]) : []) {
      const key = `${cue.startTime} ${cue.text}`;
      // Segments repeat the cues that they share.
      if (!wanted!.cues.has(key)) wanted!.track.addCue(cue);
      wanted!.cues.add(key);
    }
  });
  media.textTracks.addEventListener('change', choose, { signal: connection.signal });
}

/** Height in pixels up to which streams play for visitors who save data. */
const LIGHT_HEIGHT = 480;

/** Limits a stream's quality; the lowest is always played. @param levels lowest first */
function capLevels(hls: Hls, levels: readonly { height: number }[]): void {
  hls.autoLevelCapping = Math.max(
    0,
    levels.findLastIndex(({ height }) => height <= LIGHT_HEIGHT),
  );
}

/** Delay before the first retry in milliseconds; doubled with each retry up to {@link MAX_BACKOFF}. */
const FIRST_BACKOFF = 1000;
const MAX_BACKOFF = 10_000;
/** Milliseconds within which a second media error requires a new player instead of a recovery. */
const RESET_WINDOW = 10_000;
/** Milliseconds between two playback checks. */
const WATCH = 2500;
/** Milliseconds without progress after which an interruption is shown, and after which the stream is reconnected. */
const VISIBLE_STALL = 6000;
const MAX_STALL = 15_000;

const CODEC_NAMES: readonly [prefix: RegExp, name: string][] = [
  [/^(?:hvc1|hev1|dvh1|dvhe)/, 'HEVC'],
  [/^(?:ac-3|ec-3|ac-4)/, 'Dolby Digital'],
  [/^av01/, 'AV1'],
  [/^vp0?9/, 'VP9'],
  [/^avc[13]/, 'H.264'],
  [/^mp4a/, 'AAC'],
];

const codecName = (codec: string) => CODEC_NAMES.find(([prefix]) => prefix.test(codec))?.[1] ?? codec;

/** Whether an hls.js error means that the browser can't play the stream at all. */
const isIncompatible = (details: string) => /incompatibleCodecs|addCodec/i.test(details);

/** The first media playlist: the playlist itself, or the first variant of a multivariant playlist. */
async function readMediaPlaylist(url: string, signal: AbortSignal): Promise<string> {
  const read = async (address: string | URL) => {
    const response = await fetch(address, { signal, cache: 'no-store' });
    return response.ok ? response.text() : '';
  };
  const text = await read(url);
  const variant = text.includes('#EXT-X-STREAM-INF') && text.split(/\r?\n/).find((line) => line && line[0] !== '#');
  return variant ? read(new URL(variant, url)) : text;
}

/**
 * Plays an HLS stream through Media Source Extensions, and reconnects after any interruption: unreachable playlists and
 * segments, corrupt data, a stalled or ended live stream.
 * @param live whether it is a live stream, which may not have started yet and may restart after its end
 * @returns a function that removes the source
 */
export function playHls(media: HTMLMediaElement, url: string, report: SourceReport, live: boolean): () => void {
  const abort = new AbortController();
  const { signal } = abort;
  const { trouble } = report;
  let hls: Hls | undefined;
  let retries = 0;
  let hasPlayed = false;
  let resetAt = Number.NEGATIVE_INFINITY;
  let progressAt = performance.now();
  let position = -1;
  /** Whether it should be playing: reconnecting pauses the element. */
  let isPlaying = !media.paused;
  let codecs: string[] = [];
  let retryTimer: ReturnType<typeof setTimeout> | undefined;

  const explain = ({ type, details, response }: ErrorData) => {
    const formats = [...new Set(codecs.map(codecName))].join(', ') || 'HLS';
    const isAwaited = type === ErrorTypes.NETWORK_ERROR && live && !hasPlayed && response?.code === 404;
    if (isIncompatible(details)) trouble('streamFormat', details, { formats });
    else trouble(isAwaited ? 'streamNotStarted' : 'streamInterrupted', details);
  };

  const retryLater = () => {
    clearTimeout(retryTimer);
    retryTimer = setTimeout(connect, Math.min(FIRST_BACKOFF * 2 ** retries++, MAX_BACKOFF));
  };

  const onError = (data: ErrorData) => {
    if (!data.fatal) return;
    const now = performance.now();
    const isFinal = isIncompatible(data.details);
    if (data.type === ErrorTypes.MEDIA_ERROR && !isFinal && now - resetAt > RESET_WINDOW) {
      resetAt = now;
      hls?.recoverMediaError();
      return;
    }
    explain(data);
    // The next live stream may have another format.
    if (live || !isFinal) retryLater();
    else hls?.destroy();
  };

  function connect(): void {
    clearTimeout(retryTimer);
    const at = live ? -1 : media.currentTime;
    hls?.destroy();
    hls = new Hls({ ...CONFIG, startPosition: at > 0 ? at : -1 });
    progressAt = performance.now();
    if (savesData()) hls.on(Events.MANIFEST_PARSED, (_, { levels }) => capLevels(hls!, levels));
    hls.on(Events.MANIFEST_LOADED, (_, { levels }) => {
      codecs = levels.flatMap(({ attrs }) => attrs.CODECS?.split(',') ?? []);
    });
    hls.on(Events.FRAG_BUFFERED, () => {
      retries = 0;
      hasPlayed = true;
      if (!isPlaying) trouble(null);
    });
    hls.on(Events.ERROR, (_, data) => onError(data));
    addSubtitles(hls, media);
    hls.loadSource(url);
    hls.attachMedia(media);
  }

  /** Polls for the next live stream at the same URL, and starts it. */
  const awaitNext = () => {
    trouble('streamEnded');
    retryTimer = setTimeout(async () => {
      const playlist = await readMediaPlaylist(url, signal).catch(() => '');
      if (signal.aborted) return;
      if (!playlist.startsWith('#EXTM3U') || playlist.includes('#EXT-X-ENDLIST')) return awaitNext();
      media.addEventListener('canplay', () => media.play().catch(() => undefined), { once: true, signal });
      connect();
    }, MAX_BACKOFF);
  };

  const watch = () => {
    const now = performance.now();
    // Skipping gaps changes the position without playing anything.
    const advances = media.currentTime !== position && media.readyState >= HTMLMediaElement.HAVE_FUTURE_DATA;
    position = media.currentTime;
    if (!isPlaying || media.ended || advances) {
      progressAt = now;
      return;
    }
    if (hasPlayed && now - progressAt > VISIBLE_STALL) trouble('streamInterrupted', 'stalled');
    if (now - progressAt > MAX_STALL) connect();
  };

  if (live) {
    const watchTimer = setInterval(watch, WATCH);
    signal.addEventListener('abort', () => clearInterval(watchTimer));
    media.addEventListener('ended', awaitNext, { signal });
  }
  media.addEventListener(
    'play',
    () => {
      isPlaying = true;
    },
    { signal },
  );
  media.addEventListener(
    'pause',
    () => {
      if (media.readyState > 0) isPlaying = false;
    },
    { signal },
  );
  media.addEventListener('playing', () => trouble(null), { signal });
  connect();
  return () => {
    abort.abort();
    clearTimeout(retryTimer);
    hls?.destroy();
  };
}
