import { preloadOf } from '../resources/device.ts';
import { attachSource } from './source.ts';
import type { SourceReport } from './trouble.ts';

/** Drift in seconds below which playback continues without seeking, because a seek is audible. */
const NEAR = 0.3;

/** The audio description of a video. */
export interface AudioDescription {
  /** Starts or ends following the video. The file loads with the first start. */
  enable(isOn: boolean): void;
  dispose(): void;
}

interface Source {
  /** Receives the audio element, so that media keys and browser tools find it. */
  container: HTMLElement;
  /** URL of the audio file. */
  url: string;
  report: SourceReport;
  /** Called if the file can't be played. */
  failed(error: unknown): void;
}

/**
 * Plays an audio file in step with a video while it is enabled: it starts, waits, stops and seeks with the video, at its
 * speed and volume, and drift is corrected.
 */
export function describeVideo(video: HTMLVideoElement, { container, url, report, failed }: Source): AudioDescription {
  const audio = new Audio();
  audio.preload = preloadOf('auto');
  audio.dataset.describes = video.dataset.media ?? '';
  const abort = new AbortController();
  let isOn = false;
  let detach: Promise<() => void> | undefined;
  /** Where the audio should be; null after its end. */
  const wanted = () => (video.currentTime < (audio.duration || Number.POSITIVE_INFINITY) ? video.currentTime : null);
  const align = () => {
    const at = wanted();
    if (at !== null && Math.abs(audio.currentTime - at) > NEAR) audio.currentTime = at;
  };
  const follow = () => {
    if (!isOn || video.paused || video.ended || video.seeking || wanted() === null) {
      audio.pause();
      return;
    }
    align();
    if (audio.paused)
      audio.play().catch((error: unknown) => {
        // A pause before it starts isn't an error, and a blocked start is repeated with the video's next event.
        const isHarmless = error instanceof DOMException && ['AbortError', 'NotAllowedError'].includes(error.name);
        if (!abort.signal.aborted && !isHarmless) failed(error);
      });
  };
  const match = () => {
    audio.playbackRate = video.playbackRate;
    audio.volume = video.volume;
    audio.muted = video.muted;
  };
  const on = (types: readonly string[], listener: () => void) => {
    for (const type of types) video.addEventListener(type, listener, { signal: abort.signal });
  };
  on(['play', 'playing', 'pause', 'ended', 'seeking', 'seeked', 'timeupdate', 'emptied'], follow);
  on(['waiting'], () => audio.pause());
  on(['ratechange', 'volumechange'], match);
  audio.addEventListener('canplay', follow, { signal: abort.signal });
  audio.addEventListener(
    'error',
    () => failed(`The audio description can’t be played: ${audio.error?.message || 'the file can’t be read'}.`),
    { signal: abort.signal },
  );
  return {
    enable: (next) => {
      isOn = next;
      if (isOn && !detach) {
        container.append(audio);
        detach = attachSource(audio, url, report);
        detach.catch((error: unknown) => abort.signal.aborted || failed(error));
      }
      match();
      follow();
    },
    dispose: () => {
      abort.abort();
      audio.pause();
      // A file that can't be attached was reported.
      detach?.then(
        (end) => end(),
        () => undefined,
      );
      audio.remove();
    },
  };
}
