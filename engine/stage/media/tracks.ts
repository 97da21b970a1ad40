/** Subtitles of one language. */
export interface Track {
  language: string;
  link: string;
  type: 'subtitles' | 'captions';
}

/** Lines of what a cue says, without its marks of style. */
function linesOf(cue: TextTrackCue): string[] {
  if (!(cue instanceof VTTCue)) return [];
  return (cue.getCueAsHTML().textContent ?? '').split('\n');
}

/**
 * Switches a video's subtitles.
 * @param language of the tracks that are read; empty for none
 * @param mode whether the browser shows them, or only reads them
 */
export function chooseTrack(video: HTMLVideoElement, language: string, mode: 'showing' | 'hidden'): void {
  for (const track of video.textTracks) track.mode = track.language === language && language ? mode : 'disabled';
}

/**
 * Gives a video its subtitles. The browser reads them but shows none: it could only over the video's own element,
 * which stands nowhere while the video is a texture.
 * @param shown language whose cues are told at first; empty tells none
 * @param told called with the lines to be shown whenever they change
 */
export function addTracks(
  video: HTMLVideoElement,
  tracks: readonly Track[],
  shown: string,
  told: (lines: readonly string[]) => void,
): void {
  for (const { language, link, type } of tracks) {
    const element = document.createElement('track');
    Object.assign(element, { kind: type, srclang: language, label: language, src: link });
    video.append(element);
    const { track } = element;
    track.mode = language === shown ? 'hidden' : 'disabled';
    track.addEventListener('cuechange', () => told([...(track.activeCues ?? [])].flatMap(linesOf)));
  }
}
