import type { StageContext } from '../context.ts';
import type { Player } from './player.ts';

/** Seconds by which a player may be elsewhere and still plays on from where it is, without a jump that one hears. */
const NEAR = 0.3;

/** Milliseconds between two reports of where a player is, while it plays. */
const PROGRESS = 100;

/** Why a browser does not play, by the number that it gives. */
const REASONS = ['', 'loading was stopped', 'the network failed', 'the file is damaged', 'it can’t be played here'];

/**
 * Drives an audio or video element of the page, and reports what happens on it: its end, where it is, that the browser
 * refused to play with sound, and what the visitor did with its own controls.
 * @param seekable false for a broadcast: it plays from now on, whatever the moment
 */
export function playElement(
  context: StageContext,
  elementId: number,
  media: HTMLMediaElement,
  { seekable = true } = {},
): Player {
  const abort = new AbortController();
  const wanted = { playing: false, muted: media.muted };
  let told = '';
  const report = (type: 'ended' | 'refused' | 'play' | 'pause' | 'mute' | 'unmute') =>
    context.send({ type, element_id: elementId });
  const on = (type: string, listener: () => void) => media.addEventListener(type, listener, { signal: abort.signal });
  on('ended', () => report('ended'));
  const tell = () => {
    if (!media.seeking) context.send({ type: 'progress', element_id: elementId, at: media.currentTime });
  };
  let telling: ReturnType<typeof setInterval> | undefined;
  const fallSilent = () => clearInterval(telling);
  on('play', () => {
    fallSilent();
    if (seekable) telling = setInterval(tell, PROGRESS);
    if (!wanted.playing) report('play');
  });
  for (const type of ['pause', 'ended', 'emptied']) on(type, fallSilent);
  on('pause', () => {
    if (wanted.playing && !media.ended && media.readyState > 0) report('pause');
  });
  on('volumechange', () => {
    if (media.muted !== wanted.muted) report(media.muted ? 'mute' : 'unmute');
  });
  on('error', () => {
    if (!media.error) return;
    // It is asked for again whenever somebody wants it: the same answer is not news.
    const why = media.error.message || REASONS[media.error.code]!;
    if (why !== told) context.fail(`The file can’t be played: ${why}.`, elementId);
    told = why;
    // It must not count as playing.
    if (wanted.playing) report('pause');
  });
  const goTo = (at: number) => {
    if (seekable && Math.abs(media.currentTime - at) > NEAR) media.currentTime = at;
  };
  const start = () =>
    media.play().catch((error: unknown) => {
      if (abort.signal.aborted || !(error instanceof DOMException)) return;
      // Being paused before it began, and having no playable file, are told elsewhere. Some browsers refuse sounds even
      // muted; they begin with the visitor's first wish to hear something.
      const waits = media.muted && !(media instanceof HTMLVideoElement);
      if (error.name === 'NotAllowedError' && wanted.playing && !waits) report('refused');
    });
  const halt = () => {
    wanted.playing = false;
    media.pause();
  };
  const mute = (muted: boolean) => {
    wanted.muted = muted;
    media.muted = muted;
    if (!muted && wanted.playing && media.paused && !media.ended) void start();
  };
  return {
    play: (at, muted, volume) => {
      // What failed is asked for anew, since somebody wants it again.
      if (media.error) media.load();
      mute(muted);
      wanted.playing = true;
      media.volume = volume / 100;
      goTo(at);
      void start();
    },
    pause: halt,
    stop: () => {
      halt();
      if (seekable && media.readyState > 0) media.currentTime = 0;
    },
    seek: (at) => {
      if (seekable) media.currentTime = at;
    },
    mute,
    setVolume: (volume) => {
      media.volume = volume / 100;
    },
    dispose: () => {
      abort.abort();
      fallSilent();
      media.pause();
      media.removeAttribute('src');
      // Loading without a source releases the connection and what was decoded.
      media.load();
      media.remove();
    },
  };
}
