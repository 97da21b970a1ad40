/** Subtitles of one language. */
export interface Track {
  language: string;
  link: string;
  type: 'subtitles' | 'captions';
}

/** Text lines of a cue, without markup. */
function linesOf(cue: TextTrackCue): string[] {
  if (!(cue instanceof VTTCue)) return [];
  return (cue.getCueAsHTML().textContent ?? '').split('\n');
}

/**
 * Selects a video's subtitles.
 * @param language of the tracks to enable; empty for none
 * @param mode whether the browser displays the tracks or only loads them
 */
export function chooseTrack(video: HTMLVideoElement, language: string, mode: 'showing' | 'hidden'): void {
  for (const track of video.textTracks) track.mode = track.language === language && language ? mode : 'disabled';
}

/**
 * Adds subtitle tracks to a video, and follows those of its stream. The browser loads but doesn't display them: it could
 * only display them over the video element, which isn't visible while the video is a texture.
 * @param shown language of the initially active track; empty for none
 * @param notify called with the current lines whenever they change
 * @param found called with the language of each track that the stream adds
 */
export function addTracks(
  video: HTMLVideoElement,
  tracks: readonly Track[],
  shown: string,
  { notify, found }: { notify(lines: readonly string[]): void; found(language: string): void },
): void {
  const follow = (track: TextTrack) => {
    track.mode = track.language === shown && shown ? 'hidden' : 'disabled';
    track.addEventListener('cuechange', () => notify([...(track.activeCues ?? [])].flatMap(linesOf)));
  };
  for (const { language, link, type } of tracks) {
    const element = document.createElement('track');
    Object.assign(element, { kind: type, srclang: language, label: language, src: link });
    video.append(element);
    follow(element.track);
  }
  const own = new Set(video.textTracks);
  video.textTracks.addEventListener('addtrack', ({ track }) => {
    if (!track || own.has(track)) return;
    follow(track);
    if (track.language) found(track.language);
  });
}
