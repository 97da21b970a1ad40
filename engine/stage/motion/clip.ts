import { AnimationMixer, type Bone, Object3D, Vector3 } from 'three';
import { BVHLoader } from 'three/addons/loaders/BVHLoader.js';
import { frameAt, HIP_BONE } from '../../scene/motion/motion-clock.ts';

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

/** Moments at which a clip is looked at to find out which way is up in it. */
const SAMPLES = 12;

/**
 * Stands a skeleton upright: files differ in whether y or z is up. Up is where the head is for most of the clip.
 * @param poseAt brings the skeleton to a part of the clip, 0 to 1
 */
function standUpright(holder: Object3D, bones: readonly Bone[], poseAt: (part: number) => void): void {
  const hips = bones.find(({ name }) => name === HIP_BONE) ?? bones[0]!;
  const head = bones.find(({ name }) => /^head$/i.test(name));
  if (!head) return;
  const up = new Vector3();
  for (let sample = 0; sample < SAMPLES; sample++) {
    poseAt(sample / SAMPLES);
    const [from, to] = placesOf([hips, head]);
    up.add(to!.sub(from!));
  }
  const isUp = Math.abs(up.y) >= Math.max(Math.abs(up.x), Math.abs(up.z));
  if (!isUp && Math.abs(up.z) > Math.abs(up.x)) holder.rotation.x = up.z > 0 ? -Math.PI / 2 : Math.PI / 2;
}

/**
 * Reads a BVH file. Its skeleton stands upright along y whichever way is up in the file.
 * @throws when it cannot be loaded, or holds no motion
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
  const holder = new Object3D().add(root);
  const poseFrame = (frame: number) => {
    // The last moment of a clip is its first again.
    mixer.setTime(Math.min(frame * frameTime, clip.duration * (1 - 1e-6)));
    holder.updateMatrixWorld(true);
  };
  standUpright(holder, skeleton.bones, (part) => poseFrame(Math.floor(part * times.length)));
  let last = -1;
  const pose = (seconds: number) => {
    const frame = frameAt(seconds, times.length, frameTime);
    if (frame === last) return false;
    last = frame;
    poseFrame(frame);
    return true;
  };
  return { bones: skeleton.bones, duration: times.length * frameTime, pose };
}

/** Places of bones in the space that their skeleton stands in. */
export const placesOf = (bones: readonly Bone[]): Vector3[] =>
  bones.map(({ matrixWorld }) => new Vector3().setFromMatrixPosition(matrixWorld));
