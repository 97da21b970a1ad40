import type { StageContext } from '../context.ts';
import { amplifierOf } from './amplify.ts';
import type { Player } from './player.ts';

/** Drift in seconds below which playback continues without seeking, because a seek is audible. */
const NEAR = 0.3;

/** Milliseconds between position reports during playback. */
const PROGRESS = 100;

/** Error descriptions by `MediaError.code`. */
const REASONS = ['', 'loading was stopped', 'the network failed', 'the file is damaged', 'it can’t be played here'];

/**
 * Controls an audio or video element and reports its events: end, position, blocked autoplay, and use of its native
 * controls.
 * @param seekable false for live streams, which play from the current moment
 */
export function playElement(
  context: StageContext,
  elementId: number,
  media: HTMLMediaElement,
  { seekable = true } = {},
): Player {
  const abort = new AbortController();
  const amplifier = amplifierOf(media);
  const wanted = { playing: false, muted: media.muted };
  let lastError = '';
  const report = (type: 'ended' | 'refused' | 'play' | 'pause' | 'mute' | 'unmute') =>
    context.send({ type, element_id: elementId });
  const on = (type: string, listener: () => void) => media.addEventListener(type, listener, { signal: abort.signal });
  on('ended', () => report('ended'));
  // Reconnecting after an interruption leaves the element paused.
  on('canplay', () => {
    if (wanted.playing && media.paused && !media.ended) void start();
  });
  const reportProgress = () => {
    if (!media.seeking) context.send({ type: 'progress', element_id: elementId, at: media.currentTime });
  };
  let progressTimer: ReturnType<typeof setInterval> | undefined;
  const stopReporting = () => clearInterval(progressTimer);
  on('play', () => {
    stopReporting();
    if (seekable) progressTimer = setInterval(reportProgress, PROGRESS);
    if (!wanted.playing) report('play');
  });
  for (const type of ['pause', 'ended', 'emptied']) on(type, stopReporting);
  on('pause', () => {
    if (wanted.playing && !media.ended && media.readyState > 0) report('pause');
  });
  on('volumechange', () => {
    if (media.muted !== wanted.muted) report(media.muted ? 'mute' : 'unmute');
  });
  on('error', () => {
    // Live streams and broken connections are retried by the source.
    if (!media.error || !seekable || media.error.code === MediaError.MEDIA_ERR_NETWORK) return;
    // Loading is retried with each play command; don't report the same error again.
    const why = media.error.message || REASONS[media.error.code]!;
    if (why !== lastError) context.fail(`The file can’t be played: ${why}.`, elementId);
    lastError = why;
    // Otherwise the scene would treat it as playing.
    if (wanted.playing) report('pause');
  });
  const goTo = (at: number) => {
    if (seekable && Math.abs(media.currentTime - at) > NEAR) media.currentTime = at;
  };
  function start(): Promise<void> {
    return media.play().catch((error: unknown) => {
      if (abort.signal.aborted || !(error instanceof DOMException)) return;
      // Aborted and unsupported sources are reported elsewhere. Some browsers block even muted audio; it starts when the
      // visitor unmutes.
      const waits = media.muted && !(media instanceof HTMLVideoElement);
      if (error.name === 'NotAllowedError' && wanted.playing && !waits) report('refused');
    });
  }
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
      // Retry after an error.
      if (media.error) media.load();
      mute(muted);
      wanted.playing = true;
      amplifier.set(volume / 100);
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
      amplifier.set(volume / 100);
    },
    dispose: () => {
      abort.abort();
      stopReporting();
      amplifier.dispose();
      media.pause();
      media.removeAttribute('src');
      // Loading without a source releases the connection and decoded data.
      media.load();
      media.remove();
    },
  };
}
