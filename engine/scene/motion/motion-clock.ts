/** Frames a second of motion capture whose file gives no frame time. */
const MOTION_FRAME_RATE = 50;
/** Clips of a stream that are held ready, the one that plays included. */
export const MOTION_BUFFER = 5;
/** Bone of a figure that carries its place in the room. */
export const HIP_BONE = 'Hips';

/** Part of a frame by which rounding may be off: 0.58 × 50 is a hair below 29. */
const ROUNDING = 1e-6;

/**
 * Frame of a clip at a time: floor(seconds × frame rate), starting over at its end.
 * @param seconds since the clip's beginning; below 0 counts back from its end
 * @param frames number of frames of the clip
 * @param frameTime seconds of one frame, as the file gives them
 */
export function frameAt(seconds: number, frames: number, frameTime = 1 / MOTION_FRAME_RATE): number {
  if (!(frames > 0) || !(frameTime > 0)) return 0;
  const frame = Math.floor(seconds / frameTime + ROUNDING) % frames;
  return frame < 0 ? frame + frames : frame;
}
