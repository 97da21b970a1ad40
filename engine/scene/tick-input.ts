import type { CameraPose } from './camera-pose.ts';

/** What the visitor did since the last tick; each system that listens to it reads its own fields. */
type VisitorInput = Readonly<Record<string, unknown>>;

/** Everything that a tick depends on besides the room. */
export interface TickInput {
  /** Room time in seconds, any: forwards, backwards, standing still. */
  time: number;
  camera: CameraPose;
  input?: VisitorInput;
}
