import type { OlderCommand } from '../../engine/document/commands.ts';
import type { Room } from '../../engine/document/room.ts';
import { playScene } from '../../engine/scene/play.ts';
import type { CameraPose, SceneEvent, SceneOptions, SceneState, VisitorInput } from '../../engine/scene/scene.ts';
import type { ElementState } from '../../engine/scene/state.ts';
import { type TraceRow, traceRow } from '../../engine/scene/trace.ts';

/** Camera of a script; defaults are in `PLAIN_POSE`. */
export interface ScriptCamera {
  position?: [number, number, number];
  /** Rotation to the left in degrees. */
  turn?: number;
}

type RoomState = Omit<SceneState, 'elements'>;

/** One step: patches, then ticks with inputs, and their expected results. */
interface Step {
  /** Room time in seconds. */
  time: number;
  /** Applies from this step on. */
  camera?: ScriptCamera;
  patch?: OlderCommand[];
  input?: VisitorInput[];
  /** All events of the tick in order, in the format of `lineOf`. */
  events: string[];
  /** Expected parts of the state, by element id. */
  state?: Record<string, Partial<ElementState>>;
  /** Expected parts of the room's state. */
  room?: Partial<RoomState>;
}

/** A script for playing a room. */
export interface Script {
  /** Description of the visitor's experience. */
  title: string;
  options?: SceneOptions;
  /** Whether the room skips schema validation, like an unvalidated document. */
  unchecked?: boolean;
  steps: Step[];
}

/** Results of a step. */
export interface Played {
  step: Step;
  events: string[];
  /** The same events as rows for `formatTrace`. */
  rows: TraceRow[];
  state: Record<string, ElementState>;
  /** State of the room as a whole. */
  room: RoomState;
}

/** At the origin, looking along −z. */
export const PLAIN_POSE: CameraPose = {
  position: { x: 0, y: 0, z: 0 },
  quaternion: { x: 0, y: 0, z: 0, w: 1 },
  fov: 60,
  aspect: 1,
  near: 0.1,
  far: 6000,
};

/** The pose of a script's camera. */
export function poseOf({ position = [0, 0, 0], turn = 0 }: ScriptCamera = {}): CameraPose {
  const half = (turn * Math.PI) / 360;
  const [x, y, z] = position;
  return { ...PLAIN_POSE, position: { x, y, z }, quaternion: { x: 0, y: Math.sin(half), z: 0, w: Math.cos(half) } };
}

const asLine = ({ event, element, detail }: TraceRow) =>
  [event, element, detail].filter((part) => part !== '').join(' ');

/** Formats an event as a short line: its type, its element, and further data. */
export const lineOf = (event: SceneEvent): string => asLine(traceRow(0, event));

/** Plays a room through a script, step by step. */
export function* play(room: Room, script: Script): Generator<Played> {
  let camera = PLAIN_POSE;
  function* ticks() {
    for (const step of script.steps) {
      if (step.camera) camera = poseOf(step.camera);
      yield { ...step, step, camera };
    }
  }
  for (const { step, rows, scene } of playScene(room, ticks(), script.options)) {
    const { elements, ...state } = scene.state();
    yield { step: step.step, events: rows.map(asLine), rows, state: elements, room: state };
  }
}
