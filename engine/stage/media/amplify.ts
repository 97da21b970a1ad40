/** The audio graph of a page: browsers limit their number. Created once a file has to be amplified. */
let shared: AudioContext | undefined;
/** The media that the graph plays, or is about to; without any, it is suspended. */
const users = new Set<HTMLMediaElement>();

/** Whether an audio graph may read the element: for media of other sites without CORS, it would be silent. */
const isReadable = ({ crossOrigin, currentSrc }: HTMLMediaElement): boolean =>
  crossOrigin !== null || (currentSrc !== '' && new URL(currentSrc).origin === location.origin);

/** Sets the volume of audio or a video, from 0 to 1, and more to amplify it. */
export interface Amplifier {
  set(volume: number): void;
  dispose(): void;
}

/**
 * Amplifies a media element, whose own volume ends at 1, through Web Audio. Until the visitor has used the page, browsers
 * run no audio graphs; the element plays at its own volume until then, and so does media that the graph can't read.
 */
export function amplifierOf(media: HTMLMediaElement): Amplifier {
  let wanted = 1;
  let nodes: { source: MediaElementAudioSourceNode; gain: GainNode } | undefined;
  let isDisposed = false;
  const apply = () => {
    if (nodes) nodes.gain.gain.value = Math.max(1, wanted);
  };
  const connect = async () => {
    const isNeeded = wanted > 1 && isReadable(media) && navigator.userActivation?.hasBeenActive;
    if (isDisposed || (!nodes && !isNeeded)) return;
    users.add(media);
    shared ??= new AudioContext();
    // Browsers suspend it, such as during a call on a phone.
    if (shared.state !== 'running') await shared.resume();
    // In a graph that doesn't run, the element would be silent.
    if (nodes || isDisposed || shared.state !== 'running') return;
    const [source, gain] = [shared.createMediaElementSource(media), shared.createGain()];
    source.connect(gain).connect(shared.destination);
    nodes = { source, gain };
    apply();
  };
  const retry = () => void connect().catch(() => {});
  media.addEventListener('playing', retry);
  media.addEventListener('volumechange', retry);
  return {
    set: (volume) => {
      wanted = volume;
      media.volume = Math.min(1, volume);
      apply();
      retry();
    },
    dispose: () => {
      isDisposed = true;
      media.removeEventListener('playing', retry);
      media.removeEventListener('volumechange', retry);
      nodes?.source.disconnect();
      nodes?.gain.disconnect();
      if (users.delete(media) && users.size === 0) void shared?.suspend();
    },
  };
}
