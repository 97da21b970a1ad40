import type { CameraPose } from './view/camera-pose.ts';
import type { VisitorInput } from './visitor-input.ts';

/** Everything that a tick depends on besides the room. */
export interface TickInput {
  /** Room time in seconds, any: forwards, backwards, standing still. */
  time: number;
  camera: CameraPose;
  /** What came in since the last tick, in order; each system that listens reads its own. */
  input?: readonly VisitorInput[];
}
