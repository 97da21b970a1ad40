import { AnimationMixer, type Bone, Object3D, Vector3 } from 'three';
import { BVHLoader } from 'three/addons/loaders/BVHLoader.js';
import { frameAt, HIP_BONE } from '../../scene/motion/motion-clock.ts';

/** Motion capture of one file, and its skeleton. */
export interface MotionClip {
  readonly bones: readonly Bone[];
  /** In seconds. */
  readonly duration: number;
  /**
   * Poses the skeleton.
   * @param seconds since the start of the clip; loops
   * @returns whether the frame changed
   */
  pose(seconds: number): boolean;
}

/** Frame time in seconds assumed for a single-frame clip. */
const ONE_FRAME = 1 / 50;

/** Number of samples for detecting the up axis. */
const SAMPLES = 12;

/**
 * Rotates a skeleton upright, because files differ in whether y or z is up. The up axis is where the head is on average.
 * @param poseAt poses the skeleton at a fraction of the clip, 0 to 1
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
 * Loads a BVH file. Its skeleton stands upright along y regardless of the file's up axis.
 * @throws if it can't be loaded or contains no motion
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
    // The last moment of a clip wraps to its first frame.
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

/** Positions of bones in the space of their skeleton's parent. */
export const placesOf = (bones: readonly Bone[]): Vector3[] =>
  bones.map(({ matrixWorld }) => new Vector3().setFromMatrixPosition(matrixWorld));
