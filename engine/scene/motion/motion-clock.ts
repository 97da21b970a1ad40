/** Frame rate assumed for motion capture files without a frame time. */
const MOTION_FRAME_RATE = 50;
/** Number of buffered clips of a stream, including the current one. */
export const MOTION_BUFFER = 5;
/** Bone that carries a figure's position in the room. */
export const HIP_BONE = 'Hips';

/** Rounding tolerance in frames: 0.58 × 50 is slightly below 29. */
const ROUNDING = 1e-6;

/**
 * Frame of a clip at a time: floor(seconds × frame rate), looping.
 * @param seconds since the start of the clip; negative values count back from its end
 * @param frames number of frames of the clip
 * @param frameTime duration of a frame in seconds, from the file
 */
export function frameAt(seconds: number, frames: number, frameTime = 1 / MOTION_FRAME_RATE): number {
  if (!(frames > 0) || !(frameTime > 0)) return 0;
  const frame = Math.floor(seconds / frameTime + ROUNDING) % frames;
  return frame < 0 ? frame + frames : frame;
}
