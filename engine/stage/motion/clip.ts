import { AnimationMixer, type Bone, Vector3 } from 'three';
import { BVHLoader } from 'three/addons/loaders/BVHLoader.js';
import { frameAt } from '../../scene/motion-clock.ts';

/** Motion capture of one file, and the skeleton that it moves. */
export interface MotionClip {
  readonly bones: readonly Bone[];
  /** Seconds that it lasts. */
  readonly duration: number;
  /**
   * Brings the skeleton to a moment.
   * @param seconds since the clip's beginning; it starts over at its end
   * @returns whether that is another frame than before
   */
  pose(seconds: number): boolean;
}

/** Frame time in seconds of a clip with a single frame. */
const ONE_FRAME = 1 / 50;

/**
 * Reads a BVH file.
 * @throws when it can't be loaded, or holds no motion
 */
export async function loadClip(url: string, signal: AbortSignal): Promise<MotionClip> {
  const response = await fetch(url, { signal });
  if (!response.ok) throw new Error(`The motion could not be loaded (${response.status}).`);
  const text = await response.text();
  if (!/^\s*HIERARCHY\b/.test(text)) throw new Error('The motion is not a BVH file.');
  const { skeleton, clip } = new BVHLoader().parse(text);
  const root = skeleton.bones[0];
  const times = clip.tracks[0]?.times;
  if (!root || !times || times.length === 0) throw new Error('The motion has no frames.');
  const frameTime = times.length > 1 ? times[1]! - times[0]! : ONE_FRAME;
  const mixer = new AnimationMixer(root);
  mixer.clipAction(clip).play();
  let last = -1;
  const pose = (seconds: number) => {
    const frame = frameAt(seconds, times.length, frameTime);
    if (frame === last) return false;
    last = frame;
    // The last moment of a clip is its first again.
    mixer.setTime(Math.min(frame * frameTime, clip.duration * (1 - 1e-6)));
    root.updateMatrixWorld(true);
    return true;
  };
  return { bones: skeleton.bones, duration: times.length * frameTime, pose };
}

/** Places of bones in the space that their skeleton stands in. */
export const placesOf = (bones: readonly Bone[]): Vector3[] =>
  bones.map(({ matrixWorld }) => new Vector3().setFromMatrixPosition(matrixWorld));
