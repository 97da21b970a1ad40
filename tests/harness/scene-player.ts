import type { RoomCommand } from '../../engine/document/commands.ts';
import type { Room } from '../../engine/document/room.ts';
import {
  type CameraPose,
  createScene,
  type ElementState,
  type Scene,
  type SceneEvent,
  type SceneOptions,
} from '../../engine/scene/scene.ts';

/** Camera of a script: what it leaves out is as `PLAIN_POSE` has it. */
export interface ScriptCamera {
  position?: [number, number, number];
  /** Turn to the left in degrees. */
  turn?: number;
}

/** One step: patches, then a tick at a time, and what they must bring. */
interface Step {
  /** Room time in seconds. */
  time: number;
  /** From this step on. */
  camera?: ScriptCamera;
  patch?: RoomCommand[];
  /** The tick's events as `lineOf` writes them, all and in this order. */
  events: string[];
  /** Parts of the state that must be as given, by element id. */
  state?: Record<string, Partial<ElementState>>;
}

/** A room played step by step. */
export interface Script {
  /** What a visitor sees, as one sentence. */
  title: string;
  options?: SceneOptions;
  /** Whether the room skips the schema, like a document that nobody checked. */
  unchecked?: boolean;
  steps: Step[];
}

/** What a step brought. */
export interface Played {
  step: Step;
  events: string[];
  /** One line for each event: time · event · element. */
  trace: string[];
  state: Record<string, ElementState>;
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

/** The pose that a script's camera means. */
export function poseOf({ position = [0, 0, 0], turn = 0 }: ScriptCamera = {}): CameraPose {
  const half = (turn * Math.PI) / 360;
  const [x, y, z] = position;
  return { ...PLAIN_POSE, position: { x, y, z }, quaternion: { x: 0, y: Math.sin(half), z: 0, w: Math.cos(half) } };
}

/** An event as a short line: its type, its element, and what else it carries. */
export function lineOf(event: SceneEvent): string {
  switch (event.type) {
    case 'proximity':
      return `proximity ${event.element_id} ${event.zone} ${Number(event.volume.toFixed(4))}`;
    case 'error':
      return `error ${event.element_id} ${event.message}`;
    case 'room.changed':
      return event.type;
    default:
      return `${event.type} ${event.element_id}`;
  }
}

/** Events with those of sensors last and by element: in a tick, sensors answer in no particular order. */
const inOrder = (events: readonly SceneEvent[]) =>
  events.toSorted((a, b) =>
    a.type === 'proximity' && b.type === 'proximity'
      ? a.element_id - b.element_id
      : Number(a.type === 'proximity') - Number(b.type === 'proximity'),
  );

/** Plays a room through a script, step by step. */
export function* play(room: Room, script: Script): Generator<Played> {
  const scene: Scene = createScene(room, script.options);
  let camera = PLAIN_POSE;
  for (const step of script.steps) {
    if (step.camera) camera = poseOf(step.camera);
    for (const command of step.patch ?? []) scene.patch(command);
    scene.tick({ time: step.time, camera });
    const events = inOrder(scene.events).map(lineOf);
    const trace = events.map((line) => `${step.time} · ${line.replace(/^(\S+) /, '$1 · ')}`);
    yield { step, events, trace, state: scene.state().elements };
  }
  scene.dispose();
}
