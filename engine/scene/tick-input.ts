import type { CameraPose } from './view/camera-pose.ts';
import type { VisitorInput } from './visitor-input.ts';

/** Everything a tick depends on besides the room. */
export interface TickInput {
  /** Room time in seconds; may go forwards, backwards or stand still. */
  time: number;
  camera: CameraPose;
  /** Input since the last tick, in order; each system reads the types it handles. */
  input?: readonly VisitorInput[];
}
